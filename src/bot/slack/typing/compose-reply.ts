import type {Button} from '@slack/types';
import type {TypedDue, TypedRecord} from '../../../domain/slack/typed-record.js';
import {
  compareMessageTs,
  replayConversation,
  mapQuestionKeysByMessage,
  type Talk,
  type TypedDraft,
} from '../../../domain/slack/typing.js';
import {isolateName} from '../../texts/bidi.js';
import {formButton} from '../answers/buttons.js';
import type {SlackContext, SlackRequest} from '../core/context.js';
import {explainError} from '../core/refusals.js';
import {
  type Conversation,
  type NextMessage,
  composeDraftText,
  describeError,
  createDraftFormButton,
  findQuestionLabel,
  describeTeamsAndDay,
  presentTypedMessage,
  presentCurrentQuestion,
  presentDraftForReview,
  type TypedMessage,
  type TypedContents,
} from './typed-messages.js';
import {postDraft} from './post-typed.js';
import {
  answerDeletedMessage,
  answerEditedMessage,
  presentOffer,
  presentPostedStandups,
  runCommand,
  sendPostedAnswer,
} from './answer-single-message.js';

/** Replies about a draft, of which several in a row get one answer; any other reply gets its own. */
const ofConversation: ReadonlySet<TypedDue['is']> = new Set([
  'word',
  'pressed',
  'edit',
  'deleted',
  'begin',
  'dropped',
]);

export function nextMessagesToAnswer(due: readonly TypedDue[]): readonly TypedDue[] {
  const [first] = due;
  if (first === undefined) return [];
  if (!ofConversation.has(first.is)) return [first];
  const end = due.findIndex(({is}) => !ofConversation.has(is));
  return end < 0 ? due : due.slice(0, end);
}

/** Does what a typed text asks for, and returns the outcome. A repeated request repeats no action. */
export async function composeReply(
  context: SlackContext,
  conversation: Conversation,
  record: TypedRecord,
  due: readonly TypedDue[],
): Promise<NextMessage> {
  const [first] = due;
  const {translation} = conversation.request;
  const {typing} = translation.texts;
  if (first === undefined) return {};
  if (ofConversation.has(first.is)) return continueConversation(context, conversation, record, due);
  const alone = (parts: TypedContents): NextMessage => ({message: presentTypedMessage(translation, parts)});
  switch (first.is) {
    case 'command':
      return {message: await runCommand(context, conversation, first)};
    case 'offer':
    case 'edited-offer':
      return presentOffer(context, conversation, record, first.ts);
    case 'edit-posted':
      return answerEditedMessage(context, conversation, record, first);
    case 'deleted-posted':
      return answerDeletedMessage(context, conversation, record, first.ts);
    case 'deleted-offer':
      return alone({sentences: [typing.deletedOffer]});
    case 'unfit':
      return alone({sentences: [typing.unfit[first.why]]});
    case 'posted':
      return sendPostedAnswer(context, conversation, record, first.done);
    case 'left': {
      const {draft} = first;
      const text = composeDraftText(draft);
      const [names, day] = describeTeamsAndDay(translation, draft, conversation.slackWorkspace.directory);
      const begins = {with: 'text', text} as const;
      const request = {mode: 'new', team: draft.teams[0]?.id, begins, replaces: true} as const;
      return text === ''
        ? {}
        : alone({
            sentences: [typing.left({teams: names, day})],
            quote: text,
            buttons: [formButton(typing.openForm, request)],
          });
    }
    case 'idle':
      return alone({sentences: [typing.idle]});
    case 'slow':
      return alone({sentences: [typing.slow]});
    default:
      return alone({sentences: [typing.over]});
  }
}

async function continueConversation(
  context: SlackContext,
  conversation: Conversation,
  record: TypedRecord,
  due: readonly TypedDue[],
): Promise<NextMessage> {
  const {draft} = record;
  const {slackWorkspace, request} = conversation;
  const {translation} = request;
  const {typing} = translation.texts;
  if (draft === undefined) return {};
  const talk = replayConversation(draft);
  const [names, day] = describeTeamsAndDay(translation, draft, slackWorkspace.directory);
  const text = composeDraftText(draft, talk);
  const dropped = due.flatMap((one) =>
    one.is === 'dropped' ? [typing.ended[one.why]({teams: findTeamName(conversation, one.team)})] : [],
  );
  if (draft.ended !== undefined && draft.ended !== 'stopped') {
    const sentences = [typing.ended[draft.ended]({teams: names})];
    return {
      message: presentTypedMessage(
        translation,
        text === ''
          ? {sentences}
          : {
              sentences,
              quote: text,
              below: [typing.formStill],
              buttons: [createDraftFormButton(translation, draft)],
            },
      ),
    };
  }
  const begins = draft.words.length === 1 && due.some(({is}) => is === 'word');
  const notes = [...dropped];
  let asks = true;
  let buttons: readonly Button[] = [];
  for (const one of due) {
    if (one.is === 'begin') notes.push(typing.nextTeam({teams: names, day}));
    if (one.is === 'deleted') notes.push(typing.removed);
    if (one.is !== 'word' && one.is !== 'pressed' && one.is !== 'edit') continue;
    const effect = talk.effects.get(one.ts);
    const label = formatEffectLabel(translation, draft, effect);
    if (effect === undefined) continue;
    if (one.is === 'edit') {
      if (effect.does === 'answer' && effect.editError !== undefined)
        notes.push(describeError(translation, effect.editError), typing.keptEarlier({label}));
      else if (effect.does === 'answer') notes.push(typing.changed({label}));
      if (effect.does === 'invalid') notes.push(describeError(translation, effect.error));
      asks = asks && due.length > 1;
      continue;
    }
    asks = true;
    switch (effect.does) {
      case 'answer':
        // The person may not have seen the question.
        if (begins) notes.push(typing.takenAs({label}));
        break;
      case 'post':
        {
          // Messages typed after the confirmation are not part of the post.
          const messages = draft.words.filter(({ts}) => compareMessageTs(ts, one.ts) <= 0);
          const until = {...draft, words: messages};
          const partialTalk = replayConversation(until);
          const isWhole = partialTalk.missing.length === 0 && composeDraftText(until, partialTalk) !== '';
          if (isWhole)
            return postDraftAndReport(context, conversation, {
              draft: until,
              talk: partialTalk,
              due: one,
              dropped,
            });
          const lacking = partialTalk.missing[0] ?? draft.questions[0] ?? {key: '', label: ''};
          notes.push(typing.missing({label: findQuestionLabel(translation, draft, lacking)}));
        }
        break;
      case 'stop':
      case 'discard': {
        const isStop = effect.does === 'stop';
        await context.services.typing.end(
          conversation.call,
          request.user.id,
          draft.id,
          isStop ? 'stopped' : undefined,
        );
        const said = presentTypedMessage(
          translation,
          isStop && text !== ''
            ? {sentences: [typing.stopped], quote: text, buttons: [createDraftFormButton(translation, draft)]}
            : {sentences: [isStop ? typing.stoppedEmpty : typing.discarded]},
        );
        return one.is === 'pressed' && draft.summary !== undefined ? {summary: said} : {message: said};
      }
      case 'invalid':
        notes.push(describeError(translation, effect.error));
        break;
      case 'required':
        notes.push(typing.needed);
        break;
      case 'help':
        notes.push(...typing.help);
        break;
      case 'later':
        notes.push(
          talk.asked === undefined
            ? typing.laterDone
            : typing.later({label: findQuestionLabel(translation, draft, talk.asked)}),
        );
        asks = false;
        break;
      case 'edit':
        notes.push(typing.editHere);
        buttons = [createDraftFormButton(translation, draft)];
        asks = false;
        break;
      case 'extra':
        notes.push(typing.extra);
        break;
      case 'full':
        notes.push(typing.full);
        buttons = [createDraftFormButton(translation, draft)];
        break;
      default:
    }
  }
  if (talk.asked !== undefined) {
    const intro = begins ? [typing.forTeams({teams: names, day})] : [];
    const question = asks ? presentCurrentQuestion(translation, draft, talk) : {sentences: []};
    return {
      message: presentTypedMessage(translation, {
        sentences: [...intro, ...notes, ...question.sentences],
        buttons: [...buttons, ...(question.buttons ?? [])],
      }),
    };
  }
  const summary = presentDraftForReview(translation, draft, talk, slackWorkspace.directory);
  const isEditAlone = due.every(({is}) => is === 'edit');
  if (isEditAlone && draft.summary !== undefined && due.every((one) => !isRefusedEdit(talk, one)))
    return {summary: presentTypedMessage(translation, summary)};
  if (!asks) return {message: presentTypedMessage(translation, {sentences: notes, buttons})};
  return {
    message: presentTypedMessage(translation, {...summary, sentences: [...notes, ...summary.sentences]}),
    shows: draft.id,
  };
}

function isRefusedEdit({effects}: Talk, due: TypedDue): boolean {
  const effect = due.is === 'edit' ? effects.get(due.ts) : undefined;
  return effect?.does === 'invalid' || (effect?.does === 'answer' && effect.editError !== undefined);
}

function formatEffectLabel(
  translation: SlackRequest['translation'],
  draft: TypedDraft,
  effect: object | undefined,
): string {
  const key = effect !== undefined && 'key' in effect ? effect.key : undefined;
  const question = draft.questions.find((one) => one.key === key);
  return question === undefined ? '' : findQuestionLabel(translation, draft, question);
}

function findTeamName({slackWorkspace, request}: Conversation, team: string): string {
  const found = slackWorkspace.directory.byReference(team);
  return found === undefined ? request.translation.texts.typing.aTeam : isolateName(found.name);
}

async function postDraftAndReport(
  context: SlackContext,
  conversation: Conversation,
  given: {
    readonly draft: TypedDraft;
    readonly talk: Talk;
    readonly due: TypedDue;
    readonly dropped: readonly string[];
  },
): Promise<NextMessage> {
  const {draft, talk, due, dropped} = given;
  const {request, slackWorkspace, call} = conversation;
  const {translation, user} = request;
  const {typing} = translation.texts;
  const reply = (message: TypedMessage): NextMessage =>
    due.is === 'pressed' && draft.summary !== undefined ? {summary: message} : {message};
  try {
    const standups = await postDraft(context, {slackWorkspace, call}, {draft, talk}, translation);
    const done = {
      id: draft.id,
      standups: standups.map(({id, team_id: team}) => ({id, team})),
      asks: draft.asks,
      slots: mapQuestionKeysByMessage(draft),
    };
    await context.services.typing.finish(call, user.id, done, {messages: draft.words, location: due});
    context.refreshHome(request.origin, user);
    return reply(appendToSentences(translation, dropped, presentPostedStandups(conversation, standups)));
  } catch (error) {
    const {code, sentence, uncertain} = explainError(context, error, translation.texts);
    if (code === 'idempotency_key_reused') {
      await context.services.typing.end(call, user.id, draft.id, 'posted');
      const [names] = describeTeamsAndDay(translation, draft, slackWorkspace.directory);
      return reply(
        presentTypedMessage(translation, {
          sentences: [typing.ended.posted({teams: names})],
          quote: composeDraftText(draft, talk),
        }),
      );
    }
    const sentences = [uncertain ? sentence : typing.notPosted({reason: sentence})];
    const again = presentDraftForReview(translation, draft, talk, slackWorkspace.directory);
    return {message: presentTypedMessage(translation, {...again, sentences}), shows: draft.id};
  }
}

function appendToSentences(
  translation: SlackRequest['translation'],
  sentences: readonly string[],
  {text, blocks}: TypedMessage,
): TypedMessage {
  if (sentences.length === 0) return {text, blocks};
  const first = presentTypedMessage(translation, {sentences});
  return {text: `${first.text}\n${text}`, blocks: [...first.blocks, ...blocks]};
}

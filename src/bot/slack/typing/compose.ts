import type {Button} from '@slack/types';
import type {TypedDue, TypedRecord} from '../../../domain/slack/typed-record.js';
import {compareTs, converse, slotsOf, type Talk, type TypedDraft} from '../../../domain/slack/typing.js';
import {nameInText} from '../../words/bidi.js';
import {formButton} from '../commands/answers.js';
import type {Kit, Visit} from '../door/kit.js';
import {explain} from '../door/refusals.js';
import type {Listener, Saying} from './listener.js';
import {postDraft} from './post-typed.js';
import {deletedAnswer, editAnswer, offer, presentPosted, runCommand, tellPosted} from './say-apart.js';
import {
  draftText,
  faultSentence,
  formOf,
  labelOf,
  namedTeams,
  presentParts,
  questionParts,
  summaryParts,
  type TypedMessage,
  type TypedParts,
} from './present.js';

/**
 * Pending items that share one message of a conversation when they come at once; every other one gets a
 * separate message.
 */
const ofConversation: ReadonlySet<TypedDue['is']> = new Set([
  'word',
  'pressed',
  'edit',
  'deleted',
  'begin',
  'dropped',
]);

export function nextOf(due: readonly TypedDue[]): readonly TypedDue[] {
  const [first] = due;
  if (first === undefined) return [];
  if (!ofConversation.has(first.is)) return [first];
  const end = due.findIndex(({is}) => !ofConversation.has(is));
  return end < 0 ? due : due.slice(0, end);
}

/**
 * Does what the words ask for, and returns the outcome as a message. Each action is done once, however often
 * it is requested.
 */
export async function composeSaying(
  kit: Kit,
  listener: Listener,
  record: TypedRecord,
  due: readonly TypedDue[],
): Promise<Saying> {
  const [first] = due;
  const {reader} = listener.visit;
  const {typing} = reader.words;
  if (first === undefined) return {};
  if (ofConversation.has(first.is)) return converseOn(kit, listener, record, due);
  const alone = (parts: TypedParts): Saying => ({message: presentParts(reader, parts)});
  switch (first.is) {
    case 'command':
      return {message: await runCommand(kit, listener, first)};
    case 'offer':
    case 'edited-offer':
      return offer(kit, listener, record, first.ts);
    case 'edit-posted':
      return editAnswer(kit, listener, record, first);
    case 'deleted-posted':
      return deletedAnswer(kit, listener, record, first.ts);
    case 'deleted-offer':
      return alone({sentences: [typing.deletedOffer]});
    case 'unfit':
      return alone({sentences: [typing.unfit[first.why]]});
    case 'posted':
      return tellPosted(kit, listener, record, first.done);
    case 'left': {
      const {draft} = first;
      const text = draftText(draft);
      const [names, day] = namedTeams(reader, draft, listener.place.directory);
      const begins = {with: 'text', text} as const;
      const request = {mode: 'new', team: draft.teams[0]?.id, begins, replaces: true} as const;
      return text === ''
        ? {}
        : alone({
            sentences: [typing.left(names, day)],
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

async function converseOn(
  kit: Kit,
  listener: Listener,
  record: TypedRecord,
  due: readonly TypedDue[],
): Promise<Saying> {
  const {draft} = record;
  const {place, visit} = listener;
  const {reader} = visit;
  const {typing} = reader.words;
  if (draft === undefined) return {};
  const talk = converse(draft);
  const [names, day] = namedTeams(reader, draft, place.directory);
  const text = draftText(draft, talk);
  const dropped = due.flatMap((one) =>
    one.is === 'dropped' ? [typing.ended[one.why](nameOf(listener, one.team))] : [],
  );
  if (draft.ended !== undefined && draft.ended !== 'stopped') {
    const sentences = [typing.ended[draft.ended](names)];
    return {
      message: presentParts(
        reader,
        text === ''
          ? {sentences}
          : {sentences, quote: text, below: [typing.formStill], buttons: [formOf(reader, draft)]},
      ),
    };
  }
  const begins = draft.words.length === 1 && due.some(({is}) => is === 'word');
  const notes = [...dropped];
  let asks = true;
  let buttons: readonly Button[] = [];
  for (const one of due) {
    if (one.is === 'begin') notes.push(typing.nextTeam(names, day));
    if (one.is === 'deleted') notes.push(typing.removed);
    if (one.is !== 'word' && one.is !== 'pressed' && one.is !== 'edit') continue;
    const effect = talk.effects.get(one.ts);
    const label = labelFor(reader, draft, effect);
    if (effect === undefined) continue;
    if (one.is === 'edit') {
      if (effect.does === 'answer' && effect.editFault !== undefined)
        notes.push(faultSentence(reader, effect.editFault), typing.keptEarlier(label));
      else if (effect.does === 'answer') notes.push(typing.changed(label));
      if (effect.does === 'fault') notes.push(faultSentence(reader, effect.fault));
      asks = asks && due.length > 1;
      continue;
    }
    asks = true;
    switch (effect.does) {
      case 'answer':
        // The person may not have seen the question.
        if (begins) notes.push(typing.takenAs(label));
        break;
      case 'post':
        {
          // Words typed after it are not part of what it posts.
          const words = draft.words.filter(({ts}) => compareTs(ts, one.ts) <= 0);
          const until = {...draft, words};
          const stands = converse(until);
          const isWhole = stands.missing.length === 0 && draftText(until, stands) !== '';
          if (isWhole) return post(kit, listener, {draft: until, talk: stands, due: one, dropped});
          const lacking = stands.missing[0] ?? draft.questions[0] ?? {key: '', label: ''};
          notes.push(typing.missing(labelOf(reader, draft, lacking)));
        }
        break;
      case 'stop':
      case 'discard': {
        const isStop = effect.does === 'stop';
        await kit.services.typing.end(listener.call, visit.user.id, draft.id, isStop ? 'stopped' : undefined);
        const said = presentParts(
          reader,
          isStop && text !== ''
            ? {sentences: [typing.stopped], quote: text, buttons: [formOf(reader, draft)]}
            : {sentences: [isStop ? typing.stoppedEmpty : typing.discarded]},
        );
        return one.is === 'pressed' && draft.summary !== undefined ? {summary: said} : {message: said};
      }
      case 'fault':
        notes.push(faultSentence(reader, effect.fault));
        break;
      case 'required':
        notes.push(typing.needed);
        break;
      case 'help':
        notes.push(...typing.help);
        break;
      case 'later':
        notes.push(
          talk.asked === undefined ? typing.laterDone : typing.later(labelOf(reader, draft, talk.asked)),
        );
        asks = false;
        break;
      case 'edit':
        notes.push(typing.editHere);
        buttons = [formOf(reader, draft)];
        asks = false;
        break;
      case 'extra':
        notes.push(typing.extra);
        break;
      case 'full':
        notes.push(typing.full);
        buttons = [formOf(reader, draft)];
        break;
      default:
    }
  }
  if (talk.asked !== undefined) {
    const intro = begins ? [typing.forTeams(names, day)] : [];
    const question = asks ? questionParts(reader, draft, talk) : {sentences: []};
    return {
      message: presentParts(reader, {
        sentences: [...intro, ...notes, ...question.sentences],
        buttons: [...buttons, ...(question.buttons ?? [])],
      }),
    };
  }
  const summary = summaryParts(reader, draft, talk, place.directory);
  const isEditAlone = due.every(({is}) => is === 'edit');
  if (isEditAlone && draft.summary !== undefined && due.every((one) => !isRefusedEdit(talk, one)))
    return {summary: presentParts(reader, summary)};
  if (!asks) return {message: presentParts(reader, {sentences: notes, buttons})};
  return {
    message: presentParts(reader, {...summary, sentences: [...notes, ...summary.sentences]}),
    shows: draft.id,
  };
}

function isRefusedEdit({effects}: Talk, due: TypedDue): boolean {
  const effect = due.is === 'edit' ? effects.get(due.ts) : undefined;
  return effect?.does === 'fault' || (effect?.does === 'answer' && effect.editFault !== undefined);
}

function labelFor(reader: Visit['reader'], draft: TypedDraft, effect: object | undefined): string {
  const key = effect !== undefined && 'key' in effect ? effect.key : undefined;
  const question = draft.questions.find((one) => one.key === key);
  return question === undefined ? '' : labelOf(reader, draft, question);
}

function nameOf({place, visit}: Listener, team: string): string {
  const found = place.directory.byReference(team);
  return found === undefined ? visit.reader.words.typing.aTeam : nameInText(found.name);
}

async function post(
  kit: Kit,
  listener: Listener,
  given: {
    readonly draft: TypedDraft;
    readonly talk: Talk;
    readonly due: TypedDue;
    readonly dropped: readonly string[];
  },
): Promise<Saying> {
  const {draft, talk, due, dropped} = given;
  const {visit, place, call} = listener;
  const {reader, user} = visit;
  const {typing} = reader.words;
  const reference = kit.drawReference();
  const settle = (message: TypedMessage): Saying =>
    due.is === 'pressed' && draft.summary !== undefined ? {summary: message} : {message};
  try {
    const standups = await postDraft(kit, {place, call}, {draft, talk}, reader);
    const done = {
      id: draft.id,
      standups: standups.map(({id, team_id: team}) => ({id, team})),
      asks: draft.asks,
      slots: slotsOf(draft),
    };
    await kit.services.typing.finish(call, user.id, done, {words: draft.words, place: due});
    kit.refreshHome(visit.origin, user);
    return settle(after(reader, dropped, presentPosted(listener, standups)));
  } catch (error) {
    const {code, sentence, uncertain} = explain(error, kit.log, reference, reader.words);
    if (code === 'idempotency_key_reused') {
      await kit.services.typing.end(call, user.id, draft.id, 'posted');
      const [names] = namedTeams(reader, draft, place.directory);
      return settle(
        presentParts(reader, {sentences: [typing.ended.posted(names)], quote: draftText(draft, talk)}),
      );
    }
    const sentences = [uncertain ? sentence : typing.notPosted(sentence)];
    const again = summaryParts(reader, draft, talk, place.directory);
    return {message: presentParts(reader, {...again, sentences}), shows: draft.id};
  }
}

/** A message below further sentences. */
function after(
  reader: Visit['reader'],
  sentences: readonly string[],
  {text, blocks}: TypedMessage,
): TypedMessage {
  if (sentences.length === 0) return {text, blocks};
  const first = presentParts(reader, {sentences});
  return {text: `${first.text}\n${text}`, blocks: [...first.blocks, ...blocks]};
}

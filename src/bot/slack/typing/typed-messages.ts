import type {Button, KnownBlock} from '@slack/types';
import {formatAnswers} from '../../../domain/questions/answers.js';
import type {Question} from '../../../domain/questions/question.js';
import type {Team, TeamDirectory} from '../../../domain/teams/team.js';
import type {TypedAnswerError} from '../../../domain/slack/typed-answer.js';
import {
  replayConversation,
  type Talk,
  type TypedDraft,
  listTypedAnswers,
} from '../../../domain/slack/typing.js';
import {cleanName, isolateDirection, isolateName} from '../../texts/bidi.js';
import {type FormattedText, createFormattedTextBlock} from '../blocks/blocks.js';
import {button, paragraph, actionsRow, textElement} from '../blocks/shapes.js';
import {formButton} from '../answers/buttons.js';
import {packDates, type FormRequest} from '../answers/form-request.js';
import {actions, slackLimits} from '../blocks/names.js';
import {listTeamLabels, listTeamChoices, formatText, describeAudience} from '../blocks/reach.js';
import {cutText} from '../../texts/cut-text.js';
import {composeUpdate, cutEscapedText, escapeText} from '../blocks/text.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';
import type {Call} from '../../../domain/core/access.js';
import type {SlackRequest} from '../core/context.js';
import type {SlackWorkspace} from '../core/slack-identities.js';

export interface TypedMessage {
  readonly text: string;
  readonly blocks: KnownBlock[];
}

/** The parts of one message in a conversation: sentences, then the person's own text, then buttons. */
export interface TypedContents {
  readonly sentences: readonly string[];
  readonly quote?: string | undefined;
  readonly reach?: FormattedText | undefined;
  readonly below?: readonly string[];
  readonly buttons?: readonly Button[];
}

export function presentTypedMessage(
  {texts: {cutNote}}: SlackTranslation,
  {sentences, reach, quote = '', below = [], buttons = []}: TypedContents,
): TypedMessage {
  const rows = Array.from({length: Math.ceil(buttons.length / buttonsInRow)}, (_, i) =>
    actionsRow(...buttons.slice(i * buttonsInRow, (i + 1) * buttonsInRow)),
  );
  const said = (texts: readonly string[]) => (texts.length === 0 ? [] : [presentSection(texts.join('\n'))]);
  const audience = reach === undefined ? [] : [paragraph(reach.elements)];
  const around = [...said(sentences), ...audience, ...said(below), ...rows];
  const quoted =
    quote === '' ? [] : [createFormattedTextBlock(quote, {quote: true, cutNote, beside: around})];
  const bare = (texts: readonly string[]) => texts.map((one) => one.replaceAll('`', ''));
  const behind = [...(quote === '' ? [] : [isolateDirection(quote)]), ...bare(below)];
  const texts = [escapeText(bare(sentences).join('\n')), reach?.text, escapeText(behind.join('\n'))];
  return {
    text: cutEscapedText(texts.filter(Boolean).join('\n'), slackLimits.messageText),
    blocks: [...said(sentences), ...audience, ...quoted, ...said(below), ...rows],
  };
}

const buttonsInRow = 5;

/** Presents our own sentences. Only code is formatted, so that a person's text within them stays plain. */
function presentSection(sentence: string): KnownBlock {
  const pieces = sentence
    .split('`')
    .map((piece, i) => textElement(piece, i % 2 === 1 ? {code: true} : undefined));
  return paragraph(pieces.filter(({text}) => text !== ''));
}

export function composeDraftText(draft: TypedDraft, talk: Talk = replayConversation(draft)): string {
  if (draft.asks === 'questions') return formatAnswers(listTypedAnswers(draft, talk));
  const said = (key: string) => String(talk.answers.get(key) ?? '');
  const yesterday = talk.answers.has('yesterday') ? said('yesterday') : (draft.given['yesterday'] ?? '');
  const isEmpty = talk.answers.size === 0;
  return isEmpty ? '' : composeUpdate({yesterday, today: said('today'), blockers: said('blockers')});
}

export function findQuestionLabel(
  {texts}: SlackTranslation,
  {asks}: TypedDraft,
  {key, label}: Pick<Question, 'key' | 'label'>,
): string {
  const known: Readonly<Record<string, string>> = texts.typing.questions;
  return (asks === 'parts' ? known[key] : undefined) ?? cleanName(label);
}

export function describeTeamsAndDay(
  {texts, day}: SlackTranslation,
  {teams}: TypedDraft,
  directory: TeamDirectory,
): [names: string, day: string] {
  const names = teams.map(({id}) => directory.byReference(id)?.name);
  const shown = names.map((name) => (name === undefined ? texts.typing.aTeam : isolateName(name)));
  return [shown.join(', '), day(teams[0]?.date ?? '')];
}

export function presentCurrentQuestion(
  translation: SlackTranslation,
  draft: TypedDraft,
  talk: Talk,
): TypedContents {
  const {asked} = talk;
  if (asked === undefined) return {sentences: []};
  const {typing} = translation.texts;
  const at = draft.questions.indexOf(asked) + 1;
  const before = talk.answers.get(asked.key);
  const given = draft.given[asked.key];
  const hints = [
    ...listHints(translation, asked),
    ...(given === undefined || draft.asks === 'parts'
      ? []
      : [typing.same({text: cutText(given, shownAnswer)})]),
    ...(before === undefined
      ? []
      : [
          typing.soFar({
            answer: cutText(
              formatAnswers([{...asked, label: '', value: before}]).replace(/^: ?\n?/, ''),
              shownAnswer,
            ),
          }),
        ]),
    ...(asked.required ? [] : [typing.optional]),
  ];
  return {
    sentences: [
      typing.question({label: findQuestionLabel(translation, draft, asked), at, all: draft.questions.length}),
      ...hints,
    ],
    buttons: createAnswerButtons(translation, draft, asked),
  };
}

const shownAnswer = 300;

function listHints({texts: {typing, form}}: SlackTranslation, question: Question): string[] {
  switch (question.type) {
    case 'text':
      return [];
    case 'choice': {
      const options = question.options.map((option, i) => `${i + 1} ${cleanName(option)}`).join(', ');
      return [question.multiple ? typing.chooseSome({options}) : typing.choose({options})];
    }
    case 'number': {
      const {min, max} = question;
      if (min !== null && max !== null) return [typing.numberBetween({min, max})];
      if (min !== null) return [typing.numberFrom({min})];
      return [max === null ? typing.number : typing.numberTo({max})];
    }
    case 'yes_no':
      return [typing.yesNo];
    case 'mood':
      return [typing.mood({moods: form.moods.map((mood, i) => `${i + 1} ${mood}`).join(', ')})];
  }
}

function createAnswerButtons(
  {texts: {typing, form}}: SlackTranslation,
  draft: TypedDraft,
  question: Question,
): Button[] {
  const choice = (label: string, text: string, i: number) =>
    createQuickReplyButton(label, {draft: draft.id, word: text, slot: question.key}, String(i));
  const skip = question.required ? [] : [choice(typing.skip, 'skip', 99)];
  switch (question.type) {
    case 'choice':
      return question.multiple
        ? skip
        : [...question.options.map((option, i) => choice(cleanName(option), option, i)), ...skip];
    case 'yes_no':
      return [choice(form.yes, 'yes', 0), choice(form.no, 'no', 1), ...skip];
    case 'mood':
      return [...form.moods.map((mood, i) => choice(mood, String(i + 1), i)), ...skip];
    default:
      return skip;
  }
}

function createQuickReplyButton(
  label: string,
  value: {readonly draft: string; readonly word: string; readonly slot?: string},
  part: string,
  style?: 'primary',
): Button {
  return button(actions.quickReply, label, value, {part, ...(style && {style})});
}

export function presentDraftForReview(
  translation: SlackTranslation,
  draft: TypedDraft,
  talk: Talk,
  directory: TeamDirectory,
): TypedContents {
  const {typing} = translation.texts;
  const [teams, day] = describeTeamsAndDay(translation, draft, directory);
  return {
    sentences: [typing.summary({teams, day})],
    reach: describeAudience(
      translation,
      draft.teams.flatMap(({id}) => directory.byReference(id) ?? []),
    ),
    quote: composeDraftText(draft, talk),
    buttons: [
      createQuickReplyButton(typing.post, {draft: draft.id, word: 'post'}, 'post', 'primary'),
      createDraftFormButton(translation, draft, typing.edit),
      createQuickReplyButton(typing.discard, {draft: draft.id, word: 'discard'}, 'discard'),
    ],
  };
}

/** Returns the button that opens the form, prefilled with everything typed so far. */
export function createDraftFormButton(
  {texts}: SlackTranslation,
  {id, teams}: TypedDraft,
  label = texts.typing.openForm,
): Button {
  const request: FormRequest = {
    mode: 'new',
    team: teams[0]?.id,
    begins: {with: 'typed', id},
    dates: packDates(teams.map((team) => [team.id, team.date] as const)),
    replaces: true,
  };
  return formButton(label, request);
}

export function describeError({texts: {typing}}: SlackTranslation, error: TypedAnswerError): string {
  return error.kind === 'long'
    ? typing.errors.long({length: error.length, max: error.max})
    : typing.errors[error.kind];
}

/** Returns the message for a text that answers no question, with a button for each of these teams. */
export function presentOfferToPost(
  translation: SlackTranslation,
  {ts, text}: {readonly ts: string; readonly text: string},
  teams: readonly {readonly team: Team; readonly date: string; readonly hasPosted: boolean}[],
): TypedContents {
  const {typing} = translation.texts;
  const [first] = teams;
  if (first === undefined) return {sentences: [typing.noTeam], quote: text};
  const only = teams.length === 1;
  const name = isolateName(first.team.name);
  const labels = listTeamLabels(teams.map(({team}) => team));
  const posts = teams.slice(0, maxOffers).map(({team, date}, i) => {
    const label = only ? typing.post : typing.postFor({team: labels[i] ?? ''});
    return button(actions.offerPost, label, {ts, team: team.id, date}, {part: String(i)});
  });
  const again = teams
    .filter(({hasPosted}) => hasPosted)
    .map(({team}) => typing.offerMore({team: isolateName(team.name)}));
  const request: FormRequest = {
    mode: 'new',
    ...(only && {team: first.team.id}),
    begins: {with: 'typed', id: ts},
    dates: packDates(teams.map(({team, date}) => [team.id, date] as const)),
    replaces: true,
  };
  return {
    sentences: [
      only
        ? typing.offerFor({team: name, day: translation.day(first.date)})
        : typing.offer({day: translation.day(first.date)}),
      ...again,
    ],
    reach: only
      ? describeAudience(translation, [first.team])
      : formatText(translation, (placeholders) =>
          translation.texts.reach.channels({
            channels: listTeamChoices(
              translation,
              teams.map(({team}) => team),
              placeholders,
            ),
          }),
        ),
    quote: text,
    buttons: [...posts, formButton(typing.openForm, request), button(actions.offerNo, typing.no, {ts})],
  };
}

/** The maximum number of teams with buttons; with more teams, the form offers the choice. */
const maxOffers = 5;

export interface Conversation {
  readonly request: SlackRequest;
  readonly slackWorkspace: SlackWorkspace;
  readonly call: Call;
}

export interface NextMessage {
  readonly message?: TypedMessage | undefined;
  /** The new content of the earlier message that shows the draft. */
  readonly summary?: TypedMessage | undefined;
  /** The id of the draft whose whole text `message` shows. */
  readonly shows?: string | undefined;
}

import {findTextBesideAnswers, formatAnswers} from '../../../domain/questions/answers.js';
import {limits} from '../../../domain/core/limits.js';
import type {StandupAnswer} from '../../../domain/questions/question.js';
import type {Standup} from '../../../domain/standups/standup.js';
import type {Team} from '../../../domain/teams/team.js';
import {countCodePoints} from '../../../domain/core/text.js';
import {fields} from '../blocks/names.js';
import {cutText} from '../../texts/cut-text.js';
import {composeUpdate, type FormText} from '../blocks/text.js';
import {convertTextToMarkdown} from '../rich-text/to-markdown.js';
import {type CarriedAnswer, buildQuestionFieldName} from './question-inputs.js';

/** The notation of all texts in a form. Left out: Slack's own, which the standup keeps as plain text. */
interface ContentFormat {
  readonly format?: 'markdown' | undefined;
}

export type FormContent = ContentFormat &
  (
    | {readonly shape: 'parts'; readonly parts: FormText}
    | {readonly shape: 'whole'; readonly pieces: readonly string[]}
    | QuestionContent
  );

export interface QuestionContent extends ContentFormat {
  readonly shape: 'questions';
  readonly version: number;
  readonly answers: readonly CarriedAnswer[];
  /** The keys of the questions that the form shows, and the field of the first question. */
  readonly shown: readonly string[];
  readonly first: string;
  /** The way in which further text is posted: after the answers, or as an update without answers. */
  readonly beside: 'after' | 'apart';
  readonly pieces: readonly string[];
}

export function buildQuestionFormContent(
  {questions, questions_version: version}: Pick<Team, 'questions' | 'questions_version'>,
  answers: readonly StandupAnswer[],
  text: {readonly after: string} | {readonly apart: string} = {after: ''},
  format?: ContentFormat['format'],
): QuestionContent {
  const [first] = questions;
  const said = 'after' in text ? text.after : text.apart;
  return {
    ...(format !== undefined && {format}),
    shape: 'questions',
    version,
    answers: answers.map(({question: key, type, label, value}) => ({key, type, label, value})),
    shown: questions.map(({key}) => key),
    first: first === undefined ? fields.update : buildQuestionFieldName(first, version),
    beside: 'after' in text ? 'after' : 'apart',
    pieces: said === '' ? [] : [said],
  };
}

/** Returns the inputs to edit a standup: the questions, if the team has some and the standup answers. */
export function buildFormContentFromStandup(
  {update, answers, format: written}: Standup,
  team: Team | undefined,
): FormContent {
  const format = written === 'markdown' ? written : undefined;
  const asks = team !== undefined && team.questions.length > 0 && answers.length > 0;
  if (!asks) return buildFormContentFromUpdate(update, format);
  return buildQuestionFormContent(team, answers, findTextBesideAnswers(update, answers, format), format);
}

export const emptyParts: FormText = {yesterday: '', today: '', blockers: ''};

/** Returns the inputs to edit an update. `composeContent` makes exactly the same text of them. */
export function buildFormContentFromUpdate(update: string, format?: ContentFormat['format']): FormContent {
  const parts = parseUpdate(update);
  const kept = format === undefined ? {} : {format};
  return parts === undefined ? {...kept, shape: 'whole', pieces: [update]} : {...kept, shape: 'parts', parts};
}

export function composeContent(content: FormContent): string {
  return content.shape === 'parts' ? composeUpdate(content.parts) : content.pieces.join('');
}

/** Splits an update into its three parts; undefined if composing the parts would give another text. */
function parseUpdate(update: string): FormText | undefined {
  const found = /^(?:Yesterday\n([^]*?)\n\n)?Today\n([^]*?)(?:\n\nBlockers\n([^]*))?$/.exec(update);
  if (found === null) return undefined;
  const [, yesterday = '', today = '', blockers = ''] = found;
  const parts = {yesterday, today, blockers};
  return today.trim() !== '' && composeUpdate(parts) === update ? parts : undefined;
}

/** The minimum length of an added text that had to be shortened. A shorter rest is not worth adding. */
const worthAdding = 20;

/** Writes a text of Slack's own notation in the notation of a form. */
export function writeTyped(text: string, {format}: FormContent): string {
  return format === 'markdown' ? convertTextToMarkdown(text) : text;
}

/** Adds a text under Today, or at the end of a text without parts. `cut`: not all of it fits. */
export function appendText(content: FormContent, text: string): {content: FormContent; cut: boolean} {
  const {format} = content;
  const before =
    content.shape === 'questions'
      ? [formatAnswers(content.answers, format), composeContent(content)].join('\n\n')
      : composeContent(content);
  // The heading and the line breaks take room too.
  const room = limits.update - countCodePoints(before) - 'Today\n\n'.length;
  if (room < Math.min(worthAdding, text.length)) return {content, cut: true};
  const added = cutText(text, room);
  const join = (first: string) => (first === '' ? added : `${first}\n${added}`);
  if (content.shape === 'questions') {
    const grown = join(content.pieces.join(''));
    return {content: {...content, pieces: [grown]}, cut: added !== text};
  }
  const whole =
    content.shape === 'parts'
      ? composeUpdate({...content.parts, today: join(content.parts.today)})
      : join(before);
  return {content: buildFormContentFromUpdate(whole, format), cut: added !== text};
}

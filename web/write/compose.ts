// Converts form fields to the API's update and answers, and back. Slack's form composes the same text from
// the same input, so each form can also read a standup that was written in the other.
import type {Question, Schema} from '../api/schema.ts';
import {escapeMarkdown} from '../parts/escape-markdown.ts';

export type QuestionAnswer = Schema<'Answer'>;
export type Value = QuestionAnswer['value'];
/** The input typed or chosen, by field id. */
export type Values = Readonly<Record<string, Value>>;

/** The notation of the texts of a standup. */
export type Format = 'plain' | 'markdown';

/** The notation of a standup: one of the API without a format is plain. */
export function readFormat(format: string | undefined): Format {
  return format === 'markdown' ? format : 'plain';
}

/** Writes a text of one notation in another. A plain form shows the marks of Markdown. */
export function convertText(text: string, from: string | undefined, to: Format): string {
  return to === 'markdown' && from !== 'markdown' ? escapeMarkdown(text) : text;
}

export function convertAnswer(answer: QuestionAnswer, from: string | undefined, to: Format): QuestionAnswer {
  const {type, value} = answer;
  return type === 'text' ? {...answer, value: convertText(String(value), from, to)} : answer;
}

/** Maximum lengths that the API accepts, in code points. */
export const limits = {update: 4_000, answer: 2_000, blocker: 1_000};

export interface Field {
  /** Id of the field: the key of its value, and the id of its element on the page. */
  readonly id: string;
  readonly kind: 'question' | 'part' | 'beside';
  readonly type: string;
  readonly label: string;
  readonly isRequired: boolean;
  readonly max: number;
  readonly question?: Question;
}

const parts = ['yesterday', 'today', 'blockers'] as const;
const headings = {yesterday: 'Yesterday', today: 'Today', blockers: 'Blockers'} as const;
/** Id of the field for additional text, the same in all forms. A question cannot have this key. */
export const besideId = '+beside';

/** Returns a field for each question key; without questions, the fields of the standard form. */
export function buildFormFields(
  questions: readonly Question[],
  labels: Readonly<Record<'yesterday' | 'today' | 'blockers' | 'beside', string>>,
  withBeside: boolean,
): readonly Field[] {
  if (questions.length === 0) {
    return parts.map((id) => ({
      id,
      kind: 'part',
      type: 'text',
      label: labels[id],
      isRequired: id === 'today',
      max: limits.update,
    }));
  }
  const asked = questions.map(
    (question): Field => ({
      id: question.key,
      kind: 'question',
      type: question.type,
      label: question.label,
      isRequired: question.required,
      max: limits.answer,
      question,
    }),
  );
  return withBeside ? [...asked, buildAdditionalTextField(labels.beside)] : asked;
}

export function buildAdditionalTextField(label: string, isRequired = false): Field {
  return {id: besideId, kind: 'beside', type: 'text', label, isRequired, max: limits.update};
}

/** Joins the questions of several teams, one for each key. */
export function mergeTeamQuestions(
  teams: readonly {readonly questions: readonly Question[]}[],
): readonly Question[] {
  const joined = new Map<string, Question>();
  for (const question of teams.flatMap(({questions}) => questions)) {
    const known = joined.get(question.key);
    const isRequired = question.required || known?.required === true;
    joined.set(question.key, {...(known ?? question), required: isRequired});
  }
  return [...joined.values()];
}

/** Returns the key of the question whose answer in the last standup prefills this question. */
export function findPrefillSourceKey({key, type, fill_from: from}: Question): string | undefined {
  if (type !== 'text') return undefined;
  return (from === undefined && key === 'yesterday' ? 'today' : from) ?? undefined;
}

/** Whether one form fits both teams: questions with the same key have the same type and range. */
export function canShareForm(some: readonly Question[], others: readonly Question[]): boolean {
  const shape = ({type, options, multiple, min, max}: Question): string =>
    JSON.stringify([type, options, multiple, min, max]);
  return some.every((one) => others.every((other) => other.key !== one.key || shape(other) === shape(one)));
}

/** True if some fields are for texts, which may have formatting. */
export function hasTexts(fields: readonly Field[]): boolean {
  return fields.some(({type}) => type === 'text');
}

export function isBlank(value: Value | undefined): boolean {
  if (value === undefined) return true;
  return typeof value === 'string' ? value.trim() === '' : Array.isArray(value) && value.length === 0;
}

export function countCharacters(text: string): number {
  return Array.from(text).length;
}

/** Collects the answers that the person has entered, in the order of the fields. */
export function collectAnswers(fields: readonly Field[], values: Values): QuestionAnswer[] {
  return fields.flatMap(({id, question}) => {
    const value = values[id];
    if (question === undefined || value === undefined || isBlank(value)) return [];
    const {key, type, label} = question;
    return [{question: key, type, label, value: type === 'number' ? parseNumber(value) : value}];
  });
}

/** Parses a number, also with a decimal comma. */
function parseNumber(value: Value): number {
  return Number(String(value).trim().replace(',', '.'));
}

/** Finds the texts that were typed for questions of teams that are no longer chosen. */
export function findAnswersToRemovedQuestions(
  fields: readonly Field[],
  values: Values,
  known: readonly Question[],
): readonly QuestionAnswer[] {
  const labels = new Map<string, string>(Object.entries(headings));
  for (const {key, label, type} of known) if (type === 'text') labels.set(key, label);
  return Object.entries(values).flatMap(([id, value]) => {
    const label = labels.get(id);
    const isAsked = id === besideId || fields.some((field) => field.id === id);
    if (isAsked || label === undefined || typeof value !== 'string' || isBlank(value)) return [];
    return [{question: id, type: 'text', label, value}];
  });
}

export function composePartsText(values: Values): string {
  return parts
    .flatMap((part) => {
      const text = String(values[part] ?? '').trim();
      return text === '' ? [] : [`${headings[part]}\n${text}`];
    })
    .join('\n\n');
}

/** Parses an update that the form has composed into its parts; undefined for any other text. */
export function parsePartsText(update: string): Values | undefined {
  const found = /^(?:Yesterday\n([^]*?)\n\n)?Today\n([^]*?)(?:\n\nBlockers\n([^]*))?$/.exec(update);
  if (found === null) return undefined;
  const [, yesterday = '', today = '', blockers = ''] = found;
  const values = {yesterday, today, blockers};
  return today.trim() !== '' && composePartsText(values) === update ? values : undefined;
}

/** Extracts the plan from an update; the plan prefills *Yesterday* of the next standup. */
export function extractPlan(update: string): string {
  return /(?:^|\n\n)Today\n([^]*?)(?:\n\nBlockers\n[^]*)?$/.exec(update)?.[1] ?? update;
}

const moodNames = ['very bad', 'bad', 'all right', 'good', 'very good'];

function formatAnswerValue({type, value}: QuestionAnswer): string {
  if (type === 'mood') return `${moodNames[Number(value) - 1] ?? ''} (${String(value)} of 5)`;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return Array.isArray(value) ? value.join(', ') : String(value).trim();
}

/** Composes the text of answers. In Markdown, only answers to questions of type `text` have marks. */
export function composeAnswersText(answers: readonly QuestionAnswer[], format?: string): string {
  const show = (text: string) => (format === 'markdown' ? escapeMarkdown(text) : text);
  const texts = answers.map((answer) => {
    const text = formatAnswerValue(answer);
    return {label: show(answer.label.trim()), text: answer.type === 'text' ? text : show(text)};
  });
  const isRoomy = texts.some(({text}) => text.includes('\n'));
  return texts
    .map(({label, text}) => {
      const heading = /[?!:.…]$/u.test(label) ? label : `${label}:`;
      return `${heading}${text.includes('\n') ? '\n' : ' '}${text}`;
    })
    .join(isRoomy ? '\n\n' : '\n');
}

/** The text of an update beyond its answers: the rest after their text, or the whole update. */
export function findTextWithoutAnswers(
  update: string,
  answers: readonly QuestionAnswer[],
  format?: string,
): {readonly text: string; readonly isApart: boolean} {
  const composed = composeAnswersText(answers, format);
  if (answers.length === 0) return {text: update, isApart: true};
  if (update === composed) return {text: '', isApart: false};
  return update.startsWith(`${composed}\n\n`)
    ? {text: update.slice(composed.length + 2), isApart: false}
    : {text: update, isApart: true};
}

export interface ComposedStandup {
  readonly update: string;
  readonly format: Format;
  readonly answers: readonly QuestionAnswer[];
  /** Text to send as `update`; undefined if the service composes the update from the answers. */
  readonly given: string | undefined;
  /** Text of the blockers, when no question asks for blockers. */
  readonly blockers: string | undefined;
}

/** Composes a standup. `isForAll`: some teams have no questions, so they get the answers as text. */
export function composeStandup(
  fields: readonly Field[],
  values: Values,
  {
    format,
    isForAll = false,
    isApart = false,
  }: {readonly format: Format; readonly isForAll?: boolean; readonly isApart?: boolean},
): ComposedStandup {
  if (fields.some(({kind}) => kind === 'part')) {
    const blockers = String(values['blockers'] ?? '').trim();
    const update = composePartsText(values);
    return {update, format, answers: [], given: update, blockers: blockers === '' ? undefined : blockers};
  }
  const answers = collectAnswers(fields, values);
  const beside = String(values[besideId] ?? '').trim();
  const composed = composeAnswersText(answers, format);
  const update = isApart ? beside || composed : [composed, beside].filter((text) => text !== '').join('\n\n');
  const isOwn = beside !== '' || isForAll;
  return {update, format, answers, given: isOwn ? update : undefined, blockers: undefined};
}

/** Validation errors of a field found before the request is sent. */
export type FieldError =
  | {readonly is: 'missing'}
  | {readonly is: 'long'}
  /** All texts together exceed the maximum length by `over`. */
  | {readonly is: 'long-in-all'; readonly over: number}
  | {readonly is: 'number'}
  | {readonly is: 'range'; readonly min: number | null; readonly max: number | null};

export function findFieldErrors(
  fields: readonly Field[],
  values: Values,
  update: string,
): ReadonlyMap<string, FieldError> {
  const fieldErrors = new Map<string, FieldError>();
  for (const field of fields) {
    const fieldError = findFieldError(field, values[field.id]);
    if (fieldError !== undefined) fieldErrors.set(field.id, fieldError);
  }
  const isEmpty = fields.every(({id}) => isBlank(values[id]));
  const [first] = fields;
  if (isEmpty && fieldErrors.size === 0 && first !== undefined) fieldErrors.set(first.id, {is: 'missing'});
  const over = countCharacters(update) - limits.update;
  if (fieldErrors.size === 0 && over > 0)
    fieldErrors.set(findLongestField(fields, values) ?? '', {is: 'long-in-all', over});
  return fieldErrors;
}

function findFieldError(
  {isRequired, max, question}: Field,
  value: Value | undefined,
): FieldError | undefined {
  if (value === undefined || isBlank(value)) return isRequired ? {is: 'missing'} : undefined;
  if (question?.type === 'number') {
    const number = parseNumber(value);
    // A larger integer would lose precision, so the field reports an error.
    if (!Number.isFinite(number) || (Number.isInteger(number) && !Number.isSafeInteger(number))) {
      return {is: 'number'};
    }
    const {min = null, max: most = null} = question;
    const fits = (min === null || number >= min) && (most === null || number <= most);
    return fits ? undefined : {is: 'range', min, max: most};
  }
  const over = typeof value === 'string' ? countCharacters(value) - max : 0;
  return over > 0 ? {is: 'long'} : undefined;
}

function findLongestField(fields: readonly Field[], values: Values): string | undefined {
  const length = ({id}: Field): number => String(values[id] ?? '').length;
  return fields.filter(({type}) => type === 'text').toSorted((a, b) => length(b) - length(a))[0]?.id;
}

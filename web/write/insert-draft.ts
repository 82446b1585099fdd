// Puts a draft that programs have prepared into the form. The text that is there already stays.
import type {Schema} from '../api/schema.ts';
import {
  besideId,
  composeAnswersText,
  convertAnswer,
  convertText,
  countCharacters,
  type Field,
  type Format,
  findPrefillSourceKey,
  isBlank,
  limits,
  type QuestionAnswer,
  type Value,
  type Values,
} from './compose.ts';

export type DraftPart = Schema<'DraftPart'>;

/** Returns the values of the fields that a draft changes. */
export type InsertDraft = (fields: readonly Field[], values: Values, format: Format) => Values;

/** The text of a part, with those of its links that the text does not have. */
export function composePartText({update, links}: Pick<DraftPart, 'update' | 'links'>): string {
  const text = update?.trim() ?? '';
  const more = links.filter(({url}) => !text.includes(url)).map(({title, url}) => `${title.trim()} ${url}`);
  return [text, ...more].filter((line) => line !== '').join('\n');
}

/** Returns the values of the fields that the parts change. Answers to other questions become text. */
export function insertDraftParts(
  parts: readonly DraftPart[],
  fields: readonly Field[],
  values: Values,
  format: Format,
): Values {
  const inserted: Record<string, Value> = {};
  const others: QuestionAnswer[] = [];
  for (const given of parts.flatMap(({answers}) => answers)) {
    const answer = convertAnswer(given, 'plain', format);
    const field = fields.find(({kind, id}) => kind === 'question' && id === answer.question);
    const before = inserted[answer.question] ?? values[answer.question];
    const value = field && fitAnswer(field, answer, before);
    if (value === undefined) others.push(answer);
    else inserted[answer.question] = value;
  }
  const written = parts.map((part) => convertText(composePartText(part), 'plain', format));
  const texts = [...written, composeAnswersText(others, format)].filter((text) => text !== '');
  if (texts.length === 0) return inserted;
  const text = texts.join('\n\n');
  const id = chooseTextField(fields, (one) => joinTexts(inserted[one] ?? values[one], text));
  return {...inserted, [id]: joinTexts(inserted[id] ?? values[id], text)};
}

/** Returns the value of a field with this answer; undefined if the answer does not fit, or the field is filled. */
function fitAnswer({question}: Field, {type, value}: QuestionAnswer, before: Value | undefined) {
  if (question?.type !== type) return undefined;
  if (type === 'text') return joinTexts(before, String(value));
  const {options = []} = question;
  const fits = !Array.isArray(value) || value.every((option) => options.includes(option));
  return fits && isBlank(before) ? value : undefined;
}

function joinTexts(before: Value | undefined, text: string): string {
  return isBlank(before) ? text : `${String(before).trimEnd()}\n\n${text}`;
}

/** Chooses the field for what was done, or the one for further text if that has too little room. */
function chooseTextField(fields: readonly Field[], join: (id: string) => string): string {
  const done = fields.find(
    ({kind, id, question}) =>
      (kind === 'part' && id === 'yesterday') || (question && findPrefillSourceKey(question) !== undefined),
  );
  if (done === undefined) return besideId;
  const hasRoom = done.kind === 'part' || countCharacters(join(done.id)) <= limits.answer;
  return hasRoom ? done.id : besideId;
}

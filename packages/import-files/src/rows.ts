// packages/import-files/: how files of other products become rows of an import. Pure functions: the command
// `standup import` and the dashboard use the same. Not here: requests, files, and words for people.

/** A standup of another product, as `POST /v1/imports/{import}/rows` takes it. */
export interface ImportRow {
  readonly external_id: string;
  readonly team: string;
  readonly date?: string;
  readonly posted_at?: string;
  readonly timezone?: string;
  readonly author: {readonly name: string; readonly email?: string; readonly external_id?: string};
  readonly update?: string;
  readonly answers?: ImportAnswer[];
}

export interface ImportAnswer {
  readonly question: string;
  readonly label: string;
  readonly type: 'text';
  readonly value: string;
}

/** Limits of the API (docs/openapi.json): lengths in code points, the body in bytes. */
export const rowLimits = {
  rows: 100,
  bodyBytes: 64 * 1024,
  people: 500,
  text: 4_000,
  answer: 2_000,
  answers: 10,
  question: 150,
  name: 80,
  person: 254,
  team: 80,
  externalId: 200,
} as const;

const ellipsis = ' …';
/** The characters that the service may put around a question and an answer when it joins them. */
const aroundAnswer = 4;

/** Removes what the API refuses in a text: control characters, and halves of surrogate pairs. */
export function cleanText(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{Cc}\n\t]/gu, '')
    .toWellFormed()
    .trim();
}

/** True for a text without a visible character, which the API refuses. */
export function isBlank(text: string): boolean {
  return !/[^\s\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]/u.test(text);
}

/** Shortens a text to a number of code points, with an ellipsis at its end. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const points = Array.from(text);
  return points.length <= max ? text : points.slice(0, max - ellipsis.length).join('') + ellipsis;
}

/** Makes answers that the API takes. Those that together are too long lose their ends, the longest first. */
export function fitAnswers(
  asked: readonly {readonly label: string; readonly text: string}[],
): ImportAnswer[] {
  const answers = asked
    .map(({label, text}) => ({label: cutText(cleanText(label), rowLimits.question), text: cleanText(text)}))
    .filter(({text}) => !isBlank(text))
    .slice(0, rowLimits.answers)
    .map(({label, text}) => ({label: isBlank(label) ? '?' : label, text: cutText(text, rowLimits.answer)}));
  const room = rowLimits.text - answers.reduce((sum, {label}) => sum + label.length + aroundAnswer, 0);
  const longest = findLongest(
    answers.map(({text}) => text.length),
    room,
  );
  return answers.map(({label, text}, index) => ({
    question: `question_${index + 1}`,
    label,
    type: 'text',
    value: cutText(text, longest),
  }));
}

/** Returns the greatest length to which all texts can be cut so that they fit into the room together. */
function findLongest(lengths: readonly number[], room: number): number {
  let left = room;
  for (const [index, length] of lengths.toSorted((a, b) => a - b).entries()) {
    const share = Math.floor(left / (lengths.length - index));
    if (length > share) return share;
    left -= length;
  }
  return room;
}

/** True if a text, or one of the answers, was cut by `cutText`. */
export function isCut({update, answers = []}: Pick<ImportRow, 'update' | 'answers'>): boolean {
  return [update, ...answers.map(({value}) => value)].some((text) => text?.endsWith(ellipsis) === true);
}

/** Splits rows into the bodies of requests: each has at most 100 rows, and 64 KiB. */
export function* splitIntoRequests<T extends object>(rows: readonly T[]): Generator<T[]> {
  const encoder = new TextEncoder();
  const empty = encoder.encode(JSON.stringify({rows: []})).length;
  let request: T[] = [];
  let bytes = empty;
  for (const row of rows) {
    const size = encoder.encode(JSON.stringify(row)).length + 1;
    if (request.length > 0 && (request.length === rowLimits.rows || bytes + size > rowLimits.bodyBytes)) {
      yield request;
      request = [];
      bytes = empty;
    }
    request.push(row);
    bytes += size;
  }
  if (request.length > 0) yield request;
}

/** An id that is too long is replaced by one that stands for it. */
export function shortenId(id: string, max: number = rowLimits.externalId): string {
  return Array.from(id).length <= max ? id : computeFingerprint(id);
}

/**
 * Computes 106 bits that stand for a text. It is the same in every version, since rows are recognised by it.
 * No secret rests on it: the mixing is that of MurmurHash.
 */
export function computeFingerprint(text: string): string {
  return [0x9e3779b9, 0x85ebca6b].map((seed) => hash53(text, seed).toString(36).padStart(11, '0')).join('');
}

function hash53(text: string, seed: number): number {
  let high = 0xdeadbeef ^ seed;
  let low = 0x41c6ce57 ^ seed;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 2_654_435_761);
    low = Math.imul(low ^ unit, 1_597_334_677);
  }
  const mixedHigh = mix(high) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  const mixedLow = mix(low) ^ Math.imul(mixedHigh ^ (mixedHigh >>> 13), 3_266_489_909);
  return 4_294_967_296 * (2_097_151 & mixedLow) + (mixedHigh >>> 0);
}

function mix(value: number): number {
  return Math.imul(value ^ (value >>> 16), 2_246_822_507);
}

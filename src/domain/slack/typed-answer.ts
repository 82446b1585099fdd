import {type AnswerValue, moodNames, findValueError} from '../questions/answers.js';
import {limits} from '../core/limits.js';
import {moods, type Question} from '../questions/question.js';
import {countCodePoints, findTextError} from '../core/text.js';

/** The reason why a typed text is no answer to a question. */
export type TypedAnswerError =
  | {readonly kind: 'long'; readonly length: number; readonly max: number}
  | {readonly kind: 'total' | 'characters' | 'choice' | 'number' | 'yes_no' | 'mood' | 'no-same'};

export type TypedAnswer = {readonly value: AnswerValue} | {readonly error: TypedAnswerError};

/** Parses a typed text as an answer to a question. `max`: the longest text in code points. */
export function parseTypedAnswer(
  question: Question,
  typed: string,
  max: number = limits.answer,
): TypedAnswer {
  const text = typed.trim();
  const value = parseAnswerValue(question, text);
  if (question.type === 'text') {
    const length = countCodePoints(text);
    if (length > max) return {error: {kind: 'long', length, max}};
    return findTextError(text, max) === undefined ? {value: text} : {error: {kind: 'characters'}};
  }
  if (value === undefined || findValueError(question, value) !== undefined)
    return {error: {kind: question.type}};
  return {value};
}

function parseAnswerValue(question: Question, text: string): AnswerValue | undefined {
  switch (question.type) {
    case 'text':
      return text;
    case 'number':
      return readNumber(text);
    case 'yes_no':
      return yes.has(simplifyText(text)) ? true : no.has(simplifyText(text)) ? false : undefined;
    case 'mood': {
      const answer = simplifyText(text);
      const named = moodNames.findIndex((name) => name === answer || moodSynonyms[name].includes(answer));
      return moods[named] ?? moods.find((mood) => String(mood) === answer);
    }
    case 'choice':
      return parseTypedChoice(question, text);
  }
}

/** The words for each mood in the languages of the bot. */
const moodSynonyms: Readonly<Record<(typeof moodNames)[number], readonly string[]>> = {
  'very bad': ['terrible', 'awful', 'horrible', 'miserable', 'sehr schlecht'],
  bad: ['not good', 'not great', 'not so good', 'poor', 'tired', 'sad', 'schlecht'],
  'all right': ['ok', 'okay', 'so so', 'fine', 'alright', 'meh', 'not bad', 'neutral', 'geht so'],
  good: ['well', 'happy', 'pretty good', 'quite good', 'gut'],
  'very good': [
    'great',
    'excellent',
    'fantastic',
    'awesome',
    'amazing',
    'super',
    'perfect',
    'wonderful',
    'sehr gut',
  ],
};

const yes: ReadonlySet<string> = new Set([
  'yes',
  'y',
  'yes please',
  'yep',
  'yeah',
  'yup',
  'sure',
  'true',
  '1',
  'ja',
  'j',
]);
const no: ReadonlySet<string> = new Set(['no', 'n', 'nope', 'nah', 'not', 'false', '0', 'nein']);
const thumbs: Readonly<Record<string, string>> = {
  '+1': 'yes',
  thumbsup: 'yes',
  white_check_mark: 'yes',
  '-1': 'no',
  thumbsdown: 'no',
  x: 'no',
};

/** Reduces a text to letters, digits and single spaces, to compare different spellings. */
function simplifyText(text: string): string {
  const emoji = /^:([a-z0-9_+-]+):$/.exec(text)?.[1];
  const known = emoji === undefined ? undefined : thumbs[emoji];
  if (known !== undefined) return known;
  if (text.startsWith('👍')) return 'yes';
  if (text.startsWith('👎')) return 'no';
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim();
}

/** Reads a number such as `3`, `3.5`, `3,5`, `1,200` or `3 h`. */
function readNumber(text: string): number | undefined {
  const [, digits] = /^([+-]?\d[\d.,\s]*)(?:%|\p{L}+\.?)?$/u.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const close = digits.replaceAll(/\s/g, '');
  const whole = /^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(close)
    ? close.replaceAll(',', '')
    : close.replace(',', '.');
  return /^[+-]?\d+(?:\.\d+)?\.?$/.test(whole) ? Number(whole) : undefined;
}

type Choice = Extract<Question, {type: 'choice'}>;

/** Finds options by their text, its beginning, or their number; several are separated by commas or lines. */
function parseTypedChoice({options, multiple}: Choice, text: string): AnswerValue | undefined {
  const whole = findOption(options, text);
  if (whole !== undefined) return [whole];
  if (!multiple) return undefined;
  // White space is reduced to single spaces, because the pattern below would be slow for many.
  const spaced = text.replaceAll(/\s+/g, (space) => (space.includes('\n') ? '\n' : ' '));
  const parts = spaced.split(/^[\d\s,;+&]+$/.test(spaced) ? /[\s,;+&]+/ : /\s(?:and|und|&)\s|[,;\n]+/i);
  const found = new Set<string>();
  for (const part of parts) {
    if (part.trim() === '') continue;
    const option = findOption(options, part);
    if (option === undefined) return undefined;
    found.add(option);
  }
  return found.size === 0 ? undefined : [...found];
}

function findOption(options: readonly string[], typed: string): string | undefined {
  const wanted = simplifyText(typed);
  const exact = options.find((option) => option.trim() === typed.trim());
  if (exact !== undefined) return exact;
  if (wanted === '') return undefined;
  const same = options.filter((option) => simplifyText(option) === wanted);
  if (same.length > 0) return same.length === 1 ? same[0] : undefined;
  if (/^\d+$/.test(wanted)) return options[Number(wanted) - 1];
  const begun = options.filter((option) => simplifyText(option).startsWith(wanted));
  return begun.length === 1 ? begun[0] : undefined;
}

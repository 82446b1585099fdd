import {closeFence, escapeMarkdown, hasOpenMark} from '../core/escape-markdown.js';
import {limits} from '../core/limits.js';
import type {TextFormat} from '../core/markdown.js';
import type {Infer} from '../core/schemas.js';
import {moods, type newAnswersSchema, type Question, type StandupAnswer} from './question.js';
import {losesPrecision, lostNumberMessage} from '../core/numbers.js';
import {countCodePoints, suggestNearMatches, findTextError} from '../core/text.js';

export type AnswerValue = StandupAnswer['value'];

export type AnswerInput = Infer<typeof newAnswersSchema>[number];

export interface AnswerError {
  /** The key of the question. */
  readonly question: string;
  /** The position of the error in the list of answers, such as `/2/value`; empty for a missing answer. */
  readonly at: string;
  /** The end of a sentence that begins with the name of the invalid part. */
  readonly reason: string;
  readonly hint?: string;
}

export type AnswerCheck =
  | {readonly answers: readonly StandupAnswer[]}
  | {readonly errors: readonly [AnswerError, ...AnswerError[]]};

export interface CheckOptions {
  /** Answers that the standup already has. Unchanged, they stay valid even if the questions have changed. */
  readonly kept?: readonly StandupAnswer[] | undefined;
  /**
   * The keys of other teams' questions, if the same answers are given to several teams. Answers to these
   * questions are ignored here.
   */
  readonly elsewhere?: ReadonlySet<string> | undefined;
  /** True if required questions may stay without an answer. */
  readonly partial?: boolean | undefined;
}

/**
 * Checks answers against a team's questions. An empty list is always valid. Otherwise each answer must fit
 * its question, and required ones must be present. The result has the current labels, in the order of the
 * questions.
 */
export function checkAnswers(
  given: readonly AnswerInput[],
  questions: readonly Question[],
  {kept = [], elsewhere, partial = false}: CheckOptions = {},
): AnswerCheck {
  if (given.length === 0) return {answers: []};
  const errors: AnswerError[] = [];
  const accepted = new Map<string, StandupAnswer>();
  const seen = new Set<string>();
  for (const [index, {question: key, value}] of given.entries()) {
    if (seen.has(key)) {
      errors.push({question: key, at: `/${index}/question`, reason: 'is answered twice'});
      continue;
    }
    seen.add(key);
    const question = questions.find((one) => one.key === key);
    const before = kept.find((one) => one.question === key && hasSameValue(one, value));
    if (question === undefined && before !== undefined) accepted.set(key, before);
    else if (question === undefined) {
      if (elsewhere?.has(key) === true) continue;
      const asked = [...new Set([...listQuestionKeys(questions), ...(elsewhere ?? [])])];
      errors.push({question: key, at: `/${index}/question`, ...createUnknownKeyError(key, asked)});
    } else {
      const reason = findValueError(question, value);
      if (reason === undefined) accepted.set(key, createStandupAnswer(question, value));
      else if (before !== undefined) accepted.set(key, before);
      else errors.push({question: key, at: `/${index}/value`, ...createAnswerError(question, value, reason)});
    }
  }
  if (!partial) {
    const missing = questions.filter(({key, required}) => required && !seen.has(key));
    errors.push(...missing.map(({key}) => ({question: key, at: '', reason: 'is required'})));
  }
  const [first, ...more] = errors;
  if (first !== undefined) return {errors: [first, ...more]};
  return {answers: sortAnswers(accepted, questions)};
}

export function listQuestionKeys(questions: readonly Question[]): string[] {
  return questions.map(({key}) => key);
}

function sortAnswers(
  accepted: ReadonlyMap<string, StandupAnswer>,
  questions: readonly Question[],
): StandupAnswer[] {
  const asked = new Set(listQuestionKeys(questions));
  const current = questions.flatMap(({key}) => accepted.get(key) ?? []);
  return [...current, ...[...accepted.values()].filter(({question}) => !asked.has(question))];
}

function hasSameValue({type, value}: StandupAnswer, given: AnswerValue): boolean {
  return JSON.stringify(value) === JSON.stringify(convertToStoredValue(type, given));
}

/** An error's reason, and how to mend it. */
type Advice = Pick<AnswerError, 'reason' | 'hint'>;

function createUnknownKeyError(key: string, asked: readonly string[]): Advice {
  if (asked.length === 0) {
    return {
      reason: 'answers nothing: no questions are asked',
      hint: ' Leave `answers` out and send `update`.',
    };
  }
  return {
    reason: 'names no question that is asked',
    hint: suggestNearMatches(key, asked, ` Asked are: ${asked.map((one) => `"${one}"`).join(', ')}.`),
  };
}

/** Creates an error. It quotes a short value, and suggests the option that was probably meant. */
function createAnswerError(question: Question, value: AnswerValue, reason: string): Advice {
  const isShown = typeof value !== 'object' && String(value).trim() !== '' && String(value).length <= 60;
  const typed = typeof value === 'string' && question.type === 'choice';
  return {
    reason: isShown ? `${reason}; it is ${JSON.stringify(value)}` : reason,
    hint: typed ? suggestNearMatches(value, question.options) : '',
  };
}

/** Returns the error in a value as an answer to this question; undefined when it is valid. */
export function findValueError(question: Question, value: AnswerValue): string | undefined {
  switch (question.type) {
    case 'text':
      return typeof value === 'string' ? findTextError(value, limits.answer) : 'must be a text';
    case 'choice':
      return findChoiceError(question, value);
    case 'number':
      return findNumberError(question, value);
    case 'yes_no':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'mood':
      return moods.some((mood) => mood === value) ? undefined : 'must be a whole number from 1 to 5';
  }
}

function findChoiceError(
  {options, multiple}: Extract<Question, {type: 'choice'}>,
  value: AnswerValue,
): string | undefined {
  const offered = options.map((option) => `"${option}"`).join(', ');
  const chosen = typeof value === 'string' ? [value] : value;
  if (typeof chosen === 'number' || typeof chosen === 'boolean') return `must be one of ${offered}`;
  if (chosen.some((one) => !options.includes(one)))
    return `must be ${multiple ? 'some' : 'one'} of ${offered}`;
  if (chosen.length === 0) return 'must name an option; leave the answer out for none';
  if (new Set(chosen).size < chosen.length) return 'must not name the same option twice';
  return multiple || chosen.length === 1 ? undefined : 'must name one option only';
}

function findNumberError(
  {min, max}: Extract<Question, {type: 'number'}>,
  value: AnswerValue,
): string | undefined {
  if (typeof value === 'string' && losesPrecision(value)) return lostNumberMessage;
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number';
  if (min !== null && value < min) return `must be ${min} or more`;
  if (max !== null && value > max) return `must be ${max} or less`;
  return undefined;
}

function createStandupAnswer({key, label, type}: Question, value: AnswerValue): StandupAnswer {
  return {question: key, type, label, value: convertToStoredValue(type, value)};
}

function convertToStoredValue(type: Question['type'], value: AnswerValue): AnswerValue {
  return type === 'choice' && typeof value === 'string' ? [value] : value;
}

export const moodNames = ['very bad', 'bad', 'all right', 'good', 'very good'] as const;

type WrittenAnswer = Pick<StandupAnswer, 'type' | 'label' | 'value'>;

/**
 * Formats answers as text, one line for each. An answer with several lines starts below its label; in that
 * case, empty lines separate all answers. In Markdown, only answers to questions of type `text` have marks, and
 * none of these reaches into another answer.
 */
export function formatAnswers(answers: readonly WrittenAnswer[], format: TextFormat = 'plain'): string {
  const isPlain = format === 'plain';
  const show = (text: string) => (isPlain ? text : escapeMarkdown(text));
  const texts = answers.map((answer) => {
    const text = formatAnswerValue(answer);
    const label = show(answer.label.trim());
    if (isPlain || answer.type !== 'text') return {label, text: show(text), isOpen: false};
    return {label, text: closeFence(text), isOpen: hasOpenMark(text)};
  });
  const roomy = texts.some(({text, isOpen}) => isOpen || text.includes('\n'));
  return texts
    .map(({label, text}) => {
      const heading = /[?!:.…]$/u.test(label) ? label : `${label}:`;
      return `${heading}${text.includes('\n') ? '\n' : ' '}${text}`;
    })
    .join(roomy ? '\n\n' : '\n');
}

function formatAnswerValue({type, value}: WrittenAnswer): string {
  if (type === 'mood') return `${moodNames[Number(value) - 1] ?? ''} (${String(value)} of 5)`;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'object') return value.join(', ');
  return String(value).trim();
}

/** Composes the update of a standup: the formatted answers, then the other text of the author. */
export function combineAnswersAndText(composed: string, after: string): string {
  return [composed, after.trim()].filter((part) => part !== '').join('\n\n');
}

/**
 * Returns the part of an update that is not from answers. `after`: the text that follows the answers.
 * `apart`: the whole update, because it does not begin with the answers.
 */
export function findTextBesideAnswers(
  update: string,
  answers: readonly StandupAnswer[],
  format?: TextFormat,
): {readonly after: string} | {readonly apart: string} {
  const composed = formatAnswers(answers, format);
  if (answers.length === 0) return {apart: update};
  if (update === composed) return {after: ''};
  return update.startsWith(`${composed}\n\n`) ? {after: update.slice(composed.length + 2)} : {apart: update};
}

/** Returns the whole text of a standup without repetition, for views that do not show answers separately. */
export function standupText({
  update,
  answers,
  format,
}: {
  readonly update: string;
  readonly answers: readonly StandupAnswer[];
  readonly format?: TextFormat | undefined;
}): string {
  const beside = findTextBesideAnswers(update, answers, format);
  return 'after' in beside || answers.length === 0
    ? update
    : `${update}\n\n${formatAnswers(answers, format)}`;
}

/** Returns the length of answers as text, in code points. It counts towards the limit of an update. */
export function countAnswersLength(answers: readonly StandupAnswer[]): number {
  return countCodePoints(formatAnswers(answers));
}

import {
  type AnswerError,
  findTextBesideAnswers,
  checkAnswers,
  formatAnswers,
  type CheckOptions,
  combineAnswersAndText,
  type AnswerInput,
} from '../../domain/questions/answers.js';
import {type InputError, fieldError, toRefusalOfFields} from '../../domain/core/errors.js';
import {limits} from '../../domain/core/limits.js';
import type {Question, StandupAnswer} from '../../domain/questions/question.js';
import type {TextFormat} from '../../domain/core/markdown.js';
import type {Standup} from '../../domain/standups/standup.js';
import type {Team} from '../../domain/teams/team.js';
import {countCodePoints, findTextError} from '../../domain/core/text.js';
import type {BlockersInput} from './standup-blockers.js';

/** The content of a standup: an update, answers to the team's questions, or both. */
export interface StandupInput extends BlockersInput {
  /** The update: 1–4,000 code points after trimming, stored as sent. Left out: composed from the answers. */
  readonly update?: string | undefined;
  readonly answers?: readonly AnswerInput[] | undefined;
  /** The notation of the texts. Left out: plain in a new standup, and unchanged in a change. */
  readonly format?: TextFormat | undefined;
  /** The person's further text, which a composed update contains after the answers. */
  readonly after?: string | undefined;
  /** True if required questions may be left open, because they did not exist when the form was opened. */
  readonly partial?: boolean | undefined;
}

export type StoredContent = Pick<Standup, 'update' | 'answers' | 'questions_version'>;

type QuestionnaireTeam = Pick<Team, 'slug' | 'questions' | 'questions_version'>;

/** Checks the update, and requires one if there are no answers. Errors: `validation_failed`. */
export function requireUpdateOrAnswers({update, answers = [], after = ''}: StandupInput): void {
  if (update !== undefined || answers.length === 0) requireUpdateText(update ?? after);
}

/**
 * Builds the content of a new standup for a team, after `requireUpdateOrAnswers` has passed. Errors:
 * `validation_failed`, with an entry for each invalid answer.
 */
export function buildContent(
  {update, answers: given = [], after = '', partial, format}: StandupInput,
  team: QuestionnaireTeam,
  elsewhere?: ReadonlySet<string>,
): StoredContent {
  const {answers, composed} = requireAnswers(given, team, {partial, elsewhere}, format);
  if (update === undefined && answers.length === 0 && given.length > 0) {
    const detail = `\`answers\` has none to a question of the team "${team.slug}": send \`update\` too.`;
    throw fieldError('validation_failed', '#/answers', detail);
  }
  return {
    update: update ?? requireComposedUpdate(composed, after),
    answers,
    questions_version: answers.length === 0 ? null : team.questions_version,
  };
}

/**
 * Builds the content of a standup after a change. New answers replace all existing ones. An update that was
 * composed from answers is composed again.
 */
export function buildChangedContent(
  standup: Standup,
  {update, answers: given, after, partial, format = standup.format}: StandupInput,
  team: QuestionnaireTeam,
): StoredContent {
  if (update !== undefined) requireUpdateText(update);
  const before = {answers: standup.answers, questions_version: standup.questions_version};
  if (given === undefined) {
    const composed = formatAnswers(standup.answers, format);
    const isKept = update !== undefined || (format ?? 'plain') === (standup.format ?? 'plain');
    return {...before, update: isKept ? (update ?? standup.update) : composeChangedUpdate(standup, composed)};
  }
  const {answers, composed} = requireAnswers(given, team, {partial, kept: standup.answers}, format);
  return {
    update: update ?? composeChangedUpdate(standup, composed, after),
    answers,
    questions_version: chooseQuestionsVersion(standup, answers, team),
  };
}

function composeChangedUpdate(standup: Standup, composed: string, after?: string): string {
  const beside = findTextBesideAnswers(standup.update, standup.answers, standup.format);
  if (after === undefined && (composed === '' || !('after' in beside))) return standup.update;
  return requireComposedUpdate(composed, after ?? ('after' in beside ? beside.after : ''));
}

function chooseQuestionsVersion(
  standup: Standup,
  answers: readonly StandupAnswer[],
  {questions_version}: QuestionnaireTeam,
): number | null {
  if (answers.length === 0) return null;
  const isSame = JSON.stringify(answers) === JSON.stringify(standup.answers);
  return isSame ? standup.questions_version : questions_version;
}

/**
 * Returns the valid answers, and the text composed from these answers. Errors: `validation_failed`, with an entry
 * for each invalid answer.
 */
export function requireAnswers(
  given: readonly AnswerInput[],
  {slug, questions}: QuestionnaireTeam,
  options: CheckOptions,
  format?: TextFormat,
): {readonly answers: readonly StandupAnswer[]; readonly composed: string} {
  if (given.length === 0) return {answers: [], composed: ''};
  const checked = checkAnswers(given, questions, options);
  const alone = options.elsewhere === undefined;
  if ('errors' in checked)
    throw toRefusalOfFields('validation_failed', listAnswerErrors(checked.errors, questions, {slug, alone}));
  const composed = formatAnswers(checked.answers, format);
  if (!isLonger(composed, limits.update)) return {answers: checked.answers, composed};
  const detail = `\`answers\` is ${countCodePoints(composed)} characters long with the words of the questions; at most ${limits.update} are allowed.`;
  throw fieldError('validation_failed', '#/answers', detail);
}

function requireComposedUpdate(composed: string, after: string): string {
  const update = combineAnswersAndText(composed, after);
  if (!isLonger(update, limits.update) && findTextError(update, limits.update) === undefined) return update;
  throw fieldError(
    'validation_failed',
    '#/update',
    `\`update\` is ${countCodePoints(update)} characters long with the answers in it; at most ${limits.update} are allowed.`,
  );
}

/** True if a text has more than `max` code points, which most texts need no counting for. */
function isLonger(text: string, max: number): boolean {
  return text.length > max && countCodePoints(text) > max;
}

function* listAnswerErrors(
  errors: readonly AnswerError[],
  questions: readonly Question[],
  team: {readonly slug: string; readonly alone: boolean},
): Iterable<InputError> {
  for (const {question, at, reason, hint = ''} of errors) {
    const label = questions.find(({key}) => key === question)?.label;
    const named =
      label === undefined
        ? `"${question}"${team.alone ? `, team "${team.slug}"` : ''}`
        : `question "${question}" of the team "${team.slug}": ${label}`;
    const name = `answers${at.replaceAll('/', '.')}`;
    const detail =
      at === ''
        ? `\`answers\` lacks one that ${reason} (${named}). Add {"question": "${question}", "value": …}.`
        : `\`${name}\` ${reason} (${named}).${hint}`;
    yield {code: 'validation_failed', detail, pointer: `#/answers${at}`};
  }
}

/** Checks the text of an update. Errors: `validation_failed`. */
function requireUpdateText(update: string): void {
  const error = findTextError(update, limits.update);
  if (error !== undefined) throw fieldError('validation_failed', '#/update', `\`update\` ${error}.`);
}

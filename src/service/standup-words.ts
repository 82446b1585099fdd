import {
  answersLength,
  type AnswerFault,
  besideAnswers,
  checkAnswers,
  type CheckOptions,
  composeWith,
  type GivenAnswer,
} from '../domain/answers.js';
import {AppError, type Fault, fieldError} from '../domain/errors.js';
import {limits} from '../domain/limits.js';
import type {Question, StandupAnswer} from '../domain/question.js';
import type {Standup} from '../domain/standup.js';
import type {Team} from '../domain/team.js';
import {codePoints, textFault} from '../domain/text.js';
import type {BlockersSaid} from './standup-blockers.js';

/** What somebody says in a standup: an update, answers to the questions of the team, or both. */
export interface Said extends BlockersSaid {
  /** 1–4,000 code points after trimming; stored as sent. Composed of the answers when left out. */
  readonly update?: string | undefined;
  readonly answers?: readonly GivenAnswer[] | undefined;
  /** What stands behind the answers in an update that is composed of them. */
  readonly after?: string | undefined;
  /** True when required questions may be left open: they were not asked yet when the form was opened. */
  readonly partial?: boolean | undefined;
}

/** As it is kept. */
export type Words = Pick<Standup, 'update' | 'answers' | 'questions_version'>;

type Asking = Pick<Team, 'slug' | 'questions' | 'questions_version'>;

/** What a new standup for a team says. Errors: `validation_failed`, with one fault for each answer that does not fit. */
export function settleWords(
  {update, answers: given = [], after = '', partial}: Said,
  team: Asking,
  elsewhere?: ReadonlySet<string>,
): Words {
  if (update !== undefined || given.length === 0) requireText(update ?? after);
  const answers = requireAnswers(given, team, {partial, elsewhere});
  if (update === undefined && answers.length === 0 && given.length > 0) {
    const detail = `\`answers\` has none to a question of the team "${team.slug}": send \`update\` too.`;
    throw fieldError('validation_failed', '#/answers', detail);
  }
  return {
    update: update ?? requireComposed(answers, after),
    answers,
    questions_version: answers.length === 0 ? null : team.questions_version,
  };
}

/** What a standup says after a change. Answers replace all that there were; an update that was composed of them is composed anew. */
export function settleChangedWords(
  standup: Standup,
  {update, answers: given, after, partial}: Said,
  team: Asking,
): Words {
  if (update !== undefined) requireText(update);
  const before = {answers: standup.answers, questions_version: standup.questions_version};
  if (given === undefined) return {...before, update: update ?? standup.update};
  const answers = requireAnswers(given, team, {partial, kept: standup.answers});
  return {
    update: update ?? updateAfter(standup, answers, after),
    answers,
    questions_version: versionAfter(standup, answers, team),
  };
}

function updateAfter(standup: Standup, answers: readonly StandupAnswer[], after: string | undefined): string {
  const beside = besideAnswers(standup.update, standup.answers);
  if (after === undefined && (answers.length === 0 || !('after' in beside))) return standup.update;
  return requireComposed(answers, after ?? ('after' in beside ? beside.after : ''));
}

function versionAfter(
  standup: Standup,
  answers: readonly StandupAnswer[],
  {questions_version}: Asking,
): number | null {
  if (answers.length === 0) return null;
  const isSame = JSON.stringify(answers) === JSON.stringify(standup.answers);
  return isSame ? standup.questions_version : questions_version;
}

function requireAnswers(
  given: readonly GivenAnswer[],
  {slug, questions}: Asking,
  options: CheckOptions,
): readonly StandupAnswer[] {
  const checked = checkAnswers(given, questions, options);
  const alone = options.elsewhere === undefined;
  if ('faults' in checked) throw answerError(checked.faults, questions, {slug, alone});
  const length = answersLength(checked.answers);
  if (length <= limits.update) return checked.answers;
  const detail = `\`answers\` is ${length} characters long with the words of the questions; at most ${limits.update} are allowed.`;
  throw fieldError('validation_failed', '#/answers', detail);
}

function requireComposed(answers: readonly StandupAnswer[], after: string): string {
  const update = composeWith(answers, after);
  const length = codePoints(update);
  if (length <= limits.update && textFault(update, limits.update) === undefined) return update;
  throw fieldError(
    'validation_failed',
    '#/update',
    `\`update\` is ${length} characters long with the answers in it; at most ${limits.update} are allowed.`,
  );
}

function answerError(
  faults: readonly [AnswerFault, ...AnswerFault[]],
  questions: readonly Question[],
  team: {readonly slug: string; readonly alone: boolean},
): AppError {
  const told = faults.map(({question, at, reason, hint = ''}): Fault => {
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
    return {code: 'validation_failed', detail, pointer: `#/answers${at}`};
  });
  return new AppError('validation_failed', told.map(({detail}) => detail).join(' '), {faults: told});
}

/** Errors: `validation_failed`. */
export function requireText(update: string): void {
  const fault = textFault(update, limits.update);
  if (fault !== undefined) throw fieldError('validation_failed', '#/update', `\`update\` ${fault}.`);
}

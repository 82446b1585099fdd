import {addDays} from '../core/dates.js';
import {limits} from '../core/limits.js';
import type {Question} from '../questions/question.js';
import type {Trends} from './trends.js';

type MeanType = 'mood' | 'number';

/** The answers to a question in a week, and how they differ from those of the week before. */
export interface QuestionWeek {
  readonly type: MeanType;
  readonly label: string;
  readonly mean: number;
  readonly answers: number;
  /** Null if no one answered the question in the week before. */
  readonly change: {readonly way: 'higher' | 'lower' | 'same'; readonly amount: number} | null;
}

/** The changes of a week, for a message or a mail. */
export interface WeekTrends {
  /** Empty if no one answered such a question. */
  readonly questions: readonly QuestionWeek[];
  /** The median time (h) from raising to resolving a blocker; null if none was resolved. */
  readonly hours: number | null;
}

/** True for a question whose answers have a mean that a message shows. */
export function hasMean({type}: Pick<Question, 'type'>): boolean {
  return type === 'mood' || type === 'number';
}

/** The difference between two means from which on they are shown as different. */
const smallest: Readonly<Record<MeanType, number>> = {mood: 0.05, number: 0.005};

/** Compares the answers of a week with those of the week before it. */
export function compareWeeks(questions: Trends['questions'], monday: string): QuestionWeek[] {
  const found = questions.flatMap(({type, label, periods}): QuestionWeek[] => {
    if (type !== 'mood' && type !== 'number') return [];
    const [before, week] = [addDays(monday, -7), monday].map((from) =>
      periods.find((period) => period.from === from),
    );
    if (week === undefined || week.mean === null) return [];
    const {mean, answers} = week;
    return [{type, label, mean, answers, change: compareMeans(type, mean, before?.mean ?? null)}];
  });
  return found.slice(0, limits.weekQuestions);
}

function compareMeans(type: MeanType, mean: number, before: number | null): QuestionWeek['change'] {
  if (before === null) return null;
  const amount = Math.abs(mean - before);
  if (amount < smallest[type]) return {way: 'same', amount};
  return {way: mean > before ? 'higher' : 'lower', amount};
}

/** Formats a mean of a question of this type: `3.8`. */
export function formatMean(locale: string, type: MeanType, value: number): string {
  return new Intl.NumberFormat(locale, {maximumFractionDigits: type === 'mood' ? 1 : 2}).format(value);
}

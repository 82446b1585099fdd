import type {Schema} from '../api/schema.ts';
import type {ChartColumn} from '../parts/charts/columns.ts';
import {addDays, weekdayOf} from '../parts/days.ts';
import {formatDay, formatSpan} from '../texts/format.ts';

export type Trends = Schema<'Trends'>;
export type QuestionTrend = Trends['questions'][number];
export type TrendPeriod = QuestionTrend['periods'][number];

/** Lists the columns of the blockers' chart: every day or week. */
export function listBlockerColumns(trends: Trends): readonly ChartColumn[] {
  return trends.blockers.map(({from}) => toColumn(trends, from));
}

/**
 * Lists the columns of the charts of answers: every week, or each day on which anything was answered. Other
 * days, such as those of weekends, would break each line.
 */
export function listAnswerColumns(trends: Trends): readonly ChartColumn[] {
  const {by, questions, blockers} = trends;
  if (by === 'week') return listBlockerColumns(trends);
  const answered = new Set(questions.flatMap(({periods}) => periods.map(({from}) => from)));
  return blockers.flatMap(({from}) => (answered.has(from) ? [toColumn(trends, from)] : []));
}

function toColumn({by, until}: Trends, from: string): ChartColumn {
  if (by === 'day') return {id: from, label: formatDay(from, {weekday: true})};
  const sunday = addDays(from, 6 - weekdayOf(from));
  return {id: from, label: formatSpan(from, sunday < until ? sunday : until)};
}

/** Counts each value of a question in all periods, the most frequent first. */
export function sumCounts(periods: readonly TrendPeriod[]): readonly (readonly [string, number])[] {
  const sums = new Map<string, number>();
  for (const {counts} of periods)
    for (const {value, count} of counts) sums.set(String(value), (sums.get(String(value)) ?? 0) + count);
  return [...sums].toSorted(([, a], [, b]) => b - a);
}

export function sum(values: readonly number[]): number {
  return values.reduce((all, one) => all + one, 0);
}

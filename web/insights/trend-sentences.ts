import type {ChartColumn} from '../parts/charts/columns.ts';
import {addDays} from '../parts/days.ts';
import {formatAge, formatNumber} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {type QuestionTrend, sum, sumCounts, type TrendPeriod, type Trends} from './trend-columns.ts';

const hourMs = 3_600_000;

/** Formats hours as an age: `1 min` or more, `26 h`, `3 d`. */
export function formatHours(hours: number): string {
  return formatAge(Math.max(60_000, Math.round(hours * hourMs)));
}

/** Formats a mean of a question of this type: `3.8`, or `67%` of yes. */
export function formatMean(type: string, value: number): string {
  if (type === 'yes_no') return formatNumber(value, {style: 'percent'});
  return formatNumber(value, {maximumFractionDigits: type === 'mood' ? 1 : 2});
}

/** Says what the chart of a question shows: its latest answers, and how they differ from those before. */
export function describeAnswers(
  {type, periods}: QuestionTrend,
  by: string,
  columns: readonly ChartColumn[],
): string {
  const [before, latest] = [periods.at(-2), periods.at(-1)];
  if (latest === undefined || latest.mean === null) return describeChoices(periods);
  const say = type === 'yes_no' ? texts.trends.share : texts.trends.mean;
  return say({
    period: findLabel(columns, latest.from),
    value: formatMean(type, latest.mean),
    answers: latest.answers,
    change:
      typeof before?.mean === 'number'
        ? describeChange(type, latest.mean - before.mean, describeBefore(before, latest, by, columns))
        : '',
  });
}

function describeChoices(periods: readonly TrendPeriod[]): string {
  const [first] = sumCounts(periods);
  const answers = sum(periods.map((one) => one.answers));
  return first === undefined ? '' : texts.trends.choice({value: first[0], count: first[1], answers});
}

function describeChange(type: string, difference: number, before: string): string {
  const say = texts.trends;
  const amount =
    type === 'yes_no'
      ? say.points({amount: Math.round(Math.abs(difference) * 100)})
      : formatMean(type, Math.abs(difference));
  const isSame = Math.abs(difference) < (type === 'mood' ? 0.05 : 0.005);
  return say.change({way: isSame ? 'same' : difference > 0 ? 'higher' : 'lower', amount, before});
}

function describeBefore(
  before: TrendPeriod,
  latest: TrendPeriod,
  by: string,
  columns: readonly ChartColumn[],
): string {
  const isNext = addDays(before.from, 7) >= latest.from;
  const unit = by === 'day' ? 'day' : isNext ? 'next' : 'week';
  return texts.trends.before({unit, day: findLabel(columns, before.from)});
}

function findLabel(columns: readonly ChartColumn[], from: string): string {
  return columns.find(({id}) => id === from)?.label ?? from;
}

/** Says what the chart of blockers shows: sums, and how many more are open than at the start. */
export function describeBlockers(blockers: Trends['blockers']): string {
  const say = texts.trends.blockers;
  const [first, last] = [blockers[0], blockers.at(-1)];
  const [raised, resolved] = [
    sum(blockers.map((one) => one.raised)),
    sum(blockers.map((one) => one.resolved)),
  ];
  if (first === undefined || last === undefined) return say.none;
  const open = last.open_at_end;
  if (raised + resolved + open === 0) return say.none;
  const atStart = first.open_at_end - first.raised + first.resolved;
  const way = open === atStart ? 'same' : open > atStart ? 'more' : 'fewer';
  return say.sentence({raised, resolved, open, way, difference: Math.abs(open - atStart)});
}

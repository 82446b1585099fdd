import {BarRows, type BarRow} from '../parts/charts/bar-rows.tsx';
import {ChartCard, type ChartTable} from '../parts/charts/chart-card.tsx';
import {type ChartColumn, findAxisEnd} from '../parts/charts/columns.ts';
import type {FigureCell, FiguresRow} from '../parts/charts/figures-table.tsx';
import {LineChart, type Scale} from '../parts/charts/line-chart.tsx';
import {formatNumber} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {type QuestionTrend, sum, sumCounts, type TrendPeriod, type Trends} from './trend-columns.ts';
import {describeAnswers, describeBlockers, formatHours, formatMean} from './trend-sentences.ts';

interface TrendsProps {
  readonly trends: Trends;
  readonly columns: readonly ChartColumn[];
}

interface QuestionProps {
  readonly question: QuestionTrend;
  readonly by: string;
  readonly columns: readonly ChartColumn[];
}

export function QuestionTrends({trends: {questions, by}, columns}: TrendsProps) {
  return questions.map((question) => {
    const Chart = question.type === 'choice' ? ChoiceTrend : MeanTrend;
    return (
      <Chart by={by} columns={columns} key={`${question.type} ${question.question}`} question={question} />
    );
  });
}

function MeanTrend({question, by, columns}: QuestionProps) {
  const say = texts.trends;
  const {type, label, periods} = question;
  const sentence = describeAnswers(question, by, columns);
  const found = findPeriods(periods, columns);
  const mean = type === 'yes_no' ? say.yes : say.average;
  const rows = found.map(({column, period}) =>
    toRow(column, [
      toCell(period?.mean ?? null, (value) => formatMean(type, value)),
      toCell(period?.answers ?? 0),
    ]),
  );
  return (
    <ChartCard
      sentence={sentence}
      table={describeTable(label, [headOf(by), mean, say.answers], rows)}
      title={label}
    >
      <LineChart
        columns={columns}
        label={sentence}
        scale={findScale(question)}
        values={found.map(({period}) => period?.mean ?? null)}
      />
    </ChartCard>
  );
}

function findScale({type, periods}: QuestionTrend): Scale {
  const format = (value: number) => formatMean(type, value);
  if (type === 'mood') return {least: 1, most: 5, format};
  if (type === 'yes_no') return {least: 0, most: 1, format};
  const means = periods.map(({mean}) => mean ?? 0);
  const [least, most] = [findAxisEnd(Math.min(0, ...means)), findAxisEnd(Math.max(0, ...means))];
  return {least, most: most === least ? least + 1 : most, format};
}

function ChoiceTrend({question, by, columns}: QuestionProps) {
  const {label, periods} = question;
  const found = findPeriods(periods, columns);
  const sums = sumCounts(periods);
  const valuesOf = (value: string) =>
    found.map(({period}) => period?.counts.find((one) => String(one.value) === value)?.count ?? 0);
  const series = sums.map(([value, count]) => ({value, count, values: valuesOf(value)}));
  const most = Math.max(...series.flatMap(({values}) => values));
  const rows = found.map(({column}, i) =>
    toRow(
      column,
      series.map(({values}) => toCell(values[i] ?? 0)),
    ),
  );
  return (
    <ChartCard
      sentence={describeAnswers(question, by, columns)}
      table={describeTable(label, [headOf(by), ...sums.map(([value]) => value)], rows)}
      title={label}
    >
      <BarRows
        columns={columns}
        rows={series.map(({value, count, values}) => ({
          id: value,
          name: value,
          figure: formatNumber(count),
          values,
          most,
          format: formatNumber,
        }))}
      />
    </ChartCard>
  );
}

export function BlockerTrends({trends: {blockers, by}, columns}: TrendsProps) {
  const say = texts.trends.blockers;
  const sentence = describeBlockers(blockers);
  if (sentence === say.none) return <ChartCard sentence={sentence} title={say.title} />;
  const rows = blockers.map(({raised, resolved, open_at_end: open, median_hours: hours}, i) =>
    toRow(columns[i], [toCell(raised), toCell(resolved), toCell(open), toCell(hours, formatHours)]),
  );
  return (
    <ChartCard
      sentence={sentence}
      table={describeTable(say.title, [headOf(by), say.raised, say.resolved, say.open, say.time], rows)}
      title={say.title}
    >
      <BarRows columns={columns} rows={listBlockerRows(blockers)} />
    </ChartCard>
  );
}

function listBlockerRows(blockers: Trends['blockers']): readonly BarRow[] {
  const say = texts.trends.blockers;
  const [raised, resolved, open] = [
    blockers.map((one) => one.raised),
    blockers.map((one) => one.resolved),
    blockers.map((one) => one.open_at_end),
  ];
  const hours = blockers.map((one) => one.median_hours);
  const latest = hours.findLast((one) => one !== null) ?? null;
  const counted = {most: Math.max(...raised, ...resolved, ...open), format: formatNumber};
  return [
    {id: 'raised', name: say.raised, figure: formatNumber(sum(raised)), values: raised, ...counted},
    {id: 'resolved', name: say.resolved, figure: formatNumber(sum(resolved)), values: resolved, ...counted},
    {id: 'open', name: say.open, figure: formatNumber(open.at(-1) ?? 0), values: open, ...counted},
    {
      id: 'time',
      name: say.time,
      figure: latest === null ? '–' : formatHours(latest),
      values: hours,
      most: Math.max(...hours.map((one) => one ?? 0)),
      format: formatHours,
    },
  ];
}

function findPeriods(periods: readonly TrendPeriod[], columns: readonly ChartColumn[]) {
  const byStart = new Map(periods.map((period) => [period.from, period]));
  return columns.map((column) => ({column, period: byStart.get(column.id)}));
}

function describeTable(title: string, heads: readonly string[], rows: readonly FiguresRow[]): ChartTable {
  return {summary: texts.trends.asTable, label: texts.trends.tableOf({title}), heads, rows};
}

function headOf(by: string): string {
  return by === 'day' ? texts.trends.period.day : texts.trends.period.week;
}

function toRow(column: ChartColumn | undefined, cells: readonly FigureCell[]): FiguresRow {
  return {id: column?.id ?? '', head: column?.label ?? '', cells};
}

function toCell(value: number | null, format: (value: number) => string = formatNumber): FigureCell {
  return {
    content: value === null ? '–' : format(value),
    look: value === null || value === 0 ? 'none' : undefined,
  };
}

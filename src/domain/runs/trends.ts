import {z} from 'zod';
import type {Blocker} from '../blockers/blocker.js';
import {addDays} from '../core/dates.js';
import {limits} from '../core/limits.js';
import {date, id, type Infer, open} from '../core/schemas.js';
import type {Question, QuestionType, StandupAnswer} from '../questions/question.js';
import {findMondayOf, findSundayOf} from '../schedules/week.js';

export const trendSteps = ['day', 'week'] as const;
export type TrendStep = (typeof trendSteps)[number];

const from = date.meta({description: 'The first date of the day or week. Weeks begin on Monday.'});

/** The descriptions keep Zod from writing one schema with three types, which generators of clients refuse. */
const value = z.union([
  z.string().meta({description: 'An option of `choice`.'}),
  z.number().meta({description: 'A mood from 1 to 5.'}),
  z.boolean().meta({description: 'An answer of `yes_no`: yes is `true`.'}),
]);

const answersSchema = z.object({
  from,
  answers: z.int().meta({description: 'The number of standups that answer the question.'}),
  mean: z.number().nullable().meta({
    description: 'The mean of the answers; for `yes_no` the share of yes, from 0 to 1. Null for `choice`.',
  }),
  counts: z.array(z.object({value, count: z.int()})).meta({
    description: `How often each value was given, the most frequent first, at most ${limits.choices}. Empty for \`number\`.`,
  }),
});

export const trendsSchema = z
  .object({
    object: z.literal('trends'),
    team: z.string().meta({description: 'Slug of the team.'}),
    team_id: id('team'),
    since: date,
    until: date,
    by: open<TrendStep>({description: 'The length of a period: `day` or `week`.'}),
    questions: z
      .array(
        z.object({
          question: z.string().meta({description: 'The key of the question.'}),
          type: open<QuestionType>({description: 'The type: `mood`, `number`, `choice` or `yes_no`.'}),
          label: z.string().meta({description: 'The text of the question in the latest answer.'}),
          periods: z
            .array(answersSchema)
            .meta({description: 'The periods with answers, the earliest first.'}),
        }),
      )
      .meta({
        description: `The questions with answers, other than texts: first those of the team, in its order, then earlier ones. At most ${limits.trendQuestions}.`,
      }),
    blockers: z
      .array(
        z.object({
          from,
          raised: z.int(),
          resolved: z.int().meta({description: 'Blockers resolved in the period and not raised again.'}),
          open_at_end: z.int().meta({description: 'Blockers that were open at the end of the period.'}),
          median_hours: z.number().nullable().meta({
            description: 'The median time from raising to resolution, in hours. Null if none was resolved.',
          }),
        }),
      )
      .meta({description: 'Every period, the earliest first.'}),
  })
  .meta({
    id: 'Trends',
    description: 'How the answers and the blockers of a team change over time, without names.',
  });

/** The answers and blockers of a team by day or week. */
export type Trends = Infer<typeof trendsSchema>;

type QuestionTrend = Trends['questions'][number];

export interface TrendSpan {
  readonly since: string;
  readonly until: string;
  readonly by: TrendStep;
}

/** The answers of one question in one period. */
interface Tally {
  answers: number;
  readonly numbers: number[];
  readonly counts: Map<string | number | boolean, number>;
}

interface QuestionTally extends Pick<QuestionTrend, 'question' | 'type'> {
  label: string;
  readonly periods: Map<string, Tally>;
}

export type AnswerCounter = ReturnType<typeof beginAnswerCount>;

/** Returns the first date of a day's period. A week that has begun before the span starts with the span. */
function findPeriodStart({since, by}: TrendSpan, day: string): string {
  const start = by === 'day' ? day : findMondayOf(day);
  return start < since ? since : start;
}

/** Collects answers in ascending order of date, and keeps only numbers of them. */
export function beginAnswerCount(span: TrendSpan) {
  const questions = new Map<string, QuestionTally>();

  function findTally({question, type, label}: StandupAnswer, period: string): Tally {
    const key = `${type} ${question}`;
    const known = questions.get(key) ?? {question, type, label, periods: new Map<string, Tally>()};
    questions.set(key, known);
    known.label = label;
    const tally = known.periods.get(period) ?? {answers: 0, numbers: [], counts: new Map()};
    known.periods.set(period, tally);
    return tally;
  }

  return {
    add(day: string, answers: readonly StandupAnswer[]): void {
      const period = findPeriodStart(span, day);
      for (const answer of answers) {
        if (answer.type === 'text') continue;
        const tally = findTally(answer, period);
        tally.answers += 1;
        const {value, type} = answer;
        if (typeof value === 'number') tally.numbers.push(value);
        if (typeof value === 'boolean') tally.numbers.push(value ? 1 : 0);
        if (type === 'number') continue;
        for (const one of typeof value === 'object' ? value : [value])
          tally.counts.set(one, (tally.counts.get(one) ?? 0) + 1);
      }
    },
    /** Lists the trends; the team's `asked` questions come first, in their order. */
    list(asked: readonly Question[]): QuestionTrend[] {
      const order = new Map(asked.map(({key, type}, i) => [`${type} ${key}`, i]));
      const rank = (key: string) => order.get(key) ?? asked.length;
      return [...questions]
        .toSorted(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1))
        .slice(0, limits.trendQuestions)
        .map(([, {periods, ...question}]) => ({
          ...question,
          periods: [...periods].map(([start, tally]) => ({from: start, ...summarizeTally(tally)})),
        }));
    },
  };
}

function summarizeTally({answers, numbers, counts}: Tally) {
  // Dividing first keeps the sum of very large numbers finite.
  const mean = numbers.reduce((sum, one) => sum + one / numbers.length, 0);
  return {
    answers,
    mean: numbers.length === 0 ? null : Number(mean.toFixed(2)),
    counts: [...counts]
      .map(([value, count]) => ({value, count}))
      .toSorted((a, b) => b.count - a.count || (String(a.value) < String(b.value) ? -1 : 1))
      .slice(0, limits.choices),
  };
}

type DatedBlocker = Pick<Blocker, 'created_at' | 'resolved_at'>;

const hourMs = 3_600_000;

/** Counts blockers by period. `dayOf` returns the day of an instant by the team's clock. */
export function countBlockers(
  blockers: readonly DatedBlocker[],
  span: TrendSpan,
  dayOf: (instant: string) => string,
): Trends['blockers'] {
  const {since, until} = span;
  const periods = new Map(listPeriodStarts(span).map((from) => [from, {raised: 0, hours: [] as number[]}]));
  const find = (day: string) => (day > until ? undefined : periods.get(findPeriodStart(span, day)));
  let open = 0;
  for (const {created_at, resolved_at} of blockers) {
    const raisedOn = dayOf(created_at);
    const resolvedOn = resolved_at === null ? undefined : dayOf(resolved_at);
    if (raisedOn >= since) {
      const period = find(raisedOn);
      if (period !== undefined) period.raised += 1;
    } else if (resolvedOn === undefined || resolvedOn >= since) open += 1;
    if (resolved_at === null || resolvedOn === undefined || resolvedOn < since) continue;
    find(resolvedOn)?.hours.push((Date.parse(resolved_at) - Date.parse(created_at)) / hourMs);
  }
  return [...periods].map(([from, {raised, hours}]) => {
    open += raised - hours.length;
    return {from, raised, resolved: hours.length, open_at_end: open, median_hours: computeMedian(hours)};
  });
}

function listPeriodStarts({since, until, by}: TrendSpan): string[] {
  const starts: string[] = [];
  for (let start = since; start <= until; ) {
    starts.push(start);
    start = addDays(by === 'day' ? start : findSundayOf(findMondayOf(start)), 1);
  }
  return starts;
}

function computeMedian(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  return low === undefined || high === undefined ? null : Number(((low + high) / 2).toFixed(1));
}

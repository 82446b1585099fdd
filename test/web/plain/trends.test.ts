import {beforeAll, describe, expect, it} from '@jest/globals';
import {type QuestionTrend, listAnswerColumns, type Trends} from '../../../web/insights/trend-columns.ts';
import {describeAnswers, describeBlockers} from '../../../web/insights/trend-sentences.ts';
import {trends} from '../../../web/texts/compiled/en/trends.ts';
import {addTexts} from '../../../web/texts/texts.ts';

beforeAll(() => addTexts({trends}));

const periods = (...given: [from: string, mean: number | null, counts?: Record<string, number>][]) =>
  given.map(([from, mean, counts = {}]) => ({
    from,
    answers: 12,
    mean,
    counts: Object.entries(counts).map(([value, count]) => ({value, count})),
  }));

const question = (type: string, own: QuestionTrend['periods']): QuestionTrend => ({
  question: type,
  type,
  label: type,
  periods: own,
});

const calm = {raised: 0, resolved: 0, open_at_end: 0, median_hours: null};

const trendsOf = (by: string, starts: readonly string[], questions: QuestionTrend[]): Trends => ({
  object: 'trends',
  team: 'platform',
  team_id: 'team_1',
  since: starts[0] ?? '',
  until: '2026-11-25',
  by,
  questions,
  blockers: starts.map((from) => ({from, ...calm})),
});

const weeks = ['2026-11-09', '2026-11-16', '2026-11-23'];
const say = (one: QuestionTrend, by = 'week', starts: readonly string[] = weeks) =>
  describeAnswers(one, by, listAnswerColumns(trendsOf(by, starts, [one]))).replaceAll('\u2009', '');

describe('the sentence of a chart', () => {
  it('compares the latest mood with the one before', () => {
    const [first, second, third] = weeks as [string, string, string];
    expect(say(question('mood', periods([second, 3.6], [third, 3.8])))).toBe(
      '23–25 Nov: 3.8 on average from 12 answers, 0.2 higher than the week before.',
    );
    expect(say(question('mood', periods([first, 4], [third, 3.8])))).toBe(
      '23–25 Nov: 3.8 on average from 12 answers, 0.2 lower than in the week of 9–15 Nov.',
    );
    expect(say(question('mood', periods([second, 3.8], [third, 3.82])))).toMatch(
      /, the same as the week before\.$/,
    );
    expect(say(question('mood', periods([third, 3.8])))).toBe('23–25 Nov: 3.8 on average from 12 answers.');
  });

  it('compares the latest share of yes in points, and the latest day with the day before', () => {
    const days = ['2026-11-23', '2026-11-24'];
    const [first, second] = days as [string, string];
    expect(say(question('yes_no', periods([first, 0.75], [second, 0.25])), 'day', days)).toBe(
      'Tue 24 Nov: 25% yes in 12 answers, 50 points lower than on Mon 23 Nov.',
    );
  });

  it('names the choice that was chosen most often in all periods', () => {
    const [first, second] = weeks as [string, string];
    const own = periods([first, null, {Build: 2, Review: 5}], [second, null, {Build: 9}]);
    expect(say(question('choice', own))).toBe('Build was chosen most often: in 11 of 24 answers.');
  });

  it('sums blockers, and compares those open at the end with those at the start', () => {
    const from = '2026-11-23';
    expect(describeBlockers([{from, ...calm}])).toBe(
      'No blockers were raised, resolved or open in these days.',
    );
    const first = {from, raised: 3, resolved: 1, open_at_end: 4, median_hours: 6.5};
    expect(describeBlockers([first])).toBe(
      '3 raised and 1 resolved. 4 are open at the end, 2 more than at the start.',
    );
    expect(describeBlockers([first, {from, raised: 0, resolved: 4, open_at_end: 0, median_hours: 2}])).toBe(
      '3 raised and 5 resolved. None is open at the end, 2 fewer than at the start.',
    );
    expect(describeBlockers([{from, raised: 1, resolved: 1, open_at_end: 1, median_hours: 2}])).toBe(
      '1 raised and 1 resolved. 1 is open at the end, as many as at the start.',
    );
  });
});

it('charts by day have only days with answers, so that weekends break no line', () => {
  const days = ['2026-11-20', '2026-11-21', '2026-11-22', '2026-11-23'];
  const own = question('mood', periods(['2026-11-20', 3], ['2026-11-23', 4]));
  const columns = listAnswerColumns(trendsOf('day', days, [own]));
  expect(columns.map(({label}) => label)).toEqual(['Fri 20 Nov', 'Mon 23 Nov']);
  expect(listAnswerColumns(trendsOf('week', days, [own]))).toHaveLength(4);
});

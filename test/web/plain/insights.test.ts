import {expect, it} from '@jest/globals';
import type {Run, TeamDay} from '../../../web/api/schema.ts';
import {findReasonForNoChart, listTableCounts, formatShare} from '../../../web/insights/counts.ts';
import {listOutcomes} from '../../../web/insights/outcomes.ts';
import {type Day, computeHeatMap, findNextGridCell} from '../../../web/insights/heat-map.ts';
import {readOverviewSearch, readSpanSearch} from '../../../web/insights/search.ts';
import {toSpanQuery} from '../../../web/insights/spans.ts';

const counts = (given: Partial<Record<'posted' | 'holiday' | 'missed', number>>) => {
  const {posted = 0, holiday = 0, missed = 0} = given;
  const expected = posted + missed;
  const none = {late: 0, away: 0, skipped: 0, unreachable: 0};
  const participation = expected === 0 ? null : posted / expected;
  return {...none, expected, posted, holiday, missed, participation};
};

const day = (date: string, status: string, reason: string | null = null): Day => ({date, status, reason});

const person = (id: string, days: Day[]) => ({
  member: {type: 'member' as const, id, name: id},
  counts: counts({}),
  days,
});

it('the address of the Insights page accepts only existing spans, and sorts its two dates', () => {
  expect(readSpanSearch({span: 'weeks'})).toEqual({});
  expect(readSpanSearch({span: 'year', from: '2026-02-30', until: '2026-03-01'})).toEqual({});
  expect(readSpanSearch({span: 'quarter', from: '2026-03-02', until: '2026-03-01'})).toEqual({
    from: '2026-03-01',
    until: '2026-03-02',
  });
  expect(readOverviewSearch({teams: 'all', span: 'month'})).toEqual({teams: 'all', span: 'month'});
  expect(readOverviewSearch({teams: 'none'})).toEqual({});
});

it('preset spans are whole weeks, or the month so far, and end on the team’s today', () => {
  expect(toSpanQuery({}, '2027-01-13')).toEqual({since: '2026-12-17'});
  expect(toSpanQuery({span: 'quarter'}, '2027-01-13')).toEqual({since: '2026-10-15'});
  expect(toSpanQuery({span: 'month'}, '2027-01-13')).toEqual({since: '2027-01-01'});
  expect(toSpanQuery({from: '2026-01-01', until: '2026-01-31'}, '2027-01-13')).toEqual({
    since: '2026-01-01',
    until: '2026-01-31',
  });
});

it('columns mark weeks, months and holidays, and rows remain sorted by name', () => {
  const dates = ['2026-12-24', '2026-12-25', '2026-12-28', '2027-01-01'];
  const map = computeHeatMap({
    object: 'participation',
    team: 'platform',
    team_id: 'team',
    since: '2026-12-24',
    until: '2027-01-01',
    counts: counts({}),
    by_date: dates.map((date) => ({
      date,
      run: date,
      counts:
        date === '2026-12-25'
          ? counts({holiday: 2})
          : counts({posted: 1, holiday: date > '2027' ? 1 : 0, missed: 1}),
    })),
    by_member: [
      person('Ada', [day('2026-12-25', 'holiday', 'Christmas Day'), day('2027-01-01', 'posted')]),
      person('Bob', [day('2026-12-25', 'holiday', 'Weihnachten'), day('2027-01-01', 'holiday', null)]),
    ],
  });
  expect(map.columns.map(({startsWeek, startsMonth}) => [startsWeek, startsMonth])).toEqual([
    [false, true],
    [false, false],
    [true, false],
    [false, true],
  ]);
  expect(
    map.columns.map(({holidays, holidayShare}) => [holidays.join(), Math.round(holidayShare * 100)]),
  ).toEqual([
    ['', 0],
    ['Christmas Day,Weihnachten', 100],
    ['', 0],
    ['', 33],
  ]);
  expect(
    map.rows.map(({name, days}) => [name, days.get('2027-01-01')?.status, days.get('2026-12-28')]),
  ).toEqual([
    ['Ada', 'posted', undefined],
    ['Bob', 'holiday', undefined],
  ]);
});

it('keys move in the grid in reading order, remain within the grid, and never reach its corner', () => {
  const last = {row: 3, column: 5};
  const press = (row: number, column: number, key: string, isRightToLeft = false) => {
    const pressed = {key: key.replace('^', ''), ctrlKey: key.startsWith('^')};
    const to = findNextGridCell({row, column}, pressed, last, isRightToLeft);
    return to && [to.row, to.column];
  };
  expect(press(1, 2, 'ArrowRight')).toEqual([1, 3]);
  expect(press(1, 2, 'ArrowRight', true)).toEqual([1, 1]);
  expect(press(3, 5, 'ArrowDown')).toEqual([3, 5]);
  expect(press(3, 5, 'PageUp')).toEqual([0, 5]);
  expect(press(1, 0, 'ArrowUp')).toEqual([0, 1]);
  expect(press(2, 4, '^Home')).toEqual([0, 1]);
  expect(press(2, 4, '^End')).toEqual([3, 5]);
  expect(press(2, 4, 'Home')).toEqual([2, 0]);
  expect(press(2, 4, 'a')).toBeUndefined();
});

it('the delay of a late post counts from the closing by its author’s clock, and erased data is marked', () => {
  const run = {
    timezone: 'Europe/Berlin',
    closes_at: '2027-01-12T12:00:00.000Z',
    participants: [{member: 'ada', timezone: 'America/New_York'}],
    report: {
      lines: [
        {
          member: {id: 'ada', name: 'Ada'},
          status: 'late',
          reason: null,
          until: null,
          standups: [{id: 'std'}],
        },
        {
          member: {id: 'bob', name: null},
          status: 'posted',
          reason: null,
          until: null,
          standups: [{id: null}],
        },
      ],
    },
  } as unknown as Run;
  const standup = {id: 'std', late: true, created_at: '2027-01-12T11:30:00.000Z'};
  const ada = {
    member: {id: 'ada'},
    timezone: 'Asia/Tokyo',
    closes_at: '2027-01-12T11:00:00.000Z',
    standups: [standup],
  };
  const day = {people: [ada]} as unknown as TeamDay;
  expect(listOutcomes(run, day)).toMatchObject([
    {zone: 'Asia/Tokyo', isErased: false, standups: [{lateMs: 30 * 60_000}]},
    {name: null, zone: 'Europe/Berlin', isErased: true, standups: []},
  ]);
  expect(listOutcomes(run, undefined)[0]).toMatchObject({zone: 'America/New_York', standups: []});
});

it('a row counts expected runs, posts, late posts and each other status, and shows a dash when no one was expected', () => {
  const row = {...counts({posted: 2, holiday: 1, missed: 1}), late: 1, away: 3, skipped: 4, unreachable: 5};
  expect(listTableCounts({...row, expected: 4})).toEqual([4, 3, 1, 1, 5, 3, 1, 4]);
  expect(formatShare(counts({}))).toBe('–');
});

it('an empty chart says that there are no runs, no schedule, or no people in the runs', () => {
  expect(findReasonForNoChart(0, 0, null)).toBe('no-schedule');
  expect(findReasonForNoChart(0, 0, {})).toBe('no-run');
  expect(findReasonForNoChart(0, 0, undefined)).toBe('no-run');
  expect(findReasonForNoChart(1, 0, null)).toBe('no-members');
  expect(findReasonForNoChart(1, 1, null)).toBeUndefined();
});

import {afterAll, beforeAll, expect, it} from '@jest/globals';
import type {ShownStandup} from '../../../web/api/schema.ts';
import {
  listActiveFilters,
  findPresetStartDates,
  removeFilter,
  dropEmptyFilters,
  setStartDate,
  setSearchText,
} from '../../../web/history/filter.ts';
import {readHistorySearch} from '../../../web/history/search.ts';
import {findSearchMatches} from '../../../web/parts/standups/find-marks.ts';
import {findLineDifference} from '../../../web/parts/standups/line-difference.ts';
import {groupByDay, isEndNear, computePageProgress} from '../../../web/parts/standups/list-pages.ts';
import {putStandup, type StandupListPages, removeStandup} from '../../../web/parts/standups/put-standup.ts';
import {matchesFilter, toApiParameters} from '../../../web/parts/standups/standup-filter.ts';
import {addDays} from '../../../web/parts/days.ts';
import {dateInZone} from '../../../web/texts/format.ts';
import {type FakeBrowser, createFakeBrowser} from './browser.ts';

let browser: FakeBrowser;
beforeAll(async () => {
  browser = createFakeBrowser();
  await browser.speak('en-GB');
});
afterAll(() => browser.close());

it('a value in the address of the History page is accepted only if it is valid for its filter', () => {
  const said = {
    team: 'platform',
    author: 'me',
    from: '2026-02-28',
    to: '2026-02-31',
    source: 'Slack!',
    q: 2026,
    order: 'asc',
    colour: 'red',
  };
  expect(readHistorySearch(said)).toEqual({
    team: 'platform',
    author: 'me',
    from: '2026-02-28',
    q: '2026',
    order: 'asc',
  });
  expect(readHistorySearch({q: 'x'.repeat(500), from: null, to: {}})).toEqual({q: 'x'.repeat(100)});
});

it('search marks are at the right letters even when a change of case changes the number of letters', () => {
  const marked = (text: string, wanted: string) =>
    findSearchMatches(text, wanted).map(([start, end]) => text.slice(start, end));
  expect(marked('Retry, RETRY, re-try', 'retry')).toEqual(['Retry', 'RETRY']);
  expect(marked('İİ ALERT İ alert', 'alert')).toEqual(['ALERT', 'alert']);
  expect(marked('ΟΔΟΣ οδος', 'Οδος')).toEqual(['ΟΔΟΣ', 'οδος']);
  expect(marked('aaaa', 'aa')).toEqual(['aa', 'aa']);
  expect(marked('anything', '')).toEqual([]);
});

it('a difference retains every line of both texts in order, however long they are', () => {
  const of = (before: string, after: string) =>
    findLineDifference(before, after).map(({kind, text}) => `${kind[0]} ${text}`);
  expect(of('a\nb\nc', 'a\nx\nc\nd')).toEqual(['s a', 'g b', 'n x', 's c', 'n d']);
  expect(of('a', 'a')).toEqual(['s a']);
  const long = (text: string) => Array.from({length: 2_000}, (_, i) => `${text} ${i}`).join('\n');
  const lines = findLineDifference(long('old'), long('new'));
  const side = (other: 'gone' | 'new') =>
    lines.flatMap(({kind, text}) => (kind === other ? [] : [text])).join('\n');
  expect(side('new')).toBe(long('old'));
  expect(side('gone')).toBe(long('new'));
});

it('a new standup is inserted at its place in the pages, and none appears twice', () => {
  const standup = (id: string, date: string, created_at: string) =>
    ({id, date, created_at}) as unknown as ShownStandup;
  const page = (has_more: boolean, ...data: ShownStandup[]) => ({data, has_more, next_cursor: null});
  const pages: StandupListPages = {
    pageParams: [undefined, 'x'],
    pages: [
      page(true, standup('d', '2026-11-20', '4'), standup('c', '2026-11-19', '3')),
      page(true, standup('b', '2026-11-19', '2')),
    ],
  };
  const ids = (now: StandupListPages) => now.pages.map(({data}) => data.map(({id}) => id).join(''));
  expect(ids(putStandup(pages, standup('e', '2026-11-20', '5'), 'desc'))).toEqual(['edc', 'b']);
  expect(ids(putStandup(pages, standup('e', '2026-11-19', '2.5'), 'desc'))).toEqual(['dc', 'eb']);
  expect(ids(putStandup(pages, standup('e', '2026-11-01', '5'), 'desc'))).toEqual(['dc', 'b']);
  expect(ids(putStandup(pages, standup('d', '2026-11-20', '4'), 'desc'))).toEqual(['dc', 'b']);
  expect(ids(putStandup(pages, standup('d', '2026-11-18', '4'), 'desc'))).toEqual(['c', 'b']);
  expect(ids(removeStandup(pages, 'c'))).toEqual(['d', 'b']);
});

it('filters are set and removed one by one, and leave no empty value in the address', () => {
  const filter = {q: 'ticket', author: 'mem_grace', from: '2035-10-25'};
  expect(listActiveFilters(filter)).toEqual(['q', 'author', 'from']);
  expect(removeFilter(filter, 'from')).toEqual({q: 'ticket', author: 'mem_grace'});
  expect(setSearchText(filter, '')).toEqual({author: 'mem_grace', from: '2035-10-25'});
  expect(setSearchText({team: 'platform'}, 'x')).toEqual({team: 'platform', q: 'x'});
  expect(setStartDate({from: '2035-01-01', to: '2035-02-01', q: 'x'}, '2035-11-17')).toEqual({
    q: 'x',
    from: '2035-11-17',
  });
  expect(dropEmptyFilters({q: '', team: 'platform'})).toEqual({team: 'platform'});
});

it('a preset span of the History page includes today, and “this year” begins in January', () => {
  const now = Date.parse('2035-11-23T09:30:00Z');
  const today = dateInZone(now);
  expect(findPresetStartDates(now)).toEqual({
    week: addDays(today, -6),
    month: addDays(today, -29),
    year: '2035-01-01',
  });
});

it('a filter is sent with the API’s parameter names, and applies to new standups too', () => {
  const filter = {team: 'platform', author: 'me', from: '2035-11-01', to: '2035-11-23', q: 'RETRY'} as const;
  expect(toApiParameters({...filter, order: 'asc'})).toEqual({
    team: ['platform'],
    author: 'me',
    date_from: '2035-11-01',
    date_to: '2035-11-23',
    q: 'RETRY',
    order: 'asc',
  });
  const standup = {
    team: 'platform',
    team_id: 'team_1',
    author: {id: 'ada'},
    date: '2035-11-23',
    source: 'api',
    update: 'The retry page.',
  } as unknown as ShownStandup;
  expect(matchesFilter(standup, filter, 'ada')).toBe(true);
  expect(matchesFilter(standup, {team: 'team_1', source: 'api'}, '')).toBe(true);
  const others = [
    {team: 'data'},
    {author: 'me'},
    {from: '2035-11-24'},
    {to: '2035-11-22'},
    {source: 'slack'},
  ];
  for (const other of [...others, {q: 'tries'}]) expect(matchesFilter(standup, other, 'grace')).toBe(false);
});

it('pages load automatically until ten have standups, empty pages not counted, and at most 1,000 standups are shown', () => {
  const page = (standups: number) => ({data: Array.from({length: standups}, () => ({}) as ShownStandup)});
  const pages = (...counts: number[]) => counts.map(page);
  expect(computePageProgress([], true)).toEqual({isFull: false, emptyPages: 0, isFree: true});
  expect(computePageProgress(pages(1, 0, 0), true)).toEqual({isFull: false, emptyPages: 2, isFree: true});
  expect(computePageProgress(pages(1, 0, 0), false).isFree).toBe(false);
  const ten = Array.from({length: 10}, () => 50);
  expect(computePageProgress(pages(...ten.slice(1)), true).isFree).toBe(true);
  expect(computePageProgress(pages(...ten), true).isFree).toBe(false);
  expect(computePageProgress(pages(...ten.slice(1), 0, 0), true).isFree).toBe(true);
  expect(computePageProgress(pages(1, ...ten.map(() => 0)), true).isFree).toBe(false);
  expect(computePageProgress(pages(1_000), true)).toEqual({isFull: true, emptyPages: 0, isFree: false});
});

it('regression: the end of the list counts as near if the last entry of a busy browser’s report says so', () => {
  expect(isEndNear([{isIntersecting: false}, {isIntersecting: true}])).toBe(true);
  expect(isEndNear([{isIntersecting: true}, {isIntersecting: false}])).toBe(false);
  expect(isEndNear([])).toBe(false);
});

it('standups are grouped by day in the order in which they arrive', () => {
  const of = (id: string, date: string) => ({id, date}) as ShownStandup;
  const days = groupByDay([of('c', '2026-11-20'), of('b', '2026-11-19'), of('a', '2026-11-19')]);
  expect(days.map(([day, standups]) => [day, standups.map(({id}) => id).join('')])).toEqual([
    ['2026-11-20', 'c'],
    ['2026-11-19', 'ba'],
  ]);
});

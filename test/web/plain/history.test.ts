import {expect, it} from '@jest/globals';
import {readHistorySearch} from '../../../web/history/search.ts';
import {findMarks} from '../../../web/parts/standups/find-marks.ts';
import {findLineDifference} from '../../../web/parts/standups/line-difference.ts';
import {putStandup, type StandupPages, takeStandup} from '../../../web/parts/standups/place-standup.ts';
import type {ShownStandup} from '../../../web/parts/standups/standup-filter.ts';

it('a value in the address of History is taken only where it can be a filter', () => {
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

it('marks stand where the letters are, whatever the case does to their number', () => {
  const marked = (text: string, wanted: string) =>
    findMarks(text, wanted).map(([start, end]) => text.slice(start, end));
  expect(marked('Retry, RETRY, re-try', 'retry')).toEqual(['Retry', 'RETRY']);
  expect(marked('İİ ALERT İ alert', 'alert')).toEqual(['ALERT', 'alert']);
  expect(marked('ΟΔΟΣ οδος', 'Οδος')).toEqual(['ΟΔΟΣ', 'οδος']);
  expect(marked('aaaa', 'aa')).toEqual(['aa', 'aa']);
  expect(marked('anything', '')).toEqual([]);
});

it('a difference keeps every line of both texts in order, however long they are', () => {
  const of = (before: string, after: string) =>
    findLineDifference(before, after).map(({kind, text}) => `${kind[0]} ${text}`);
  expect(of('a\nb\nc', 'a\nx\nc\nd')).toEqual(['s a', 'g b', 'n x', 's c', 'n d']);
  expect(of('a', 'a')).toEqual(['s a']);
  const long = (word: string) => Array.from({length: 2_000}, (_, i) => `${word} ${i}`).join('\n');
  const lines = findLineDifference(long('old'), long('new'));
  const side = (other: 'gone' | 'new') =>
    lines.flatMap(({kind, text}) => (kind === other ? [] : [text])).join('\n');
  expect(side('new')).toBe(long('old'));
  expect(side('gone')).toBe(long('new'));
});

it('a standup that comes in takes its place in the pages, and none twice', () => {
  const standup = (id: string, date: string, created_at: string) =>
    ({id, date, created_at}) as unknown as ShownStandup;
  const page = (has_more: boolean, ...data: ShownStandup[]) => ({data, has_more, next_cursor: null});
  const pages: StandupPages = {
    pageParams: [undefined, 'x'],
    pages: [
      page(true, standup('d', '2026-11-20', '4'), standup('c', '2026-11-19', '3')),
      page(true, standup('b', '2026-11-19', '2')),
    ],
  };
  const ids = (now: StandupPages) => now.pages.map(({data}) => data.map(({id}) => id).join(''));
  expect(ids(putStandup(pages, standup('e', '2026-11-20', '5'), 'desc'))).toEqual(['edc', 'b']);
  expect(ids(putStandup(pages, standup('e', '2026-11-19', '2.5'), 'desc'))).toEqual(['dc', 'eb']);
  expect(ids(putStandup(pages, standup('e', '2026-11-01', '5'), 'desc'))).toEqual(['dc', 'b']);
  expect(ids(putStandup(pages, standup('d', '2026-11-20', '4'), 'desc'))).toEqual(['dc', 'b']);
  expect(ids(putStandup(pages, standup('d', '2026-11-18', '4'), 'desc'))).toEqual(['c', 'b']);
  expect(ids(takeStandup(pages, 'c'))).toEqual(['d', 'b']);
});

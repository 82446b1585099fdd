import {describe, expect, it} from '@jest/globals';
import {readCsv} from '../../../packages/import-files/src/read-csv.js';
import type {Schema} from '../../../web/api/schema.ts';
import {findUnclearDates, isSource, listExamples} from '../../../web/imports/columns.ts';
import {runInSlices} from '../../../web/imports/in-slices.ts';
import {findAuthorKey, listAuthors, toImportPeople} from '../../../web/imports/people.ts';
import {addToReport, emptyReport, type FileRow} from '../../../web/imports/report.ts';
import {assignTeams} from '../../../web/imports/teams.ts';
import {canTakeBack} from '../../../web/imports/taking-back.ts';
import {listNamesOfAuthor} from '../../../src/domain/imports/import.js';

const ada = {name: 'Ada', email: 'Ada@Example.com'};
const charles = {name: 'Charles'};
const row = (line: number, more: object = {}): FileRow => ({
  line,
  row: {external_id: `r${line}`, team: 'platform', date: '2024-03-14', author: ada, update: 'One.', ...more},
});

describe('people of a file', () => {
  it.each([
    [ada],
    [charles],
    [{name: 'Ada', email: 'ada@example.com', external_id: 'U1'}],
    [{name: 'name:x'}],
  ])('%j has the name by which the service tells authors apart', (author) => {
    expect(findAuthorKey(author)).toBe(listNamesOfAuthor(author)[0]);
  });

  it('are listed once, those without an address first, with the number of their standups', () => {
    const authors = [ada, {...ada, email: 'ada@example.com'}, charles].map((author) => ({author}));
    expect(listAuthors(authors)).toMatchObject([
      {name: 'Charles', email: undefined, rows: 1},
      {name: 'Ada', rows: 2},
    ]);
  });

  it('are named to the service only where a person has decided', () => {
    const authors = listAuthors([{author: ada}, {author: charles}]);
    const choices = {'name:Charles': null, 'name:Someone of another file': 'former'};
    expect(toImportPeople(authors, choices)).toEqual([{person: 'Charles', by: 'name', member: null}]);
  });
});

describe('the report of an import', () => {
  const counts = {...emptyReport.counts, created: 1, bad_date: 1};
  const sent = [
    row(2),
    row(3, {date: '1999-01-01'}),
    row(4, {date: undefined, posted_at: '2024-03-15T23:30:00Z'}),
  ];
  const answer: Schema<'AddedRows'> = {
    object: 'import_rows',
    import: 'imp_1',
    counts,
    near_midnight: 1,
    not_created: [{index: 1, outcome: 'bad_date', errors: []}],
    authors: [{index: 0, member: 'mem_1', former: false}],
  };

  it('has the days of each team, people, and examples with their lines', () => {
    const report = addToReport(emptyReport, sent, answer, () => 'Europe/Berlin');
    expect(report.counts).toEqual(counts);
    expect([...report.teams]).toEqual([['platform', {created: 2, from: '2024-03-14', until: '2024-03-16'}]]);
    expect(report.examples.get('bad_date')).toMatchObject([{line: 3}]);
    expect([...report.people.values()]).toEqual([{name: 'Ada', member: 'mem_1', isFormer: false}]);
    expect(report.nearMidnight).toBe(1);
  });

  it('keeps five examples of each reason, of any number of rows', () => {
    const many = Array.from({length: 100}, (_, i) => row(i));
    const refused = many.map((_, index) => ({index, outcome: 'bad_date', errors: []}));
    const report = addToReport(
      emptyReport,
      many,
      {...answer, not_created: refused, authors: []},
      () => 'UTC',
    );
    expect(report.examples.get('bad_date')).toHaveLength(5);
    expect(report.teams.size).toBe(0);
  });
});

describe('the columns of a file', () => {
  const table = readCsv('date;text\n03/04/2024;  One\n\nline\n05/06/2024;Two\n');

  it('have the first rows as examples, each in one line', () => {
    expect(listExamples(readCsv('a,b\n"x\ny",\n2,\n'), 0)).toEqual(['x y', '2']);
    expect(listExamples(table, 7)).toEqual([]);
  });

  it('need the order of day and month if no date shows it, or if dates show both', () => {
    expect(findUnclearDates(table, ['date', 'update'])).toMatchObject({
      example: '03/04/2024',
      isMixed: false,
    });
    const clear = readCsv('date\n03/04/2024\n25/06/2024\n');
    expect(findUnclearDates(clear, ['date'])).toBeUndefined();
    expect(findUnclearDates(readCsv('date\n13/04/2024\n04/13/2024\n'), ['date'])).toMatchObject({
      isMixed: true,
    });
  });

  it.each([
    ['geekbot', true],
    ['Geekbot', false],
    ['', false],
    ['a b', false],
    ['-csv', false],
  ])('can have the source %j: %s', (name, is) => {
    expect(isSource(name)).toBe(is);
  });
});

describe('rows in teams', () => {
  const slugs = new Map([
    ['Platform', 'platform'],
    ['Sales', null],
  ]);

  it('leave out those of teams that have none here, and all but the first of those with one id', () => {
    const rows = [
      row(2, {team: 'Platform'}),
      row(3, {team: 'Sales'}),
      {...row(2, {team: 'Platform'}), line: 4},
    ];
    const {rows: assigned, unsent} = assignTeams(rows, slugs);
    expect(assigned).toEqual([row(2)]);
    expect(unsent).toEqual({ofOtherTeams: 1, repeated: 1});
  });
});

describe('taking back', () => {
  const now = Date.parse('2026-11-28T12:00:00Z');
  const done = {
    state: 'completed',
    dry_run: false,
    created_at: '2026-11-01T00:00:00Z',
    counts: {...emptyReport.counts, created: 3},
  } as const;
  it.each([
    ['a finished import of this month', {}, true],
    ['one of more than 30 days ago', {created_at: '2026-10-28T00:00:00Z'}, false],
    ['a check', {dry_run: true}, false],
    ['one that is being taken back', {state: 'removing'}, false],
    ['one that created nothing', {counts: emptyReport.counts}, false],
  ])('is offered for %s: %s', (_, change, is) => {
    expect(canTakeBack({...done, ...change} as never, now)).toBe(is);
  });
});

describe('work in slices', () => {
  it('has the result of all its steps, and ends early when it is aborted', async () => {
    function* count(most: number) {
      for (let i = 0; i < most; i++) yield;
      return most;
    }
    expect(await runInSlices(count(10), new AbortController().signal)).toBe(10);
    const ending = new AbortController();
    function* forEver() {
      for (;;) yield;
    }
    const endless = runInSlices(forEver(), ending.signal);
    ending.abort();
    await expect(endless).rejects.toThrow();
  });
});

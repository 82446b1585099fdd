import {describe, expect, it} from '@jest/globals';
import {findColumnsErrors, guessColumns} from '../../packages/import-files/src/columns.js';
import {applyTeams, guessTeam, listSourceTeams, mapFile} from '../../packages/import-files/src/map-rows.js';
import {readCsv} from '../../packages/import-files/src/read-csv.js';
import {isNdjson, readNdjson} from '../../packages/import-files/src/read-ndjson.js';
import {
  computeFingerprint,
  cutText,
  fitAnswers,
  type ImportRow,
  splitIntoRequests,
} from '../../packages/import-files/src/rows.js';

function mapCsv(text: string, options: Omit<Parameters<typeof mapFile>[1], 'columns'> = {}) {
  const table = readCsv(text);
  return mapFile(table, {columns: guessColumns(table), ...options});
}

describe('the columns of a file', () => {
  it.each([
    [
      'Date,Email,Name,Team,Update,ID',
      ['date', 'author_email', 'author_name', 'team', 'update', 'external_id'],
    ],
    [
      'Report ID;User Id;userName;Standup Name;Posted At;What did you do yesterday?;question: Any blockers',
      ['external_id', 'author_id', 'author_name', 'team', 'posted_at', 'question', 'question'],
    ],
    [
      'timestamp\tMember\tcheck-in\tTime zone\tWhat will you do today\tMood',
      ['posted_at', 'author_name', 'team', 'timezone', 'question', null],
    ],
    ['Name,User,Date,Day', ['author_name', null, 'date', null]],
  ])('are guessed by the names %j', (header, columns) => {
    expect(guessColumns(readCsv(`${header}\nx`))).toEqual(columns);
  });

  it('are refused without a date, an author, a text or a team, and with one of them twice', () => {
    expect(findColumnsErrors([null])).toEqual([
      {missing: 'date'},
      {missing: 'author'},
      {missing: 'text'},
      {missing: 'team'},
    ]);
    expect(findColumnsErrors(['date', 'author_id', 'question', 'question'], 'platform')).toEqual([]);
    expect(findColumnsErrors(['date', 'date', 'author_id', 'update', 'team'])).toEqual([{twice: 'date'}]);
  });
});

describe('a record of a file', () => {
  it('becomes a row with its answers under the questions of the header', () => {
    const {rows, errors} = mapCsv(
      [
        'id,posted at,author,email,team,question: Yesterday,Today?',
        '7431,2024-03-14T09:05:00Z,Ada  Lovelace,ada@example.com,Platform,"Shipped\r\nit.",',
      ].join('\n'),
    );
    expect(errors).toEqual([]);
    expect(rows).toEqual([
      {
        line: 2,
        row: {
          external_id: '7431',
          team: 'Platform',
          posted_at: '2024-03-14T09:05:00.000Z',
          author: {name: 'Ada Lovelace', email: 'ada@example.com'},
          answers: [{question: 'question_1', label: 'Yesterday', type: 'text', value: 'Shipped\nit.'}],
        },
      },
    ]);
  });

  it('without a date, an author, a text or a team is named with its line and the error', () => {
    const {rows, errors} = mapCsv(
      [
        'date,author,team,text',
        ',Ada,Platform,x',
        '2024-03-14,,Platform,x',
        '2024-03-14,Ada,,x',
        '2024-03-14,Ada,Platform,\u200b',
        '2024-02-30,Ada,Platform,x',
        '01/02/2024,Ada,Platform,x',
        '2024-03-14,Ada,Platform,x,y',
      ].join('\n'),
    );
    expect(rows).toEqual([]);
    expect(errors.map(({line, error}) => [line, error])).toEqual([
      [2, 'no_date'],
      [3, 'no_author'],
      [4, 'no_team'],
      [5, 'no_text'],
      [6, 'not_a_date'],
      [7, 'date_order_unknown'],
      [8, 'too_many_cells'],
    ]);
  });

  it('is read in the order of day and month that another date of its column shows', () => {
    const {rows} = mapCsv('date,author,team,text\n03/04/2024,Ada,a,x\n14/03/2024,Ada,a,x');
    expect(rows.map(({row}) => row.date)).toEqual(['2024-04-03', '2024-03-14']);
  });

  it('keeps the written day of a time without a zone, and is counted', () => {
    const {rows, withoutZone} = mapCsv('timestamp,author,team,text\n2024-03-14 23:30,Ada,a,x');
    expect(rows[0]?.row).toMatchObject({date: '2024-03-14'});
    expect(withoutZone).toBe(1);
  });

  it('keeps the written day of a date that is midnight in UTC', () => {
    const {rows} = mapCsv(
      'date,author,team,text\n2024-03-14T00:00:00Z,Ada,a,x\n2024-03-14T01:00:00Z,Ada,a,x',
    );
    expect(rows.map(({row}) => [row.date, row.posted_at])).toEqual([
      ['2024-03-14', undefined],
      [undefined, '2024-03-14T01:00:00.000Z'],
    ]);
  });

  it('loses the end of a text that is too long, and is counted', () => {
    const {rows, cut} = mapCsv(
      `date,author,team,text\n2024-03-14,Ada,a,${'x'.repeat(4_001)}\n2024-03-14,Ada,a,y`,
    );
    expect(rows[0]?.row.update).toMatch(/^x{3998} …$/);
    expect(cut).toBe(1);
  });
});

describe('a record without an id', () => {
  const head = 'date,author,team,text';
  const idsOf = (text: string, options = {}) => mapCsv(text, options).rows.map(({row}) => row.external_id);

  it('has the same one in each reading, whatever the delimiter and the meaning of the columns', () => {
    const [id] = idsOf(`${head}\n2024-03-14,Ada,a,x`);
    expect(id).toMatch(/^row-[0-9a-z]{22}$/);
    expect(idsOf(`${head}\n2024-03-15,Ada,a,x\n2024-03-14,Ada,a,x`)[1]).toBe(id);
    expect(idsOf(`${head.replaceAll(',', ';')}\r\n2024-03-14;Ada;a;"x"\r\n`)).toEqual([id]);
    expect(idsOf('date,author,team,note\n2024-03-14,Ada,a,x', {team: 'b'})).toEqual([id]);
  });

  it('is counted among equal ones', () => {
    const ids = idsOf(`${head}\n2024-03-14,Ada,a,x\n2024-03-14,Ada,a,x\n2024-03-14,Ada,a,y`);
    expect(new Set(ids).size).toBe(3);
    expect(ids[1]).toBe(`${ids[0]}-2`);
  });

  it('has one that does not change with a later version', () => {
    expect(computeFingerprint('Ada')).toBe('25m9qa0ickz1nivx87111e');
  });

  it('has one of its own among 200,000 similar ones', () => {
    const prints = Array.from({length: 200_000}, (_, index) => computeFingerprint(`["${index}","x"]`));
    expect(new Set(prints).size).toBe(prints.length);
    expect(new Set(prints.map((one) => one.slice(0, 11))).size).toBe(prints.length);
  });
});

describe('texts of a row', () => {
  it('lose control characters and broken halves of characters, which the API refuses', () => {
    const {rows} = mapCsv('date,author,team,text\n2024-03-14,A\u001b[2Jda,a,x\u0000\u009by\ud800');
    expect(rows[0]?.row).toMatchObject({author: {name: 'A[2Jda'}, update: 'xy\ufffd'});
  });

  it('that are answers fit together into one standup, and the short ones stay whole', () => {
    const answers = fitAnswers([
      {label: 'Long?', text: 'a'.repeat(3_000)},
      {label: 'Short?', text: 'kept'},
      {label: 'Long too?', text: '😀'.repeat(3_000)},
      {label: 'Empty?', text: ' \n'},
      {label: '', text: 'b'.repeat(1_900)},
    ]);
    expect(answers.map(({label}) => label)).toEqual(['Long?', 'Short?', 'Long too?', '?']);
    expect(answers[1]?.value).toBe('kept');
    const total = answers.reduce(
      (sum, {label, value}) => sum + label.length + Array.from(value).length + 4,
      0,
    );
    expect(total).toBeLessThanOrEqual(4_000);
    expect(total).toBeGreaterThan(3_900);
  });

  it('are cut between characters', () => {
    expect(cutText('😀😀😀😀', 3)).toBe('😀 …');
    expect(cutText('😀😀😀', 3)).toBe('😀😀😀');
  });
});

it('requests have at most 100 rows and 64 KiB, and all rows in their order', () => {
  const rows = Array.from({length: 450}, (_, index) => ({
    external_id: String(index),
    update: index < 150 ? 'short' : 'ä'.repeat(index),
  }));
  const requests = Array.from(splitIntoRequests(rows));
  expect(requests.flat()).toEqual(rows);
  for (const request of requests) {
    expect(request.length).toBeLessThanOrEqual(100);
    expect(Buffer.byteLength(JSON.stringify({rows: request}))).toBeLessThanOrEqual(64 * 1_024);
  }
  expect(requests[0]).toHaveLength(100);
  expect(requests.length).toBeLessThan(12);
});

it('a file of lines of JSON gives its rows as they are, and the lines that are none', () => {
  const row = {external_id: '1', team: 'a', date: '2024-03-14', author: {name: 'Ada'}, update: 'x'};
  const others = [
    {date: 5},
    {posted_at: {}},
    {timezone: []},
    {update: 1},
    {answers: 'x'},
    {answers: [null]},
    {answers: [{label: 1, value: 'x'}]},
    {author: {name: 'Ada', email: 5}},
    {author: {name: 'Ada', external_id: {}}},
    {author: null},
  ].map((more) => JSON.stringify({...row, ...more}));
  const text = `\uFEFF${JSON.stringify(row)}\r\n\n{"team": "a"}\n[]\nnot JSON\n${others.join('\n')}`;
  expect(isNdjson(text)).toBe(true);
  expect(isNdjson('date,author')).toBe(false);
  expect(readNdjson(text)).toMatchObject({
    rows: [{line: 1, row}],
    errors: [
      {line: 3, error: 'no_row'},
      {line: 4, error: 'no_row'},
      {line: 5, error: 'no_row'},
      ...others.map((_, index) => ({line: 6 + index, error: 'no_row'})),
    ],
  });
  expect(() => readNdjson('{"a": 1}')).toThrow(expect.objectContaining({reason: 'no_rows'}));
});

it('teams of the source are those here by name or short name, and rows of others are left out', () => {
  const here = [
    {slug: 'platform', name: 'Platform Team'},
    {slug: 'mobile-apps', name: 'Apps'},
    {slug: 'twin-1', name: 'Twin'},
    {slug: 'twin-2', name: 'Twin'},
  ];
  expect(guessTeam('platform TEAM', here)?.slug).toBe('platform');
  expect(guessTeam('Platform', here)?.slug).toBe('platform');
  expect(guessTeam(' Mobile — Apps! ', here)?.slug).toBe('mobile-apps');
  expect(guessTeam('Twin', here)).toBeUndefined();
  const row = (team: string): ImportRow => ({external_id: team, team, author: {name: 'Ada'}});
  const rows = ['A', 'B', 'B', 'C'].map(row);
  expect(listSourceTeams(rows)).toEqual([
    {name: 'B', rows: 2},
    {name: 'A', rows: 1},
    {name: 'C', rows: 1},
  ]);
  const mapped = applyTeams(
    rows,
    new Map([
      ['B', 'platform'],
      ['C', null],
    ]),
  );
  expect(mapped.map(({team}) => team)).toEqual(['platform', 'platform']);
});

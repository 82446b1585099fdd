import {get, type IncomingMessage} from 'node:http';
import diagnostics from 'node:diagnostics_channel';
import type {ServerResponse} from 'node:http';
import {afterAll, afterEach, beforeAll, describe, expect, it} from '@jest/globals';
import {standupColumns} from '../../../src/api/http/export-columns.js';
import {streamNdjson} from '../../../src/api/http/exports.js';
import {closeRun, seedRun} from '../../support/seed-runs.js';
import {seedStandups} from '../../support/seed-standups.js';
import {
  type Json,
  startService,
  type TestResponse,
  type TestService,
  type TestWorkspace,
} from '../../support/service.js';
import {until} from '../../support/until.js';
import {expectProblem} from '../http/expect-problem.js';
import {addPerson} from '../people.js';
import {make} from '../samples.js';

const exportColumns = standupColumns.map(([name]) => name);

let service: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.close());

it('regression: an export without a match checks at every page whether its client is still connected', async () => {
  let asked = 0;
  async function* nothing() {
    for (;;) yield [];
  }
  const write = async () => {
    asked += 1;
    if (asked === 3) throw new Error('the reader has gone');
  };
  const {signal} = new AbortController();
  await expect(streamNdjson(nothing())({write, signal})).rejects.toThrow('gone');
  expect(asked).toBe(3);
});

const exported = (query = '', headers: Record<string, string> = {}): Promise<TestResponse> =>
  workspace.request('GET', `/v1/export${query}`, {headers});

const linesOf = ({text}: TestResponse): Json[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines += 1;
  return lines;
}

/** Parses RFC 4180, independently of the code that writes it. */
function readCsv(text: string): string[][] {
  const records: string[][] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  let record: string[] = [];
  for (let at = 0; at < text.length; at = cell.lastIndex) {
    cell.lastIndex = at;
    const found = cell.exec(text);
    if (found === null) throw new Error(`no CSV at ${at}: ${text.slice(at, at + 40)}`);
    record.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '');
    if (found[3] === ',') continue;
    records.push(record);
    record = [];
  }
  return records;
}

describe('an export', () => {
  const tricky = [
    'Plain.',
    'With "quotes", commas, and\r\ntwo lines',
    'Umlaut ä, 😀, \u2028 and a tab\tinside',
    '=HYPERLINK("http://evil.example")',
    '+1',
    '-1',
    '@SUM(A1)',
    '\tTAB',
    '\rCR',
    '  =1+1',
    '"=1+1',
    '＝1+1',
    "'quoted",
    '5 - 3 = 2',
  ];
  // A spreadsheet that expects another separator starts a cell in the middle of this text.
  const separated = [
    ['shipped;=1+1', "shipped;'=1+1"],
    ['one\n=1+1\r\n "@SUM(A1)', "one\n'=1+1\r\n' \"@SUM(A1)"],
    ['a\t=1|+2; -3', "a\t'=1|'+2;' -3"],
    ['a; b\nc', 'a; b\nc'],
  ] as const;
  let all: Json[];

  beforeAll(async () => {
    workspace = await service.addWorkspace();
    await make(workspace, '/v1/teams', {slug: 'data'});
    for (const [i, update] of [...tricky, ...separated.map(([text]) => text)].entries()) {
      await make(workspace, '/v1/standups', {
        team: i % 3 === 0 ? 'data' : 'platform',
        update,
        metadata: {i: String(i), 'k"ey': '=1'},
      });
    }
    all = (await workspace.request('GET', '/v1/standups?limit=100')).body.data;
  });

  it('contains as NDJSON each standup as the list shows it, one per line', async () => {
    const answer = await exported('?format=ndjson');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson');
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="standups-\d{4}-\d{2}-\d{2}\.ndjson"$/,
    );
    expect(linesOf(answer)).toEqual(all);
  });

  it('contains as CSV a header, CRLF, and every text unchanged except for what a spreadsheet would run', async () => {
    const answer = await exported('?format=csv');
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(answer.headers.get('content-disposition')).toMatch(/filename="standups-[\d-]{10}\.csv"$/);
    const [head, ...rows] = readCsv(answer.text);
    expect(head).toEqual([...exportColumns]);
    const column = (name: string) => rows.map((row) => row[exportColumns.indexOf(name)] ?? '');
    expect(column('id')).toEqual(all.map(({id}) => id));
    expect(column('metadata').map((text) => JSON.parse(text))).toEqual(all.map(({metadata}) => metadata));
    expect(column('revision')).toEqual(all.map(() => '1'));
    const dangerous = tricky.slice(3, 12);
    expect(column('update').toReversed().slice(0, tricky.length)).toEqual(
      tricky.map((text) => (dangerous.includes(text) ? `'${text}` : text)),
    );
    expect(answer.text.replaceAll('\r\n', '')).toContain('two lines');
    for (const row of rows) expect(row).toHaveLength(exportColumns.length);
  });

  it('regression: contains as CSV no formula in a cell that begins behind another separator, or on another line', async () => {
    const [, ...rows] = readCsv((await exported('?format=csv')).text);
    const updates = rows.map((row) => row[exportColumns.indexOf('update')]).toReversed();
    expect(updates.slice(tricky.length)).toEqual(separated.map(([, cell]) => cell));
  });

  it('contains the same standups as the list with the same filters, in the same order', async () => {
    const author = all[0].author.id;
    for (const filters of [
      'team=data',
      'team=data,platform',
      'order=asc',
      'q=TAB',
      `author=${author}&team=platform`,
      'source=slack',
    ]) {
      const list = (await workspace.request('GET', `/v1/standups?limit=100&${filters}`)).body.data;
      expect(linesOf(await exported(`?format=ndjson&${filters}`))).toEqual(list);
    }
  });

  it('an export as CSV has a formatted text also without marks, with no formula in it', async () => {
    const body = {team: 'data', update: '**=1+1** `x`', format: 'markdown'};
    const posted = await make(workspace, '/v1/standups', body);
    const [, row] = readCsv((await exported('?format=csv&q=1 x')).text);
    expect(row?.slice(-2)).toEqual(['markdown', "'=1+1 x"]);
    await workspace.request('DELETE', `/v1/standups/${posted.id}`);
  });

  it('is an empty text, or a header alone, if there are no standups', async () => {
    expect((await exported('?format=ndjson&date=1999-01-01')).text).toBe('');
    expect((await exported('?format=csv&date=1999-01-01')).text).toBe(`${exportColumns.join(',')}\r\n`);
  });

  it('has the requested format, by parameter or by Accept', async () => {
    const type = async (query: string, accept?: string) => {
      const {headers} = await exported(query, accept === undefined ? {} : {accept});
      return headers.get('content-type')?.split(';')[0];
    };
    expect(await type('')).toBe('application/x-ndjson');
    expect(await type('', 'text/csv')).toBe('text/csv');
    expect(await type('', 'text/*')).toBe('text/csv');
    expect(await type('?format=csv', 'text/csv, */*;q=0.1')).toBe('text/csv');
    expectProblem(await exported('', {accept: 'application/json'}), 'not_acceptable');
    expectProblem(await exported('?format=csv', {accept: 'application/x-ndjson'}), 'not_acceptable');
  });

  it('is refused, before anything is sent, for an unknown team, a parameter of pages, or an unknown format', async () => {
    expectProblem(await exported('?team=nobody'), 'team_not_found', {parameter: 'team'});
    expectProblem(await exported('?limit=10'), 'invalid_parameter', {parameter: 'limit'});
    expectProblem(await exported('?cursor=x'), 'invalid_parameter', {parameter: 'cursor'});
    expectProblem(await exported('?format=xml'), 'invalid_parameter', {parameter: 'format'});
  });

  it('answers HEAD like GET, without a body', async () => {
    const head = await workspace.request('HEAD', '/v1/export?format=csv');
    expect({status: head.status, text: head.text}).toEqual({status: 200, text: ''});
    expect(head.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
  });
});

describe('a large export', () => {
  const count = 3_000;
  const responses: ServerResponse[] = [];
  const note = (message: unknown): void => {
    const {request, response} = message as {request: IncomingMessage; response: ServerResponse};
    if (request.url?.startsWith('/v1/export')) responses.push(response);
  };
  let ids: string[];

  beforeAll(async () => {
    workspace = await service.addWorkspace();
    // 4 KB each, 12 MB in total.
    ids = await seedStandups(service.redisUrl, workspace, {count, update: (i) => `${i} `.padEnd(3_600, 'x')});
    diagnostics.subscribe('http.server.request.start', note);
  }, 120_000);

  afterAll(() => void diagnostics.unsubscribe('http.server.request.start', note));
  afterEach(() => void responses.splice(0));

  function open(url: string): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const headers = {authorization: `Bearer ${workspace.token}`};
      get(`${url}/v1/export`, {headers, agent: false}, resolve).once('error', reject);
    });
  }

  it('costs the service no more memory than a small one', async () => {
    const client = await open(service.url);
    const response = await until(() => responses[0], {what: 'the response'});
    // The client reads nothing yet, so the sent data waits in `response`.
    let most = await until(() => response.writableLength || undefined, {
      what: 'a part that waits to be sent',
    });
    let lines = 0;
    for await (const chunk of client) {
      lines += countLines(chunk as Buffer);
      most = Math.max(most, response.writableLength);
      // The client reads more slowly than the store is read.
      await workspace.request('GET', '/v1/me');
    }
    expect(lines).toBe(count);
    expect(most).toBeLessThan(512 * 1024);
  }, 60_000);

  it('waits for a client that does not read, with only a small buffer', async () => {
    const client = await open(service.url);
    client.pause();
    client.on('error', () => undefined);
    const response = await until(() => responses.find((one) => one.writableNeedDrain), {
      what: 'a full socket',
    });
    let most = 0;
    for (let i = 0; i < 20; i++) {
      await workspace.request('GET', '/v1/me');
      most = Math.max(most, response.writableLength);
    }
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(512 * 1024);
    expect(response.writableFinished).toBe(false);
    // The export continues when the client reads.
    let lines = 0;
    for await (const chunk of client) lines += countLines(chunk as Buffer);
    expect(lines).toBe(count);
  }, 60_000);

  it('is cut off if it fails on the way, so that its client notices', async () => {
    const {value, id} = await workspace.addToken({name: 'short'});
    const client = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = {authorization: `Bearer ${value}`};
      get(`${service.url}/v1/export`, {headers, agent: false}, resolve).once('error', reject);
    });
    client.pause();
    await until(() => responses.find((one) => one.writableNeedDrain), {what: 'a full socket'});
    await service.core.services.tokens.revokeToken(workspace.operator(), id);
    const read = async () => {
      for await (const _ of client);
    };
    await expect(read()).rejects.toThrow(/aborted/);
    expect(client.complete).toBe(false);
  }, 60_000);

  it('contains every standup once', async () => {
    let text = '';
    const seen: string[] = [];
    const client = await open(service.url);
    client.setEncoding('utf8');
    for await (const chunk of client) {
      const lines = (text + (chunk as string)).split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) seen.push(line.slice(7, line.indexOf('"', 7)));
    }
    expect(seen).toHaveLength(count);
    expect(seen.toSorted()).toEqual(ids.toSorted());
  }, 60_000);
});

describe('exports of absences and of participation', () => {
  const csv = async (path: string) => {
    const {status, headers, text} = await workspace.request('GET', path, {headers: {accept: 'text/csv'}});
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8; header=present']);
    const [head = '', ...rows] = text.trimEnd().split('\r\n');
    return rows.map((row) => {
      const cells = row.split(',');
      return Object.fromEntries(head.split(',').map((name, i) => [name, cells[i]]));
    });
  };

  it('regression: contain absences as CSV and as NDJSON, with the filters of the list', async () => {
    const own = await service.addWorkspace();
    const ada = await addPerson(service, own, {name: 'Ada', email: 'ada@example.com', team: 'platform'});
    const bob = await addPerson(service, own, {name: 'Bob', team: 'platform'});
    workspace = own;
    const away = {from: '2027-01-04', until: '2027-01-08', reason: '=SUM(A1)'};
    await make(own, '/v1/absences', {member: ada.id, ...away});
    await make(own, '/v1/absences', {member: bob.id, from: '2027-02-01', until: null});
    expect(await csv('/v1/export/absences?member=ada@example.com')).toMatchObject([
      {
        member_id: ada.id,
        member_name: 'Ada',
        kind: 'away',
        from: '2027-01-04',
        until: '2027-01-08',
        reason: "'=SUM(A1)",
      },
    ]);
    const {text} = await own.request('GET', '/v1/export/absences?from=2027-01-01');
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toEqual((await own.request('GET', '/v1/absences?from=2027-01-01')).body.data);
    expectProblem(await own.request('GET', '/v1/export/absences?team=nobody'), 'team_not_found');
  });

  it('regression: contain participation as CSV, by date and by member, with the same counts', async () => {
    const own = await service.addWorkspace();
    const ada = await addPerson(service, own, {name: 'Ada', team: 'platform'});
    workspace = own;
    const date = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
    const participants = [{member: ada.id, timezone: null}];
    await closeRun(
      service,
      own,
      await seedRun(service, own, {date, closes_at: `${date}T10:00:00.000Z`, participants}),
    );
    expect(await csv('/v1/export/participation?team=platform')).toMatchObject([
      {by: 'date', date, member_id: '', expected: '1', missed: '1', participation: '0'},
      {by: 'member', date: '', member_id: ada.id, member_name: 'Ada', expected: '1', participation: '0'},
    ]);
  });
});

import './channel.ts';
import {afterAll, afterEach, beforeAll, beforeEach, expect, it} from '@jest/globals';
import type {FileRow} from '../../../web/imports/report.ts';
import type * as runModule from '../../../web/imports/run.ts';
import {until} from '../../support/until.ts';

/** The globals of a page that the code of a run uses. */
const globals = [
  'location',
  'document',
  'fetch',
  'setTimeout',
  'addEventListener',
  'removeEventListener',
] as const;
const before = globals.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);
const leaving = new EventTarget();
const {setTimeout: start} = globalThis;

/** Requests to `/v1/imports` since the start of the test. */
let asked: {path: string; key: string | null; body: {rows?: {external_id: string}[]; dry_run?: boolean}}[];
/** The statuses of the next answers to requests with rows; then they are accepted. */
let statuses: (number | 'none')[];
let run: typeof runModule;

beforeAll(async () => {
  const parts = {
    location: {origin: 'http://127.0.0.1:1'},
    document: {documentElement: {lang: ''}},
    fetch: answer,
    // The timer of a request runs on after its answer, and would keep Node from its end.
    setTimeout: (act: () => void, ms?: number) => start(act, ms).unref(),
    addEventListener: leaving.addEventListener.bind(leaving),
    removeEventListener: leaving.removeEventListener.bind(leaving),
  };
  for (const [name, value] of Object.entries(parts))
    Object.defineProperty(globalThis, name, {value, configurable: true, writable: true});
  run = await import('../../../web/imports/run.ts');
});

beforeEach(() => {
  asked = [];
  statuses = [];
});

afterEach(() => {
  run.stopRun();
  run.importRun.set(undefined);
});

afterAll(() => {
  for (const [name, own] of before) {
    if (own === undefined) Reflect.deleteProperty(globalThis, name);
    else Object.defineProperty(globalThis, name, own);
  }
});

async function answer(path: string, {headers, body, signal}: RequestInit = {}): Promise<Response> {
  if (path === '/app/session/token') {
    const later = new Date(Date.now() + 600_000).toISOString();
    return Response.json({
      token: `x.${btoa(JSON.stringify({sub: 'mem_1'}))}.x`,
      expires_at: later,
      scopes: [],
      confirmed_until: later,
    });
  }
  const sent = typeof body === 'string' && body !== '' ? JSON.parse(body) : {};
  asked.push({path, key: new Headers(headers).get('idempotency-key'), body: sent});
  if (!path.endsWith('/rows')) return Response.json({id: 'imp_1', object: 'import'});
  const status = statuses.shift();
  if (status === 'none')
    return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))));
  if (status !== undefined)
    return Response.json(
      {status, code: 'x', title: 'x', detail: 'x'},
      {status, headers: {'retry-after': '1'}},
    );
  const created = sent.rows.length as number;
  const counts = {
    created,
    existing: 0,
    unknown_team: 0,
    bad_date: 0,
    older_than_retention: 0,
    run_exists: 0,
    left_out: 0,
    invalid: 0,
  };
  return Response.json({counts, near_midnight: 0, not_created: [], authors: []});
}

const rows = Array.from(
  {length: 150},
  (_, i): FileRow => ({
    line: i + 2,
    row: {external_id: `r${i}`, team: 'platform', date: '2024-03-14', author: {name: 'Ada'}, update: 'One.'},
  }),
);

const plan = {
  source: 'csv',
  timezone: null,
  isDry: false,
  people: [],
  rows,
  unsent: {ofOtherTeams: 0, repeated: 0},
  zoneOf: () => 'UTC',
};

const stateIs = (wanted: string) =>
  until(() => run.importRun.get()?.state === wanted, {what: `the run is ${wanted}`});
const rowsAsked = () => asked.filter(({path}) => path.endsWith('/rows'));

it('a run begins an import, sends all rows by hundreds, and finishes it, each with a key of its own', async () => {
  run.startRun(plan);
  await stateIs('done');
  expect(asked.map(({path}) => path)).toEqual([
    '/v1/imports',
    '/v1/imports/imp_1/rows',
    '/v1/imports/imp_1/rows',
    '/v1/imports/imp_1/finish',
  ]);
  expect(rowsAsked().map(({body}) => body.rows?.length)).toEqual([100, 50]);
  expect(new Set(asked.map(({key}) => key)).size).toBe(4);
  expect(run.importRun.get()).toMatchObject({sent: 150, report: {counts: {created: 150}}});
});

it('a run that continues an open import begins no other one', async () => {
  run.startRun({...plan, continued: 'imp_7'});
  await stateIs('done');
  expect(asked.map(({path}) => path)).not.toContain('/v1/imports');
  expect(rowsAsked()[0]?.path).toBe('/v1/imports/imp_7/rows');
});

it('a run waits while the quota allows no request, and repeats the request with its key', async () => {
  statuses = [429];
  run.startRun(plan);
  await until(() => run.importRun.get()?.isWaiting === true, {what: 'the run waits'});
  await stateIs('done');
  const [first, second, third] = rowsAsked();
  expect(second).toEqual(first);
  expect(third?.key).not.toBe(first?.key);
  expect(run.importRun.get()?.isWaiting).toBe(false);
});

it('a stopped run continues with the request that may have arrived, by the same key', async () => {
  statuses = ['none'];
  run.startRun(plan);
  await until(() => rowsAsked().length === 1, {what: 'the first rows are sent'});
  run.stopRun();
  await stateIs('stopped');
  expect(run.importRun.get()).toMatchObject({sent: 0, problem: undefined});
  await run.continueRun();
  const [first, second] = rowsAsked();
  expect(second).toEqual(first);
  expect(run.importRun.get()).toMatchObject({state: 'done', sent: 150});
  expect(asked.filter(({path}) => path === '/v1/imports')).toHaveLength(1);
});

it('a refusal stops a run with its problem, and a second press starts nothing twice', async () => {
  statuses = [409];
  run.startRun(plan);
  await stateIs('stopped');
  expect(run.importRun.get()?.problem).toMatchObject({status: 409});
  await Promise.all([run.continueRun(), run.continueRun()]);
  expect(rowsAsked().map(({body}) => body.rows?.length)).toEqual([100, 100, 50]);
});

it('the browser asks before the page is left only while rows are sent', async () => {
  const isAsked = () => !leaving.dispatchEvent(new Event('beforeunload', {cancelable: true}));
  expect(isAsked()).toBe(false);
  statuses = ['none'];
  run.startRun(plan);
  await until(() => rowsAsked().length === 1, {what: 'the first rows are sent'});
  expect(isAsked()).toBe(true);
  run.stopRun();
  await stateIs('stopped');
  await until(() => !isAsked(), {what: 'the page may be left'});
});

it('a dry run that was stopped is ended when a person leaves it', async () => {
  statuses = ['none'];
  run.startRun({...plan, isDry: true});
  await until(() => rowsAsked().length === 1, {what: 'the first rows are sent'});
  run.stopRun();
  await stateIs('stopped');
  run.dropRun();
  await until(() => asked.at(-1)?.path === '/v1/imports/imp_1?rows=keep', {what: 'the dry run is ended'});
  expect(run.importRun.get()).toBeUndefined();
});

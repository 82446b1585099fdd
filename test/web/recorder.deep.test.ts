import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {randomUUID} from 'node:crypto';
import {type Json, sendRequest} from '../support/service.js';
import {until} from '../support/until.js';
import {journeys} from './journeys/index.js';
import {makeWorlds, type Twin, type Worlds} from './journeys/journey.js';
import {curl} from './support/curl.js';
import {keepTable} from './support/evidence.js';
import {expectInnocent} from './support/innocent.js';
import {operationsOfApp, operationsOfDocument, withoutScreen} from './support/parity.js';
import type {PageRequest} from './support/recorder.js';
import {openDashboard, type BrowserStage, untilQuiet, type Tab} from './support/stage.js';
import {createTwins} from './support/twin.js';

let stage: BrowserStage;
let tab: Tab;
let worlds: Worlds;
let asked: readonly PageRequest[];
const twins = createTwins();

beforeAll(async () => {
  // Slack is configured, but its address refuses connections.
  const slack = {SLACK_CLIENT_ID: '1.2', SLACK_CLIENT_SECRET: 'secret', SLACK_SIGNING_SECRET: 'secret'};
  const env = {...slack, SLACK_API_URL: 'http://127.0.0.1:9/api/'};
  stage = await openDashboard(env, {streaming: {pulse: 200}, host: 'localhost'});
  worlds = await makeWorlds(stage, twins);
  tab = await stage.signIn(worlds.here.ada);
});

afterAll(async () => {
  await worlds.close();
  await stage.close();
});

const isOperation = ({operation}: PageRequest) => !['asset', 'door', 'none'].includes(operation);
/** Only sessions use passkeys, so a token has no such effect: test/api/tokens/passkeys.test.ts. */
const needsSession = ({path}: PageRequest) => path.startsWith('/v1/passkeys');
const isStream = ({operation}: PageRequest) => operation.startsWith('stream');
const isOfLog = ({operation}: PageRequest) =>
  ['listEvents', 'getEvent', 'listEventDeliveries'].includes(operation);
const distinct = (requests: readonly PageRequest[], key: (request: PageRequest) => string) => [
  ...new Map(requests.map((request) => [key(request), request])).values(),
];

/** Calls `act` with each item, eight at a time. */
async function forEach<T>(all: readonly T[], act: (one: T) => Promise<void>): Promise<void> {
  const waiting = [...all];
  const next = async (): Promise<void> => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) await act(one);
  };
  await Promise.all(Array.from({length: 8}, next));
}

/** Parses JSON, JSON Lines as a list, or CSV as text without instants. */
function parse(text: string): Json {
  if (text === '') return undefined;
  if (!text.startsWith('{')) return text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'an instant');
  const lines = text.trimEnd().split('\n');
  return lines.length === 1 ? JSON.parse(text) : lines.map((line) => JSON.parse(line)).filter(isShared);
}

/** False for tokens, since pages sign in to only one of the two workspaces. */
const isShared = ({object}: Json) => object !== 'access_token';

/**
 * Operations whose answers differ. Pages sign in to only one of the workspaces. An erasure in the other may
 * be in progress. Not every successful attempt is stored in full.
 */
const differs = new Set(['listTokens', 'listErasures', 'getErasure', 'listAttempts']);

/** The headers that a program would send: only those with a meaning for the API. */
function plainHeaders({headers}: PageRequest, token: string): Record<string, string> {
  const sent = {authorization: `Bearer ${token}`, 'idempotency-key': randomUUID()};
  const meant = ['content-type', 'if-match'].filter((name) => headers[name] !== undefined);
  return {...sent, ...Object.fromEntries(meant.map((name) => [name, twins.translate(headers[name] ?? '')]))};
}

/** A token with exactly the scopes of the session. */
async function plainToken({workspace, ada}: Twin): Promise<string> {
  const granted = tab.requests.find(
    ({path, answer}) => path === '/app/session/token' && answer !== undefined,
  );
  const {scopes} = parse(granted?.answer?.text ?? '');
  const holder = {type: 'member', id: ada.id, name: ada.name} as const;
  const {tokens} = stage.service.core.services;
  return (await tokens.issueToken(workspace.operator(), {name: 'plain', holder, scopes})).value;
}

it('every request of every page is an asset, a dashboard route, or a documented operation with a token', async () => {
  const steps = journeys.flat();
  for (const [name, act] of steps) {
    try {
      await act(tab, worlds.here);
      await untilQuiet(tab);
    } catch (error) {
      throw new Error(`The step “${name}” fails.`, {cause: error});
    }
  }
  await expectInnocent(tab);
  asked = tab.requests.filter(isOperation).filter(({status}) => status > 0);
  expect(asked.length).toBeGreaterThan(steps.length);
}, 240_000);

it('each request of a page has the same effect when curl sends it with a plain token of the same scopes', async () => {
  const {url} = stage.service;
  const token = await plainToken(worlds.there);
  const differing: string[] = [];
  const note = (request: PageRequest, status: number, said: Json, wanted: Json): void => {
    const what = `${request.method} ${request.path}: ${request.status}, by curl ${status}`;
    differing.push(`${what}\n${JSON.stringify(wanted)}\n${JSON.stringify(said)}`);
  };
  // Repeat changes in their order, since one uses objects that another has created.
  const byToken = asked.filter((request) => !needsSession(request));
  for (const request of byToken.filter(({method}) => method !== 'GET')) {
    const {method, answer: first} = request;
    const body = request.body === undefined ? undefined : twins.translate(request.body);
    const path = twins.translate(request.path);
    // Background work of an earlier change may still be in progress there (409).
    const second = await until(
      async () => {
        const headers = plainHeaders(request, token);
        const answered = await curl(url, {method, path, headers, body});
        return answered.status === 409 && request.status < 300 ? undefined : answered;
      },
      {what: `${method} ${path} is answered as it was here`},
    );
    twins.learn(first?.etag, second.etag);
    twins.learn(first?.location, second.location);
    const [wanted, said] = [parse(first?.text ?? ''), parse(second.text)];
    twins.learn(wanted, said);
    const isAlike = JSON.stringify(twins.plain(wanted)) === JSON.stringify(twins.plain(said));
    if (second.status !== request.status || !isAlike) note(request, second.status, said, wanted);
  }
  // Then each read must return the same for both workspaces.
  const tokenHere = await plainToken(worlds.here);
  const kind = ({method, path}: PageRequest) => `${method} ${path}`;
  // A cursor is valid for one workspace only.
  const isComparable = (request: PageRequest) =>
    request.method === 'GET' && !isStream(request) && !request.path.includes('cursor=');
  for (const request of distinct(byToken.filter(isComparable), kind)) {
    const {method, path, operation} = request;
    const askFor = (at: string, bearer: string) =>
      curl(url, {method, path: at, headers: {authorization: `Bearer ${bearer}`}, body: undefined});
    // The logs differ: they have events of sign-ins, tokens and requests. Compare only the status.
    if (isOfLog(request)) {
      const {status} = await askFor(path, tokenHere);
      if (status !== request.status) note(request, status, undefined, undefined);
      continue;
    }
    const [first, second] = await Promise.all([
      askFor(path, tokenHere),
      askFor(twins.translate(path), token),
    ]);
    // Both may be 404, after a deletion.
    const isSame = first.status === second.status;
    const [wanted, said] = [parse(first.text), parse(second.text)];
    if (differs.has(operation) && isSame) continue;
    twins.learn(wanted, said);
    const isAlike = JSON.stringify(twins.plain(wanted)) === JSON.stringify(twins.plain(said));
    if (!isSame || !isAlike) note(request, second.status, said, wanted);
  }
  const opened = await sendRequest(url, 'GET', '/v1/changes/stream', {token});
  expect(opened.status).toBe(200);
  expect(differing).toEqual([]);
}, 240_000);

it('each API operation that the dashboard uses answers 401 to a request with the session cookie alone', async () => {
  const [{name, value} = {name: '', value: ''}] = await tab.context.cookies();
  const cookie = `${name}=${value}`;
  const answered: [string, number][] = [];
  const one = distinct(asked, ({operation}) => operation);
  await forEach(one, async ({operation, method, path, headers, body}) => {
    const {'content-type': type = 'application/json'} = headers;
    const sent = {cookie, 'content-type': type, 'x-standup-dashboard': '1', 'sec-fetch-site': 'same-origin'};
    const {status} = await curl(stage.service.url, {method, path, headers: sent, body});
    answered.push([operation, status]);
  });
  expect(value.length).toBeGreaterThan(40);
  expect(answered).toEqual(answered.map(([operation]) => [operation, 401]));
  keepRequests();
});

it('the OpenAPI document, web/ and the recorded run have the same operations', () => {
  const document = operationsOfDocument().filter((operation) => !(operation in withoutScreen));
  const run = new Set(asked.map(({operation}) => operation));
  expect([...operationsOfApp()].toSorted()).toEqual(document.toSorted());
  expect([...run].toSorted()).toEqual(document.toSorted());
});

/** The requests of the pages by operation. */
function keepRequests(): void {
  const names = [...new Set(tab.requests.map(({operation}) => operation))].toSorted();
  const rows = names.map((name) => {
    const own = tab.requests.filter(({operation}) => operation === name);
    return [name, own.length, [...new Set(own.map(({status}) => status))].join(', ')];
  });
  keepTable('requests', ['operation', 'requests', 'answers'], rows);
}

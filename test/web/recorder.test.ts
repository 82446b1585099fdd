import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {randomUUID} from 'node:crypto';
import type {Person} from '../api/people.js';
import {type Json, sendRequest, type TestWorkspace} from '../support/service.js';
import {curl} from './support/curl.js';
import {keepTable} from './support/evidence.js';
import {expectInnocent} from './support/innocent.js';
import type {PageRequest} from './support/recorder.js';
import {openDashboard, type Stage, untilQuiet, type Visit} from './support/stage.js';
import {createTwins} from './support/twin.js';

interface World {
  readonly workspace: TestWorkspace;
  readonly ada: Person;
  /** What was made, so that the names of two worlds can be set side by side. */
  readonly made: Json[];
}

let stage: Stage;
let visit: Visit;
let here: World;
/** Where the requests of the page are sent again by a program. */
let there: World;
let asked: readonly PageRequest[];
const twins = createTwins();

beforeAll(async () => {
  stage = await openDashboard({}, {streaming: {pulse: 200}});
  here = await makeWorld(stage.workspace);
  there = await makeWorld(await stage.service.addWorkspace());
  twins.learn([here.workspace.id, here.workspace.team], [there.workspace.id, there.workspace.team]);
  twins.learn(here.made, there.made);
  visit = await stage.signIn(here.ada);
});

afterAll(() => stage.close());

/** The same in each: three are in Platform, and Grace has said where she is stuck. */
async function makeWorld(workspace: TestWorkspace): Promise<World> {
  const add = (name: string) => stage.addPerson({name, team: 'platform', role: 'admin'}, workspace);
  const [ada, grace, alan] = [await add('Ada Lovelace'), await add('Grace Hopper'), await add('Alan Turing')];
  const {token} = grace;
  const ask = async (method: string, path: string, body: object): Promise<Json> => {
    const answer = await workspace.request(method, path, {token, body});
    if (answer.status >= 300) throw new Error(`${answer.request} ${answer.status} ${answer.text}`);
    return answer.body;
  };
  return {
    workspace,
    ada,
    made: [
      {ada: ada.id, grace: grace.id, alan: alan.id},
      await ask('POST', '/v1/standups', {team: 'platform', update: 'Compiled the compiler.'}),
      await ask('POST', '/v1/blockers', {team: 'platform', text: 'No tape left.'}),
      await ask('POST', '/v1/absences', {
        member: 'me',
        kind: 'away',
        from: '2027-01-04',
        until: '2027-01-08',
      }),
    ],
  };
}

/** Everything that somebody does on the screens there are. A screen more is a line more. */
const journey: readonly [string, (visit: Visit) => Promise<unknown>][] = [
  ['Today', (it) => it.go('/')],
  ['the team', (it) => it.go('/t/platform')],
  [
    'a standup that is posted',
    async (it) => {
      await it.go('/t/platform?write=platform');
      const panel = it.page.getByRole('dialog', {name: 'Write your standup'});
      await panel.getByLabel('Today', {exact: true}).fill('The retry page.');
      await panel.getByRole('button', {name: 'Post'}).click();
      await it.page.getByText('Posted to Platform').waitFor();
    },
  ],
  [
    'a standup that is edited',
    async ({page}) => {
      await page.getByRole('main').getByRole('button', {name: 'Edit'}).first().click();
      const panel = page.getByRole('dialog', {name: 'Edit your standup'});
      await panel.getByLabel('Today', {exact: true}).fill('The retry page, and its tests.');
      await panel.getByRole('button', {name: 'Save'}).click();
      await page.getByText('Saved.').waitFor();
    },
  ],
  [
    'a standup that is opened, and people who are reminded',
    async ({page}) => {
      await page.getByRole('button', {name: 'Open a standup now'}).click();
      await page.getByRole('button', {name: 'Remind them'}).click();
      await page
        .getByText(/reminded/i)
        .first()
        .waitFor();
    },
  ],
  [
    'a standup that is deleted',
    async ({page}) => {
      await page.getByRole('main').getByRole('button', {name: 'Delete'}).first().click();
      // It goes when its notice does.
      const notices = page.getByRole('region', {name: 'Notices'}).getByRole('listitem');
      await notices.filter({hasText: 'deleted'}).getByRole('button', {name: 'Dismiss'}).click();
    },
  ],
  ['History', (it) => it.go('/history')],
  ['a person', (it) => it.go(`/people/${here.ada.id}`)],
  [
    'a name that is changed',
    async ({page, ...it}) => {
      await it.go('/people/me');
      await page.getByRole('link', {name: 'Settings'}).click();
      await page.getByRole('textbox', {name: 'Name'}).fill('Ada King');
      await page.getByRole('button', {name: 'Save'}).click();
      await page.getByText('Your settings are saved.').waitFor();
    },
  ],
  [
    'blockers that are raised and seen to',
    async ({page, ...it}) => {
      await it.go('/blockers');
      await page.getByRole('button', {name: 'Acknowledge'}).first().click();
      await page.getByRole('button', {name: 'Raise a blocker'}).click();
      await page.getByRole('textbox', {name: 'What is in the way?'}).fill('The lab is locked.');
      await page.keyboard.press('Control+Enter');
      await page.getByText('The lab is locked.').first().waitFor();
    },
  ],
  [
    'time away that is changed and taken back',
    async ({page, ...it}) => {
      await it.go('/calendar?month=2027-01&view=list');
      await page
        .getByRole('button', {name: /Grace Hopper/})
        .first()
        .click();
      const sheet = page.getByRole('dialog', {name: 'Change time away'});
      await sheet.getByRole('textbox', {name: /Reason/}).fill('At sea');
      await sheet.getByRole('button', {name: 'Save'}).click();
      await sheet.waitFor({state: 'detached'});
      await page
        .getByRole('button', {name: /At sea/})
        .first()
        .click();
      await sheet.getByRole('button', {name: 'Delete'}).click();
      await sheet.waitFor({state: 'detached'});
    },
  ],
  [
    'a sign-in link that is made',
    async ({page, ...it}) => {
      await it.go('/sessions');
      await page.getByRole('button', {name: 'Link for another browser of mine'}).click();
      await page.getByText('shown only now').waitFor();
    },
  ],
];

const isOperation = ({operation}: PageRequest) => !['asset', 'door', 'none'].includes(operation);
const isStream = ({operation}: PageRequest) => operation.startsWith('stream');
const parse = (text: string): Json => (text === '' ? undefined : JSON.parse(text));
const distinct = (requests: readonly PageRequest[], key: (request: PageRequest) => string) => [
  ...new Map(requests.map((request) => [key(request), request])).values(),
];

/** As a program sends it: what it means, and no more. */
function plainHeaders({headers}: PageRequest, token: string): Record<string, string> {
  const sent = {authorization: `Bearer ${token}`, 'idempotency-key': randomUUID()};
  const meant = ['content-type', 'if-match'].filter((name) => headers[name] !== undefined);
  return {...sent, ...Object.fromEntries(meant.map((name) => [name, twins.translate(headers[name] ?? '')]))};
}

/** A token with exactly the scopes of the session. */
async function plainToken({workspace, ada}: World): Promise<string> {
  const granted = visit.requests.find(
    ({path, answer}) => path === '/app/session/token' && answer !== undefined,
  );
  const {scopes} = parse(granted?.answer?.text ?? '');
  const holder = {type: 'member', id: ada.id, name: ada.name} as const;
  const {tokens} = stage.service.core.services;
  return (await tokens.issueToken(workspace.operator(), {name: 'plain', holder, scopes})).value;
}

it('every request of every page is an asset, a door route, or a documented operation with a token', async () => {
  for (const [, act] of journey) {
    await act(visit);
    await untilQuiet(visit);
  }
  await expectInnocent(visit);
  asked = visit.requests.filter(isOperation).filter(({status}) => status > 0);
  expect(asked.length).toBeGreaterThan(journey.length);
});

it('each of them has the same effect for a plain token of the same scopes, sent by curl', async () => {
  const {url} = stage.service;
  const token = await plainToken(there);
  const differing: string[] = [];
  const note = (request: PageRequest, status: number, said: Json, wanted: Json): void => {
    const what = `${request.method} ${request.path}: ${request.status}, by curl ${status}`;
    differing.push(`${what}\n${JSON.stringify(wanted)}\n${JSON.stringify(said)}`);
  };
  // Changes in their order, since one acts on what another has made.
  for (const request of asked.filter(({method}) => method !== 'GET')) {
    const {method, answer: first} = request;
    const headers = plainHeaders(request, token);
    const body = request.body === undefined ? undefined : twins.translate(request.body);
    const second = await curl(url, {method, path: twins.translate(request.path), headers, body});
    twins.learn(first?.etag, second.etag);
    const [wanted, said] = [parse(first?.text ?? ''), parse(second.text)];
    twins.learn(wanted, said);
    const isAlike = JSON.stringify(twins.plain(wanted)) === JSON.stringify(twins.plain(said));
    if (second.status !== request.status || !isAlike) note(request, second.status, said, wanted);
  }
  // Then each read says the same of both.
  const tokenHere = await plainToken(here);
  for (const request of distinct(asked, ({method, path}) => `${method} ${path}`)) {
    const {method, path, operation} = request;
    if (method !== 'GET' || isStream(request)) continue;
    const ask = (at: string, bearer: string) =>
      curl(url, {method, path: at, headers: {authorization: `Bearer ${bearer}`}, body: undefined});
    const [first, second] = await Promise.all([ask(path, tokenHere), ask(twins.translate(path), token)]);
    // Which may be that it is not there any more.
    const isSame = first.status === second.status;
    const [wanted, said] = [parse(first.text), parse(second.text)];
    twins.learn(wanted, said);
    // Only one of the two has ever been signed in.
    const isAlike =
      operation === 'listTokens' || JSON.stringify(twins.plain(wanted)) === JSON.stringify(twins.plain(said));
    if (!isSame || !isAlike) note(request, second.status, said, wanted);
  }
  const opened = await sendRequest(url, 'GET', '/v1/changes/stream', {token});
  expect(opened.status).toBe(200);
  expect(differing).toEqual([]);
});

it('with the cookie alone each of them is answered 401', async () => {
  const [{name, value} = {name: '', value: ''}] = await visit.context.cookies();
  const cookie = `${name}=${value}`;
  const answered: [string, number][] = [];
  for (const {operation, method, path, headers, body} of distinct(asked, ({operation: one}) => one)) {
    const {'content-type': type = 'application/json'} = headers;
    const sent = {cookie, 'content-type': type, 'x-standup-dashboard': '1', 'sec-fetch-site': 'same-origin'};
    const {status} = await curl(stage.service.url, {method, path, headers: sent, body});
    answered.push([operation, status]);
  }
  expect(value.length).toBeGreaterThan(40);
  expect(answered).toEqual(answered.map(([operation]) => [operation, 401]));
  keepRequests();
});

/** The requests of the pages by operation. */
function keepRequests(): void {
  const names = [...new Set(visit.requests.map(({operation}) => operation))].toSorted();
  const rows = names.map((name) => {
    const own = visit.requests.filter(({operation}) => operation === name);
    return [name, own.length, [...new Set(own.map(({status}) => status))].join(', ')];
  });
  keepTable('requests', ['operation', 'requests', 'answers'], rows);
}

import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import type {Route} from '../../../src/api/http/route.js';
import {deep, sampleUnlessDeep} from '../../support/deep.js';
import {type Receiver, startReceiver} from '../../support/receiver.js';
import {startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {runConcurrently} from '../../support/side-by-side.js';
import {until} from '../../support/until.js';
import {expectProblem} from './expect-problem.js';
import {addFixtures, countReplay, type Fixtures, make, routes, sampleOf} from '../samples.js';

let service: TestService;
let receiver: Receiver;
let ours: TestWorkspace;
let theirs: TestWorkspace;
let fixtures: Fixtures;
let foreign: Fixtures;

beforeAll(async () => {
  service = await startService();
  receiver = await startReceiver();
  ours = await service.addWorkspace();
  theirs = await service.addWorkspace();
  fixtures = await addPages(ours);
  foreign = await addPages(theirs);
});

afterAll(async () => {
  await service.close();
  await receiver.close();
});

/** Makes everything twice, so that every list has a second page. */
async function addPages(workspace: TestWorkspace): Promise<Fixtures> {
  const first = await addFixtures(workspace, receiver.url);
  const last = await addFixtures(workspace, receiver.url);
  for (const path of ['/one', '/two']) {
    await make(workspace, '/v1/webhooks', {url: `${receiver.url}${path}`, events: ['standup.created']});
  }
  await make(workspace, '/v1/standups', {team: last.slug, update: 'One more.'});
  await make(workspace, `/v1/teams/${last.slug}/runs`, {});
  await workspace.request('PUT', `/v1/teams/${last.team}/members/${first.member}`);
  await workspace.request('PATCH', `/v1/standups/${last.standup}`, {body: {update: 'Other words.'}});
  await workspace.request('POST', `/v1/deliveries/${last.delivery}/redeliver`);
  await until(
    async () => (await workspace.request('GET', `/v1/deliveries/${last.delivery}`)).body.attempts === 2,
    {what: 'the second attempt'},
  );
  const passkey = routes.find(({operation}) => operation === 'createPasskey');
  if (passkey !== undefined) await workspace.request('POST', '/v1/passkeys', {...sampleOf(passkey, last)});
  await countReplay(workspace, last.webhook);
  const {principal} = (await workspace.request('GET', '/v1/me', {token: last.owner})).body;
  for (const {standup} of [first, last]) {
    const text = `[@Owner](mention:${principal.id})`;
    await workspace.request('POST', '/v1/comments', {body: {standup, text, format: 'markdown'}});
  }
  // The event goes to both webhooks.
  const newest = await workspace.request('GET', '/v1/events?order=desc&types=standup.created&limit=1');
  const event = newest.body.data[0].id;
  await until(
    async () => (await workspace.request('GET', `/v1/events/${event}/deliveries`)).body.data.length > 1,
    {what: 'two deliveries of an event'},
  );
  return {...last, event};
}

const lists = routes.filter(({success}) => success.list === true);

const cursors = new Map<string, string>();

async function firstCursor(workspace: TestWorkspace, route: Route, ids: Fixtures): Promise<string> {
  const known = cursors.get(`${workspace.id} ${route.operation}`);
  if (known !== undefined) return known;
  const {body} = await workspace.request('GET', `${pathOf(route, ids)}?limit=1`, callerOf(route, ids));
  expect({operation: route.operation, cursor: body.next_cursor}).toMatchObject({
    cursor: expect.stringMatching(/./),
  });
  cursors.set(`${workspace.id} ${route.operation}`, body.next_cursor);
  return body.next_cursor;
}

const pathOf = (route: Route, ids: Fixtures) => sampleOf(route, ids).path.replace(/\?.*/, '');

/** The token that may read the list, unless it is that of the workspace. Only members have an inbox. */
function callerOf(route: Route, ids: Fixtures): {readonly token?: string} {
  if (route.operation === 'listInbox') return {token: ids.owner};
  const {token} = sampleOf(route, ids);
  return token === undefined ? {} : {token};
}

async function expectRefusal(path: string, caller: {readonly token?: string} = {}): Promise<void> {
  expectProblem(await ours.request('GET', path, caller), 'invalid_cursor', {parameter: 'cursor'});
}

describe.each(lists)('a cursor of $operation', (route) => {
  it('is accepted by its list, whatever the limit', async () => {
    const cursor = await firstCursor(ours, route, fixtures);
    const answers = await runConcurrently(['', '&limit=1', '&limit=100'], (limit) =>
      ours.request('GET', `${pathOf(route, fixtures)}?cursor=${cursor}${limit}`, callerOf(route, fixtures)),
    );
    for (const answer of answers) {
      // A member without a day off has no row, so this page may be empty.
      const rows = answer.body.data.length > 0 || route.operation === 'listDaysOff';
      expect({status: answer.status, rows}).toEqual({status: 200, rows: true});
    }
  });

  it('a cursor is refused after any of its characters was changed', async () => {
    const cursor = await firstCursor(ours, route, fixtures);
    // All lists read cursors with the same code: one of them tries more replacements, the others change fewer
    // characters.
    const further = route === lists[0] ? ['0', '1', '-', '%00', '%C3%A9'] : [];
    const every = deep ? 1 : route === lists[0] ? 4 : 16;
    const changed = [...cursor].flatMap((char, i) =>
      i % every > 0
        ? []
        : [char === 'a' ? 'b' : 'a', ...further].map(
            (other) => cursor.slice(0, i) + other + cursor.slice(i + 1),
          ),
    );
    const resized = [cursor.slice(1), cursor.slice(0, -1), `${cursor}0`, `0${cursor}`, cursor.slice(0, 16)];
    const other = [cursor.toUpperCase(), `${cursor}${cursor}`, `${cursor}%20`, '0', '%F0%9F%98%80', 'null'];
    const edits = [
      ...changed,
      ...sampleUnlessDeep([...resized, ...other], route === lists[0] ? 11 : 3),
    ].filter((edited) => edited !== cursor);
    await runConcurrently(edits, (edited) =>
      expectRefusal(`${pathOf(route, fixtures)}?cursor=${edited}`, callerOf(route, fixtures)),
    );
  });

  it(`is refused by ${deep ? 'every other list' : 'the list after it'}`, async () => {
    const cursor = await firstCursor(ours, route, fixtures);
    const at = lists.indexOf(route) + 1;
    const others = [...lists.slice(at), ...lists.slice(0, at - 1)].slice(0, deep ? lists.length : 1);
    await runConcurrently(others, (other) =>
      expectRefusal(`${pathOf(other, fixtures)}?cursor=${cursor}`, callerOf(other, fixtures)),
    );
  });

  it('is refused in another workspace', async () => {
    const cursor = await firstCursor(theirs, route, foreign);
    await expectRefusal(`${pathOf(route, fixtures)}?cursor=${cursor}`, callerOf(route, fixtures));
  });
});

describe('a cursor with other filters than those it was issued for', () => {
  /** A valid value for each filter, with more than one row. */
  const filters: Readonly<Record<string, (ids: Fixtures) => string>> = {
    team: ({slug}) => slug,
    author: () => ours.principal.id,
    date_from: () => '2026-01-01',
    date_to: () => '2999-12-31',
  };

  it.each(Object.keys(filters))('is refused if the filter is %s', async (name) => {
    const filter = `${name}=${filters[name]?.(fixtures)}`;
    const {body} = await ours.request('GET', `/v1/standups?limit=1&${filter}`);
    const same = await ours.request('GET', `/v1/standups?${filter}&cursor=${body.next_cursor}`);
    expect(same.status).toBe(200);
    await expectRefusal(`/v1/standups?cursor=${body.next_cursor}`);
    const plain = await ours.request('GET', '/v1/standups?limit=1');
    await expectRefusal(`/v1/standups?${filter}&cursor=${plain.body.next_cursor}`);
  });
});

it('regression: a cursor is accepted with and without a slash at the end of the address', async () => {
  for (const given of ['/v1/standups', '/v1/standups/', '/v1/events/', '/v1/teams/']) {
    const {body} = await ours.request('GET', `${given}?limit=1`);
    const plain = given.replace(/\/$/, '');
    for (const asked of [plain, `${plain}/`]) {
      const {status} = await ours.request('GET', `${asked}?limit=1&cursor=${body.next_cursor}`);
      expect({given, asked, status}).toEqual({given, asked, status: 200});
    }
  }
});

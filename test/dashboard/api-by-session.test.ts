import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {addPerson, type Person} from '../api/people.js';
import {openEvents} from '../support/event-stream-client.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../support/service.js';
import {until} from '../support/until.js';
import {signedIn} from './test-browser.js';

let service: TestService;
let workspace: TestWorkspace;
let ada: Person;

beforeAll(async () => {
  service = await startService({streaming: {pulse: 100}});
  workspace = await service.addWorkspace();
  ada = await addPerson(service, workspace, {name: 'Ada Lovelace', team: 'platform', as: 'lead'});
});

afterAll(() => service.close());

const ask = async (method: string, path: string, token: string): Promise<Json> =>
  (await workspace.request(method, path, {token})).body;

it('the API shows a signed-in member their role, their teams, and when the page’s token expires', async () => {
  const browser = await signedIn(service, workspace, ada.id);
  const me = await ask('GET', '/v1/me', await browser.token());
  expect(me).toMatchObject({
    principal: {type: 'member', id: ada.id, name: 'Ada Lovelace'},
    role: 'member',
    teams: [{id: workspace.team, slug: 'platform', role: 'lead'}],
  });
  const left = Date.parse(me.expires_at) - Date.now();
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThanOrEqual(600_000);
});

it('a signed-in member can follow changes, including their own sign-in, and no other member’s sign-in', async () => {
  const grace = await addPerson(service, workspace, {name: 'Grace Hopper', team: 'platform'});
  const browser = await signedIn(service, workspace, ada.id);
  const client = await openEvents(service.url, {token: await browser.token(), path: '/v1/changes/stream'});
  try {
    await until(() => client.lastId(), {what: 'the stream has begun'});
    await signedIn(service, workspace, grace.id);
    await signedIn(service, workspace, ada.id);
    await workspace.request('POST', '/v1/standups', {
      token: grace.token,
      body: {team: 'platform', update: 'Nobody reads this in a stream.'},
    });
    const changes = () => client.events.map(({data}) => JSON.parse(data));
    await until(() => changes().some(({type}) => type === 'standup.created'), {what: 'the standup'});
    // The events of a new link, its use, and the session.
    expect(changes().map(({type, object, member_id}) => [type, object, member_id])).toEqual([
      ['token.created', 'access_token', ada.id],
      ['token.created', 'access_token', ada.id],
      ['standup.created', 'standup', grace.id],
    ]);
    expect(JSON.stringify(client.events)).not.toMatch(/Nobody reads|Lovelace|Sign-in link/);
  } finally {
    client.cut();
  }
});

it('the change stream of a page ends when its session is signed out', async () => {
  const browser = await signedIn(service, workspace, ada.id);
  const client = await openEvents(service.url, {token: await browser.token(), path: '/v1/changes/stream'});
  await until(() => client.lastId(), {what: 'the stream has begun'});
  await browser.ask('DELETE', '/app/session');
  expect(await client.ended).toBe('end');
});

it('an admin whose role comes from Slack loses the session when they no longer administer the Slack workspace', async () => {
  const {people} = service.core.services;
  const call = workspace.operator();
  const grace = {name: 'Grace', timezone: null, runsSlack: true};
  const {id} = await people.ensureSlackMember(call, 'U0GRACE01', grace);
  await people.followSlackProfile(call, 'U0GRACE01', {runsSlack: true});
  const browser = await signedIn(service, workspace, id);
  const token = await browser.token();
  expect(await ask('GET', '/v1/me', token)).toMatchObject({role: 'admin'});
  await people.followSlackProfile(call, 'U0GRACE01', {runsSlack: false});
  expect(await ask('GET', '/v1/me', token)).toMatchObject({code: 'invalid_token'});
  expect(await browser.ask('POST', '/app/session/token')).toMatchObject({status: 401});
});

import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {expectProblem} from '../http/expect-problem.js';
import {addPerson, type Person} from '../people.js';
import {eventsOf, make} from '../samples.js';

let service: TestService;
let workspace: TestWorkspace;
let admin: Person;
let member: Person;

beforeAll(async () => {
  service = await startService();
  workspace = await service.addWorkspace();
  admin = await addPerson(service, workspace, {name: 'Adam', role: 'admin'});
  member = await addPerson(service, workspace, {name: 'Mia'});
});

afterAll(() => service.close());

const path = '/v1/service-accounts';
const list = async (token: string): Promise<Json[]> =>
  (await workspace.request('GET', path, {token})).body.data;
const tokenFor = (name: string) =>
  workspace.request('POST', '/v1/tokens', {
    token: admin.token,
    body: {
      name: `for ${name}`,
      service_account: name,
      scopes: ['standups:read', 'standups:write', 'tokens:manage'],
    },
  });

it('managers of the workspace can list its service accounts, newest first and in pages, and no one else can', async () => {
  const {body: first} = await tokenFor('first');
  await tokenFor('second');
  await tokenFor('second');
  const names = (await list(admin.token)).map(({name}) => name);
  expect(names.slice(0, 2)).toEqual(['second', 'first']);
  expect(names.filter((name) => name === 'second')).toHaveLength(1);
  expect((await list(admin.token))[1]).toMatchObject({
    id: first.holder.id,
    object: 'service_account',
    revision: 1,
  });
  const page = (await workspace.request('GET', `${path}?limit=1`, {token: admin.token})).body;
  expect(page).toMatchObject({has_more: true, data: [{name: 'second'}]});
  const next = await workspace.request('GET', `${path}?limit=1&cursor=${page.next_cursor}`, {
    token: admin.token,
  });
  expect(next.body.data).toMatchObject([{name: 'first'}]);
  expectProblem(await workspace.request('GET', path, {token: member.token}), 'forbidden');
});

it('a service account is deleted with its tokens in one commit, and its posts remain under its name', async () => {
  const {body: made} = await tokenFor('robot');
  const {id} = made.holder;
  await workspace.request('PUT', `/v1/teams/platform/members/${admin.id}`);
  const own = await workspace.request('POST', '/v1/standups', {
    token: made.token,
    body: {team: 'platform', update: 'By a robot.'},
  });
  const {body: line} = await workspace.request('POST', '/v1/tokens', {
    token: made.token,
    body: {name: 'line', scopes: ['standups:read']},
  });
  const before = (await eventsOf(workspace)).length;
  expectProblem(await workspace.request('DELETE', `${path}/${id}`, {token: member.token}), 'forbidden');
  const stale = {token: admin.token, headers: {'if-match': '"7"'}};
  expectProblem(await workspace.request('DELETE', `${path}/${id}`, stale), 'precondition_failed');
  expect((await workspace.request('DELETE', `${path}/${id}`, {token: admin.token})).status).toBe(204);
  for (const token of [made.token, line.token]) {
    expectProblem(await workspace.request('GET', '/v1/me', {token}), 'invalid_token');
  }
  const events = (await eventsOf(workspace)).slice(before);
  expect(events.map(({type, data}) => [type, data.id]).toSorted()).toEqual(
    [
      ['token.revoked', made.id],
      ['token.revoked', line.id],
    ].toSorted(),
  );
  // Everything in one commit has the same time.
  expect(new Set(events.map(({created_at: at}) => at)).size).toBe(1);
  expect((await list(admin.token)).map((account) => account.id)).not.toContain(id);
  if (own.status === 201) {
    const {body: standup} = await workspace.request('GET', `/v1/standups/${own.body.id}`);
    expect(standup.author).toMatchObject({id, name: 'robot'});
  }
  expectProblem(await workspace.request('DELETE', `${path}/${id}`, {token: admin.token}), 'not_found');
  const {body: again} = await tokenFor('robot');
  expect(again.holder.name).toBe('robot');
  expect(again.holder.id).not.toBe(id);
});

it('a token for a service account that is deleted at the same time is refused or deleted', async () => {
  const {body: made} = await tokenFor('raced');
  const [made2, gone] = await Promise.all([
    tokenFor('raced'),
    workspace.request('DELETE', `${path}/${made.holder.id}`, {token: admin.token}),
  ]);
  expect(gone.status).toBe(204);
  const accounts = new Set((await list(admin.token)).map(({id}) => id));
  const {status} = await workspace.request('GET', '/v1/me', {token: made2.body.token});
  expect(status).toBe(accounts.has(made2.body.holder.id) ? 200 : 401);
  await make(workspace, '/v1/tokens', {name: 'after', service_account: 'raced'});
});

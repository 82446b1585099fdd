import {isDeepStrictEqual} from 'node:util';
import type {RedisCommand} from '../../../src/store/core/connection.js';
import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {limits} from '../../../src/domain/core/limits.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {deep, sampleUnlessDeep} from '../../support/deep.js';
import {type Receiver, startReceiver} from '../../support/receiver.js';
import {startTestRedis, type TestRedis} from '../../support/redis-server.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {until} from '../../support/until.js';
import {addPerson} from '../people.js';
import {addFixtures, make, mutations, sampleOf} from '../samples.js';

const share = 100_000_000;
let redis: TestRedis;
let receiver: Receiver;
let service: TestService;

beforeAll(async () => {
  redis = await startTestRedis({appendfsync: 'no'});
  receiver = await startReceiver();
  service = await startService({redisUrl: redis.url, env: {WORKSPACE_BYTES: String(share)}});
});

afterAll(async () => {
  await service.close();
  await receiver.close();
  await redis.stop();
});

const newDeadline = (): number => performance.now() + 5_000;
const redisCall = (...command: RedisCommand): Promise<Json> =>
  service.core.store.connection.call<string | string[]>(newDeadline(), command);

const fill = ({id}: TestWorkspace) => redisCall('HINCRBY', workspaceKeys(id).head(), 'bytes', String(share));

/** The number of events, and all keys except those of quotas, which expire within a minute. */
async function grown({id}: TestWorkspace): Promise<{events: number; keys: string[]}> {
  const events = Number(await redisCall('HGET', workspaceKeys(id).head(), 'sequence'));
  const keys = (await redisCall('KEYS', `{${id}}:*`)) as string[];
  return {events, keys: keys.filter((key) => !key.includes(':a:')).toSorted()};
}

// Sign-in links of a full workspace have their own limit; the same code limits all other operations.
const bounded = mutations.filter(({operation}) => operation !== 'createSignInLink');
const ownBound = mutations.filter(({operation}) => operation === 'createSignInLink');

it.each([...sampleUnlessDeep(bounded, 9), ...ownBound])(
  '$operation does not let a full workspace grow without end',
  async (route) => {
    const workspace = await service.addWorkspace();
    const {
      path,
      body,
      token = workspace.token,
    } = sampleOf(route, await addFixtures(workspace, receiver.url, route));
    await fill(workspace);
    const before = await grown(workspace);
    let asked = 0;
    /** Sends the request `times` times at once, each with its own key. */
    const ask = (times: number) =>
      Promise.all(
        Array.from({length: times}, () => {
          const headers = {'idempotency-key': `${route.operation}-${(asked += 1)}`};
          const sent = {token, headers, ...(body !== undefined && {body})};
          return workspace.request(route.method, path, sent);
        }),
      );
    const ways = route.operation === 'createSignInLink' ? limits.waysInWhileFull : 1;
    await ask(1);
    for (let left = deep ? limits.waysInWhileFull : ways; left > 0; left -= 5) await ask(5);
    // A deletion continues in the background. Unlimited growth would continue with every round.
    const stable = await until(
      async () => {
        const earlier = await grown(workspace);
        await ask(5);
        return isDeepStrictEqual(await grown(workspace), earlier) && earlier;
      },
      {what: 'the end of all growth'},
    );
    // Each link beyond a person's five ends an older one, which is an event too.
    expect(stable.events - before.events).toBeLessThanOrEqual(2 * ways);
  },
);

it('regression: an owner of a full workspace can sign in a number of times a day, whatever others do', async () => {
  const workspace = await service.addWorkspace();
  const owner = await addPerson(service, workspace, {name: 'Olga', role: 'owner'});
  const [admin, member] = [
    await addPerson(service, workspace, {name: 'Ada', role: 'admin'}),
    await addPerson(service, workspace, {name: 'Max'}),
  ];
  await fill(workspace);
  const link = async (token: string, of?: string) => {
    const answer = await workspace.request('POST', '/v1/sign-in-links', {
      token,
      body: of === undefined ? {} : {member: of},
    });
    return answer.status === 201 ? 'made' : String(answer.body.code);
  };
  const tried = async (token: string, of?: string) => {
    const answers: string[] = [];
    for (let i = 0; i < limits.waysInWhileFull + 5; i += 1) answers.push(await link(token, of));
    return Object.fromEntries(
      ['made', 'forbidden', 'workspace_full'].map((one) => [
        one,
        answers.filter((each) => each === one).length,
      ]),
    );
  };
  const bounded = {made: limits.waysInWhileFull, forbidden: 0, workspace_full: 5};
  expect(await tried(member.token)).toEqual(bounded);
  expect(await tried(admin.token, owner.id)).toMatchObject({made: 0, workspace_full: 0});
  expect(await tried(owner.token)).toEqual(bounded);
  // The operator of the service can let every member in.
  const made: Json = await service.core.services.sessions.createSignInLink(workspace.operator(), {
    member: owner.id,
  });
  expect(made.id).toMatch(/^tok_/);
  await redisCall('HINCRBY', workspaceKeys(workspace.id).head(), 'bytes', String(-share));
  expect(await link(member.token)).toBe('made');
  await make(workspace, '/v1/standups', {team: 'platform', update: 'There is room.'});
});

it('an import that has filled its workspace takes no more rows, and can be finished and taken back', async () => {
  const workspace = await service.addWorkspace();
  const {id} = await make(workspace, '/v1/imports', {source: 'csv'});
  const add = (external_id: string) => {
    const row = {external_id, team: 'platform', date: '2024-03-14', author: {name: 'Ada'}, update: 'Words.'};
    return workspace.request('POST', `/v1/imports/${id}/rows`, {body: {rows: [row]}});
  };
  expect((await add('1')).body.counts.created).toBe(1);
  await fill(workspace);
  expect((await add('2')).body.code).toBe('workspace_full');
  const finished = await workspace.request('POST', `/v1/imports/${id}/finish`);
  expect([finished.status, finished.body.state]).toEqual([200, 'completed']);
  expect((await workspace.request('DELETE', `/v1/imports/${id}?rows=remove`)).status).toBe(204);
  const stateOf = async () => (await workspace.request('GET', `/v1/imports/${id}`)).body.state;
  await until(async () => (await stateOf()) === 'removed', {what: 'the end of taking back'});
});

it('the command of a person adds nothing to a full workspace, unlike that of the operator', async () => {
  const workspace = await service.addWorkspace();
  const {token: own} = await addPerson(service, workspace, {name: 'Ada', team: 'platform'});
  const {deviceLogins, teams} = service.core.services;
  const asked = {name: 'standup on ada-laptop', scopes: ['standups:write'] as const};
  const login = await deviceLogins.start(asked, {address: '203.0.113.7', deadline: newDeadline()});
  const path = `/v1/device-logins/${login.user_code}`;
  expect((await workspace.request('POST', path, {token: own, body: {decision: 'approve'}})).status).toBe(200);
  const polled = await deviceLogins.poll(login.device_code, newDeadline());
  const token = typeof polled === 'object' ? polled.value : '';
  await fill(workspace);
  const body = {team: 'platform', update: 'One more.'};
  const refused = await workspace.request('POST', '/v1/standups', {token, body});
  expect(refused.body.code).toBe('workspace_full');
  const made: Json = await teams.createTeam(workspace.operator(), {slug: 'made-by-operator'});
  expect(made.id).toMatch(/^team_/);
});

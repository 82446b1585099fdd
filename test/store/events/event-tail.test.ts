import {setMaxListeners} from 'node:events';
import {afterAll, beforeAll, expect, it} from '@jest/globals';
import type {RedisCommand, RedisConnection} from '../../../src/store/core/connection.js';
import {createEventTail} from '../../../src/store/events/event-tail.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {until} from '../../support/until.js';
import {newDeadline} from '../open-test-store.js';

let service: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startService({env: {ROLES: 'web'}});
  workspace = await service.addWorkspace();
});

afterAll(() => service.close());

it('any number of consumers share each check of the log and the read of each page', async () => {
  const {connection, events} = service.core.store;
  let looks = 0;
  let reads = 0;
  const call = ((deadline: number, args: RedisCommand) => {
    looks += 1;
    return connection.call(deadline, args);
  }) as RedisConnection['call'];
  const tail = createEventTail(
    {...connection, call},
    {
      ...events,
      readOn(...args) {
        reads += 1;
        return events.readOn(...args);
      },
    },
  );
  const openedAt = performance.now();
  const {newest = 0} = (await events.span(workspace.id, newDeadline())) ?? {};
  const consumers = Array.from({length: 200}, () => tail.open(workspace.id));
  const over = new AbortController();
  // In the service each stream has its own signal. In this test one signal ends all of them.
  setMaxListeners(0, over.signal);
  const waiting = Promise.all(
    consumers.map(async (consumer) => {
      const state = await consumer.wait(newest, 60_000, over.signal);
      return {state, page: await consumer.read({sequence: newest}, 10)};
    }),
  );
  await until(() => looks > 0);
  const posted = await workspace.request('POST', '/v1/standups', {
    body: {team: 'platform', update: 'For all.'},
  });
  tail.wake(workspace.id);
  const seen = await waiting;
  // One check of the log each quarter of a second, the first check, and the one for the commit.
  expect(looks).toBeLessThanOrEqual(2 + Math.ceil((performance.now() - openedAt) / 250));
  expect(reads).toBe(1);
  expect(seen).toHaveLength(200);
  expect(new Set(seen.map(({state, page}) => `${state} ${page?.[0]?.json}`)).size).toBe(1);
  expect(seen[0]?.page?.[0]?.json).toContain(posted.body.id);
  for (const consumer of consumers) consumer.close();
  const afterwards = looks;
  tail.wake(workspace.id);
  await workspace.request('GET', '/v1/me');
  expect(looks).toBe(afterwards);
});

it('an event written by another process is noticed soon, even if not announced', async () => {
  const {connection, eventTail} = service.core.store;
  const consumer = eventTail.open(workspace.id);
  const {signal} = new AbortController();
  const head = workspaceKeys(workspace.id).head();
  const sequence = Number(await connection.call(newDeadline(), ['HGET', head, 'sequence']));
  const waiting = consumer.wait(sequence, 60_000, signal);
  await connection.call(newDeadline(), ['HSET', head, 'sequence', String(sequence + 1)]);
  const begunAt = performance.now();
  expect(await waiting).toBe('grown');
  expect(performance.now() - begunAt).toBeLessThan(3_000);
  await connection.call(newDeadline(), ['HSET', head, 'sequence', String(sequence)]);
  expect(await consumer.wait(sequence + 1, 60_000, signal)).toBe('shrunk');
  consumer.close();
});

import {afterAll, beforeAll, beforeEach, expect, it} from '@jest/globals';
import {sendToRedis} from '../../scripts/redis-protocol.mjs';
import type {Call} from '../../src/domain/access.js';
import {limits} from '../../src/domain/limits.js';
import type {Batch} from '../../src/service/event-stream.js';
import {startService, type TestService, type TestWorkspace} from '../support/service.js';

let service: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startService({env: {ROLES: 'web'}, streaming: {pulse: 50}});
});

afterAll(() => service.close());

beforeEach(async () => {
  workspace = await service.addWorkspace();
});

const caller = (more: Partial<Call> = {}): Call => ({
  ...workspace.operator(),
  principal: workspace.principal,
  ...more,
});

const post = (update: string) =>
  service.core.services.standups.postStandup(caller(), {team: 'platform', update, source: 'api'});

async function follow(call = caller(), lastEventId?: string) {
  const {events} = service.core.services;
  const start = await events.findStreamStart(call, {lastEventId});
  const over = new AbortController();
  return {batches: events.followEvents(call, start, {signal: over.signal}), over};
}

/** Everything up to the end of a stream. */
async function rest(batches: AsyncGenerator<Batch, void, void>): Promise<Batch[]> {
  const all: Batch[] = [];
  for await (const batch of batches) all.push(batch);
  return all;
}

it('a reader that was overtaken by retention is ended, and never led past what it has missed', async () => {
  const {batches} = await follow();
  await batches.next();
  for (let i = 0; i < 30; i++) await post(`${i}`);
  const first = await batches.next();
  const last = (first.value as Batch).events.at(-1)?.sequence ?? 0;
  await sendToRedis(service.redisUrl, [['XTRIM', `{${workspace.id}}:events`, 'MINID', `${last + 3}-0`]]);
  const left = await rest(batches);
  expect(left.flatMap(({events}) => events)).toEqual([]);
  expect(left.at(-1)?.farewell).toMatch(/no longer kept/);
});

it('a process has a bounded number of streams for all principals together', async () => {
  const opened = [];
  for (let i = 0; i < limits.streamsPerProcess; i++) {
    const principal = {...workspace.principal, id: `svc_${i}`};
    opened.push(await follow(caller({principal})));
  }
  await Promise.all(opened.map(({batches}) => batches.next()));
  const more = await follow();
  await expect(more.batches.next()).rejects.toMatchObject({code: 'service_unavailable'});
  for (const {batches, over} of opened) {
    over.abort();
    await batches.return();
  }
  const {batches} = await follow();
  expect((await batches.next()).done).toBe(false);
  await batches.return();
});

it('a token of a trusted issuer ends its stream when its time is over', async () => {
  const {id} = workspace.principal;
  const expiresAt = service.core.store.clock.now() + 300;
  const {batches} = await follow(caller({token: {id, expiresAt, issuer: 'https://issuer.example'}}));
  const all = await rest(batches);
  expect(all.length).toBeGreaterThan(2);
  expect(all.at(-1)?.farewell).toMatch(/expired/);
});

it('a member who is gone has no stream any more', async () => {
  const {members} = service.core.services;
  const made = await members.createMember(workspace.operator(), {name: 'Ada'});
  const id = made.id ?? '';
  const {batches} = await follow(caller({principal: {type: 'member', id, name: 'Ada'}}));
  await batches.next();
  await members.deleteMember(workspace.operator(), id, {erase: false});
  expect((await rest(batches)).at(-1)?.farewell).toMatch(/gone/);
});

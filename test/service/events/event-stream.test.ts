import {createEventSight} from '../../../src/service/events/event-sight.js';
import {createEventTeams} from '../../../src/service/events/event-teams.js';
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {sendToRedis} from '../../../scripts/redis-protocol.mjs';
import type {Call, Credential} from '../../../src/domain/core/access.js';
import {limits, streaming} from '../../../src/domain/core/limits.js';
import type {ServiceContext} from '../../../src/service/core/context.js';
import {createEventAwaiter} from '../../../src/service/events/await-events.js';
import {type Batch, createEventFollower} from '../../../src/service/events/event-stream.js';
import {createStreamSlots} from '../../../src/service/events/stream-slots.js';
import {createTestContext} from '../../support/service-context.js';
import {startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {asId} from '../../support/ids.js';

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

/** Reads all remaining batches of a stream. */
async function rest(batches: AsyncGenerator<Batch, void, void>): Promise<Batch[]> {
  const all: Batch[] = [];
  for await (const batch of batches) all.push(batch);
  return all;
}

it('an event stream ends, and skips no event, if the log drops events that the stream has not sent', async () => {
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

describe('the event streams of a process', () => {
  const opened: {batches: AsyncGenerator<Batch, void, void>; over: AbortController}[] = [];
  let principals = 0;

  /** Opens a stream for a new principal. The workspace need not exist. */
  async function open(of = workspace.id): Promise<void> {
    principals += 1;
    const call = caller({
      workspace: of,
      principal: {type: 'service_account', id: asId(`svc_${principals}`), name: 'Reader'},
    });
    const over = new AbortController();
    const {signal} = over;
    const batches = service.core.services.events.followEvents(call, {sequence: 0}, {signal});
    expect((await batches.next()).done).toBe(false);
    opened.push({batches, over});
  }

  async function close({batches, over}: (typeof opened)[number]): Promise<void> {
    over.abort();
    await batches.return();
  }

  afterEach(async () => {
    for (const stream of opened.splice(0)) await close(stream);
  });

  it('regression: leave room for other workspaces, however many principals one workspace has', async () => {
    for (let i = 0; i < limits.streamsPerProcess / 2; i++) await open();
    await expect(open()).rejects.toMatchObject({code: 'limit_reached'});
    for (let i = 0; i < limits.streamsPerProcess / 4; i++) await open(asId('ws_other'));
    await expect(open(asId('ws_other'))).rejects.toMatchObject({code: 'limit_reached'});
    await open(asId('ws_third'));
  });

  it('are limited in number for all workspaces together', async () => {
    const all = limits.streamsPerProcess;
    for (let i = 0; i < all; i++) await open(asId(`ws_${i}`));
    await expect(open(asId('ws_last'))).rejects.toMatchObject({code: 'service_unavailable'});
    await close(opened.pop() as (typeof opened)[number]);
    await open(asId('ws_last'));
  });
});

it('an event stream ends when its token of a trusted issuer expires', async () => {
  const {id} = workspace.principal;
  const expiresAt = service.core.store.clock.now() + 2_000;
  const {batches} = await follow(caller({token: {id, expiresAt, issuer: 'https://issuer.example'}}));
  const all = await rest(batches);
  expect(all.length).toBeGreaterThan(2);
  expect(all.at(-1)?.farewell).toMatch(/expired/);
});

it('an event stream ends when its member is removed', async () => {
  const {members} = service.core.services;
  const made = await members.createMember(workspace.operator(), {name: 'Ada'});
  const id = asId(made.id ?? '');
  const {batches} = await follow(caller({principal: {type: 'member', id, name: 'Ada'}}));
  await batches.next();
  await members.deleteMember(workspace.operator(), id, {erase: false});
  expect((await rest(batches)).at(-1)?.farewell).toMatch(/gone/);
});

describe('regression: an event stream between two keep-alives', () => {
  /** Opens a stream without keep-alives, whose clock the test moves. */
  async function followByHand(token: Credential) {
    const {services} = service.core;
    // The clock is ahead of the real one, so that its deadlines are never over in the store.
    let now = performance.now() + 60_000;
    const context = createTestContext(service.core, {monotonic: () => now, pulse: 3_600_000});
    const sight = createEventSight(context, {findEventTeams: createEventTeams(context)});
    const followEvents = createEventFollower(context, {sight, streamSlots: createStreamSlots()});
    const start = await services.events.findStreamStart(caller(), {});
    const batches = followEvents(caller({token}), start, {signal: new AbortController().signal});
    await batches.next();
    const forward = (ms: number): void => {
      now += ms;
    };
    return {batches, forward};
  }

  const nextEvents = async (batches: AsyncGenerator<Batch, void, void>) =>
    ((await batches.next()).value as Batch).events.map(({type}) => type);

  it('sends no event that comes a second after its token was revoked', async () => {
    const {id} = await workspace.addToken();
    const {batches, forward} = await followByHand({
      id,
      expiresAt: service.core.store.clock.now() + 3_600_000,
    });
    await post('While the token is good.');
    expect(await nextEvents(batches)).toEqual(['standup.created']);
    await service.core.services.tokens.revokeToken(workspace.operator(), id);
    forward(streaming.recheck);
    await post('Not for a revoked token.');
    const {value: last} = await batches.next();
    expect(last).toMatchObject({events: [], farewell: expect.stringMatching(/revoked/)});
    expect((await batches.next()).done).toBe(true);
  });

  it('checks its token at most once a second, however many events come', async () => {
    const {id} = await workspace.addToken();
    // The token has expired, which the next check notices.
    const {batches, forward} = await followByHand({id, expiresAt: 0});
    for (const update of ['A', 'B']) {
      await post(update);
      expect(await nextEvents(batches)).toEqual(['standup.created']);
      forward(streaming.recheck / 2 - 1);
    }
    forward(2);
    await post('C');
    expect((await batches.next()).value).toMatchObject({events: []});
    await batches.return();
  });
});

it('regression: a waiting read reads the log a few times a second, however many other events come', async () => {
  let time = 0;
  let reads = 0;
  const context = {
    monotonic: () => time,
    requireStillAllowed: async () => undefined,
    eventTail: {
      open: () => ({
        wait: async (after: number, withinMs: number) => {
          if (after !== Number.POSITIVE_INFINITY) return 'grown';
          time += withinMs;
          return 'still';
        },
        close: () => undefined,
      }),
    },
  };
  const awaitEvents = createEventAwaiter(context as unknown as ServiceContext, {
    listEvents: async () => {
      reads += 1;
      time += 5;
      return {rows: [], next: {sequence: reads}, more: false};
    },
    streamSlots: {take: () => () => undefined},
  });
  const waiting = {workspace: 'wsp_1', principal: {id: 'mem_1'}} as unknown as Call;
  const page = await awaitEvents(
    waiting,
    {limit: 1},
    {withinMs: 30_000, signal: new AbortController().signal},
  );
  expect(page.next).toEqual({sequence: reads});
  expect(reads).toBeGreaterThan(30);
  expect(reads).toBeLessThanOrEqual(30_000 / streaming.retry);
});

import {afterEach, beforeEach, expect, it} from '@jest/globals';
import {randomInt} from 'node:crypto';
import {fillRedis, removeMemoryLimit} from '../support/full-redis.js';
import type {TestRedis} from '../support/redis-server.js';
import {until} from '../support/until.js';
import {audit, listAll, report} from './audit.js';
import {startLoad} from './load.js';
import {rounds, setStage, type CrashStage} from './stage.js';

const fillings = 5 * rounds || 1;
/**
 * The receiver refuses one delivery in ten once. Its retry comes after about 5 s, while the store is still
 * full.
 */
const refusedOnce = 10;
let stage: CrashStage;

beforeEach(async () => {
  stage = await setStage();
});

afterEach(async () => {
  await stage.close();
});

it(
  'a service under load with a store that fills up, killed each time, loses and duplicates nothing and keeps delivering',
  async () => {
    const {store, receiver, token} = stage;
    const forAll = (act: (server: TestRedis) => Promise<void>) => Promise.all(store.servers.map(act));
    const seen = new Set<string>();
    receiver.respondWith(({id}) => {
      const isFirst = !seen.has(id);
      seen.add(id);
      return isFirst && seen.size % refusedOnce === 0 ? 500 : 204;
    });
    const service = await stage.start();
    const load = startLoad({urls: [service.url], token, clients: 2});
    try {
      for (let filling = 0; filling < fillings; filling++) {
        const enough = load.acknowledged.length + randomInt(20, 60);
        await until(() => load.acknowledged.length >= enough, {what: 'clients are served'});
        const refused = load.refusals.length;
        await forAll((server) => fillRedis(server, {forGood: true}));
        await until(() => load.refusals.length > refused, {what: 'clients get the answer that it is full'});
        await service.kill();
        await service.restart();
        const ready = await fetch(`${service.url}/readyz`);
        expect([ready.status, await ready.json()]).toMatchObject([200, {store: 'full'}]);
        const events = await listAll(service.url, '/v1/events', token);
        const taken = () =>
          new Set(receiver.received.map(({id}) => id)).size >=
          events.filter(({type}) => type === 'standup.created').length;
        await until(taken, {what: 'what was accepted is delivered', withinMs: 20_000});
        await untilDelivered(service.url);
        await forAll(removeMemoryLimit);
      }
    } finally {
      await forAll(removeMemoryLimit);
      await load.stop();
    }
    const counts = await audit({...stage, ...service, ...load, received: receiver.received});
    const statuses = new Set(load.refusals.map(({status}) => status));
    expect(statuses).toContain(507);
    expect([...statuses].filter((status) => status !== 507 && status !== 503)).toEqual([]);
    report('a full store', {
      fillings,
      ...counts,
      'answers 507': load.refusals.filter(({status}) => status === 507).length,
      unanswered: load.unanswered(),
      replayed: load.replayed(),
    });
  },
  180_000 + 150_000 * rounds,
);

/** Waits until no delivery has a pending attempt. */
async function untilDelivered(url: string): Promise<void> {
  const path = `/v1/webhooks/${stage.webhook}/deliveries`;
  const open = ['pending', 'delivering', 'retrying'].map((state) => `${path}?state=${state}`);
  await until(
    async () => (await Promise.all(open.map((one) => listAll(url, one, stage.token)))).flat().length === 0,
    {what: 'what was refused is tried again', withinMs: 20_000, everyMs: 500},
  );
}

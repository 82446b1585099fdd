import {afterEach, expect, it} from '@jest/globals';
import {deep} from '../support/deep.js';
import type {ServiceProcess} from '../support/service-process.js';
import {eachStore} from '../support/test-store.js';
import {until} from '../support/until.js';
import {audit, report} from './audit.js';
import {type RunningLoad, startLoad} from './load.js';
import {rounds, setStage, type CrashStage} from './stage.js';

const isLong = deep || rounds > 0;
/**
 * Lengths of Redis outages (ms). Long ones outlast the timeouts of node-redis and run only in `npm run
 * faults`.
 */
const absences = rounds > 0 ? [3_000, 12_000, 35_000] : [3_000];
let stage: CrashStage;
let service: ServiceProcess;
let load: RunningLoad;

afterEach(() => stage.close());

/** In `npm test` a store of several servers has one outage, since each takes seconds to come back. */
const failures = eachStore.flatMap((kind) =>
  absences
    .flatMap((ms) => [[kind, 'killed', ms] as const, [kind, 'frozen', ms] as const])
    .filter(([, failure]) => isLong || kind === 'single' || (failure === 'killed') === (kind === 'cluster')),
);

it.each(failures)(
  'writes to a store of the kind %s are answered 503 in time while it is %s for %i ms, and nothing is lost',
  async (kind, failure, ms) => {
    stage = await setStage(kind);
    service = await stage.start();
    const {store} = stage;
    load = startLoad({urls: [service.url], token: stage.token});
    let backMs: number;
    try {
      await untilServed(40);
      if (failure === 'killed') await store.kill();
      else store.freeze();
      await stayAway(ms);
      await store.restart();
      await untilWritable();
      const returnedAt = performance.now();
      await untilServed(20);
      backMs = performance.now() - returnedAt;
    } finally {
      await store.restart();
      await load.stop();
    }
    expect(backMs).toBeLessThan(10_000);
    const {refusals, acknowledged} = load;
    expect(refusals.length).toBeGreaterThan(0);
    expect(new Set(refusals.map(({status}) => status))).toEqual(new Set([503]));
    expect(refusals.filter(({retryAfter}) => !/^\d+$/.test(retryAfter ?? ''))).toEqual([]);
    const slowestMs = Math.max(...refusals.map((refusal) => refusal.ms));
    expect(slowestMs).toBeLessThan(1_500);
    expect(load.unanswered()).toBe(0);
    const counts = await audit({...stage, ...service, acknowledged, received: stage.receiver.received});
    report(`store of the kind ${kind} ${failure} for ${ms / 1_000} s`, {
      ...counts,
      'answers 503': refusals.length,
      'slowest 503 in ms': Math.round(slowestMs),
      'back after ms': Math.round(backMs),
    });
  },
);

function untilServed(more: number): Promise<true> {
  const enough = load.acknowledged.length + more;
  return until(() => load.acknowledged.length >= enough, {what: 'clients are served', withinMs: 15_000});
}

/** Waits until the store itself takes writes: behind Sentinels, a new master first needs a replica. */
function untilWritable(): Promise<true> {
  const key = `{${stage.workspace}}:test:away`;
  const write = () => stage.store.send(key, [['SET', key, 'back', 'EX', 60]]);
  return until(
    () =>
      write().then(
        () => true,
        () => false,
      ),
    {
      what: 'the store takes writes',
      withinMs: 30_000,
    },
  );
}

/** Checks for `ms` that the process is alive but not ready. */
async function stayAway(ms: number): Promise<void> {
  const startedAt = performance.now();
  const statusOf = async (path: string) => (await fetch(`${service.url}${path}`)).status;
  await until(async () => (await statusOf('/readyz')) === 503, {what: '/readyz says that it is not ready'});
  expect(await statusOf('/healthz')).toBe(200);
  await until(() => performance.now() - startedAt > ms, {what: 'the absence', withinMs: ms + 5_000});
}

import {afterEach, beforeEach, expect, it} from '@jest/globals';
import type {ServiceProcess} from '../support/service-process.js';
import {until} from '../support/until.js';
import {audit, report} from './audit.js';
import {type RunningLoad, startLoad} from './load.js';
import {rounds, setStage, type CrashStage} from './stage.js';

/**
 * Lengths of Redis outages (ms). Long ones outlast the timeouts of node-redis and run only in `npm run
 * faults`.
 */
const absences = rounds > 0 ? [3_000, 12_000, 35_000] : [3_000];
let stage: CrashStage;
let service: ServiceProcess;
let load: RunningLoad;

beforeEach(async () => {
  stage = await setStage();
  service = await stage.start();
});

afterEach(() => stage.close());

const failures = absences.flatMap((ms) => [['killed', ms] as const, ['frozen', ms] as const]);

it.each(failures)(
  'writes are answered 503 in time while Redis is %s for %i ms, and nothing acknowledged is lost',
  async (failure, ms) => {
    load = startLoad({urls: [service.url], token: stage.token});
    let backMs: number;
    try {
      await untilServed(40);
      if (failure === 'killed') await stage.redis.kill();
      else stage.redis.freeze();
      await stayAway(ms);
      if (failure === 'killed') await stage.redis.restart();
      else stage.redis.thaw();
      const returnedAt = performance.now();
      await untilServed(20);
      backMs = performance.now() - returnedAt;
    } finally {
      if (stage.redis.pid() === undefined) await stage.redis.restart();
      stage.redis.thaw();
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
    report(`Redis ${failure} for ${ms / 1_000} s`, {
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

/** Checks for `ms` that the process is alive but not ready. */
async function stayAway(ms: number): Promise<void> {
  const startedAt = performance.now();
  const statusOf = async (path: string) => (await fetch(`${service.url}${path}`)).status;
  await until(async () => (await statusOf('/readyz')) === 503, {what: '/readyz says that it is not ready'});
  expect(await statusOf('/healthz')).toBe(200);
  await until(() => performance.now() - startedAt > ms, {what: 'the absence', withinMs: ms + 5_000});
}

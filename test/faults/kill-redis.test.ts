import {afterEach, beforeEach, expect, it} from '@jest/globals';
import {randomInt} from 'node:crypto';
import {until} from '../support/until.js';
import {audit, report} from './audit.js';
import {startLoad} from './load.js';
import {rounds, setStage, type CrashStage} from './stage.js';

const kills = 20 * rounds || 1;
let stage: CrashStage;

beforeEach(async () => {
  stage = await setStage();
});

afterEach(() => stage.close());

it(
  'the service loses and duplicates no acknowledged standup when Redis is killed under load',
  async () => {
    const service = await stage.start();
    const load = startLoad({urls: [service.url], token: stage.token});
    let slowestMs = 0;
    try {
      for (let kill = 0; kill < kills; kill++) {
        const startedAt = performance.now();
        const enough = load.acknowledged.length + randomInt(20, rounds > 0 ? 200 : 60);
        await until(() => load.acknowledged.length >= enough, {what: 'clients are served'});
        slowestMs = Math.max(slowestMs, performance.now() - startedAt);
        await stage.redis.kill();
        await stage.redis.restart();
      }
    } finally {
      await load.stop();
    }
    const {acknowledged, refusals} = load;
    expect(new Set(refusals.map(({status}) => status))).toEqual(new Set([503]));
    expect(load.unanswered()).toBe(0);
    const {received} = stage.receiver;
    const counts = await audit({...stage, ...service, acknowledged, received, withinMs: 15_000});
    report('kill -9 of Redis', {
      kills,
      ...counts,
      'answers 503': refusals.length,
      replayed: load.replayed(),
      'slowest return in ms': Math.round(slowestMs),
    });
  },
  180_000 + 60_000 * rounds,
);

import {afterEach, expect, it} from '@jest/globals';
import {randomInt} from 'node:crypto';
import type {TestRedis} from '../support/redis-server.js';
import {eachStore} from '../support/test-store.js';
import {until} from '../support/until.js';
import {audit, report} from './audit.js';
import {startLoad} from './load.js';
import {rounds, setStage, type CrashStage} from './stage.js';

const kills = 20 * rounds || 1;
/** Each of them waits until the Sentinels have replaced the master. */
const killsBehindSentinels = Math.ceil(kills / 2);
/**
 * Pause of each client (ms) where a killed server copies the whole store when it returns. Without it, ten rounds
 * write so much that a copy takes longer than all else.
 */
const restWithCopies = 100;
let stage: CrashStage;

const hasOtherMaster = ({url}: TestRedis) =>
  stage.findMaster().then(
    (now) => now.url !== url,
    () => false,
  );

afterEach(() => stage.close());

it.each(eachStore)(
  'the service loses and duplicates no acknowledged standup when Redis of a store of the kind %s is killed under load',
  async (kind) => {
    stage = await setStage(kind);
    const {store} = stage;
    const planned = kind === 'sentinel' ? killsBehindSentinels : kills;
    const service = await stage.start();
    const rest = kind !== 'single' && {restMs: restWithCopies};
    const load = startLoad({urls: [service.url], token: stage.token, ...rest});
    const served = async (more: number) => {
      const enough = load.acknowledged.length + more;
      await until(() => load.acknowledged.length >= enough, {what: 'clients are served'});
    };
    let slowestMs = 0;
    let failovers = 0;
    try {
      for (let kill = 0; kill < planned; kill++) {
        const startedAt = performance.now();
        await served(randomInt(20, rounds > 0 ? 200 : 60));
        slowestMs = Math.max(slowestMs, performance.now() - startedAt);
        const master = await stage.findMaster();
        await master.kill();
        // In a cluster, every second kill lets a replica take over. Behind Sentinels, each one does: a master
        // that returns while they replace it takes changes that are lost.
        const isReplaced = kind === 'sentinel' || (kind === 'cluster' && kill % 2 === 1);
        if (isReplaced) await until(() => hasOtherMaster(master), {what: 'a replica is the master'});
        failovers += Number(isReplaced);
        await master.restart();
        await store.waitForReplicas();
      }
    } finally {
      await load.stop();
    }
    const {acknowledged, refusals} = load;
    expect(new Set(refusals.map(({status}) => status))).toEqual(new Set([503]));
    expect(load.unanswered()).toBe(0);
    const {received} = stage.receiver;
    const counts = await audit({...stage, ...service, acknowledged, received, withinMs: 15_000});
    report(`kill -9 of Redis (${kind})`, {
      kills: planned,
      failovers,
      ...counts,
      'answers 503': refusals.length,
      replayed: load.replayed(),
      'slowest return in ms': Math.round(slowestMs),
    });
  },
  180_000 + 240_000 * rounds,
);

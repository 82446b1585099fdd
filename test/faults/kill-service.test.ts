import {afterEach, it} from '@jest/globals';
import {randomInt} from 'node:crypto';
import {deep} from '../support/deep.js';
import {eachStore} from '../support/test-store.js';
import {until} from '../support/until.js';
import {audit, report} from './audit.js';
import {expectRetryAfter, startLoad} from './load.js';
import {rounds, setStage, type CrashStage} from './stage.js';

const kills = 20 * rounds || 1;
/** `npm test` kills the service on one Redis alone: the store stays as it is. */
const kinds = deep || rounds > 0 ? eachStore : eachStore.slice(0, 1);
let stage: CrashStage;

afterEach(() => stage.close());

it.each(kinds)(
  'the service on a store of the kind %s loses and duplicates no acknowledged standup when it is killed under load',
  async (kind) => {
    stage = await setStage(kind);
    const service = await stage.start();
    const load = startLoad({urls: [service.url], token: stage.token});
    try {
      for (let kill = 0; kill < kills; kill++) {
        const enough = load.acknowledged.length + randomInt(20, rounds > 0 ? 120 : 60);
        await until(() => load.acknowledged.length >= enough, {what: 'clients are served'});
        await service.kill();
        await service.restart();
      }
    } finally {
      await load.stop();
    }
    // The kills are more frequent than leases end, so deliveries are late. Only the time after the last start
    // is limited.
    const counts = await audit({
      ...stage,
      ...service,
      ...load,
      received: stage.receiver.received,
      withinMs: 15_000,
    });
    expectRetryAfter(load);
    report(`kill -9 of the service (${kind})`, {
      kills,
      ...counts,
      unanswered: load.unanswered(),
      'answers 503': load.refusals.length,
      replayed: load.replayed(),
    });
  },
  180_000 + 240_000 * rounds,
);

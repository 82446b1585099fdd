import {afterEach, beforeEach, expect, it} from '@jest/globals';
import {randomInt} from 'node:crypto';
import {deep} from '../support/deep.js';
import {sendRequest} from '../support/service.js';
import {audit, report} from './audit.js';
import {startLoad} from './load.js';
import {rounds, setStage, type CrashStage} from './stage.js';

/** Steps after which only this process knows what was done. `npm run test:deep` adds all other steps. */
const steps = [
  'after-commit',
  'after-fan-out',
  'after-turn',
  'after-request',
  'before-record',
  ...(deep || rounds > 0
    ? ['before-commit', 'after-wake', 'before-fan-out', 'before-turn', 'before-request']
    : []),
];
const killed = {code: null, signal: 'SIGKILL'};

let stage: CrashStage;

beforeEach(async () => {
  stage = await setStage();
});

afterEach(() => stage.close());

it(
  'a service killed at each failpoint loses no acknowledged standup and stores none twice',
  async () => {
    const deaths = Array.from({length: rounds || 1}, () => steps)
      .flat()
      .map((name) => ({name, hit: randomInt(1, rounds > 0 ? 30 : 10)}));
    const service = await stage.start({failpoint: deaths[0]});
    const load = startLoad({urls: [service.url], token: stage.token, clients: 2});
    try {
      for (const [i, failpoint] of deaths.entries()) {
        if (i > 0) await service.restart(failpoint);
        expect(await service.current().exited).toEqual(killed);
      }
      await service.restart();
    } finally {
      await load.stop();
    }
    const {acknowledged} = load;
    const {received} = stage.receiver;
    const counts = await audit({...stage, ...service, acknowledged, received, withinMs: 15_000});
    report('kill -9 at each failpoint', {
      kills: steps.length * (rounds || 1),
      ...counts,
      replayed: load.replayed(),
    });
  },
  180_000 + 60_000 * rounds,
);

it('a delivery whose worker is killed again and again succeeds in the end, with the same event id', async () => {
  const deaths = rounds > 0 ? 5 : 2;
  const atRequest = {name: 'after-request', hit: 1};
  const service = await stage.start({failpoint: atRequest});
  const posted = await sendRequest(service.url, 'POST', '/v1/standups', {
    token: stage.token,
    body: {team: 'platform', update: 'Again and again'},
  });
  for (let death = 1; death <= deaths; death++) {
    expect(await service.current().exited).toEqual(killed);
    await service.restart(death < deaths ? atRequest : undefined);
  }
  const received = await stage.receiver.waitFor(deaths + 1, 15_000);
  expect(received.map(({headers}) => headers['standup-attempt'])).toEqual(
    Array.from({length: deaths + 1}, (_, i) => String(i + 1)),
  );
  const acknowledged = [{id: String(posted.body.id), update: 'Again and again'}];
  const counts = await audit({...stage, ...service, acknowledged, received});
  report('kill -9 of the worker of one delivery', {kills: deaths, ...counts});
});

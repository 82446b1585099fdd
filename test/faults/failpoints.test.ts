import {afterEach, beforeEach, expect, it} from '@jest/globals';
import {randomInt} from 'node:crypto';
import type {ServiceProcess} from '../support/service-process.js';
import {sendRequest} from '../support/service.js';
import {audit, report} from './audit.js';
import {startLoad} from './load.js';
import {rounds, setStage, type Stage} from './stage.js';

const steps = [
  'before-commit',
  'after-commit',
  'after-wake',
  'before-fan-out',
  'after-fan-out',
  'before-turn',
  'after-turn',
  'before-request',
  'after-request',
  'before-record',
];
const killed = {code: null, signal: 'SIGKILL'};

let stage: Stage;
let service: ServiceProcess;

beforeEach(async () => {
  stage = await setStage();
  service = await stage.start();
});

afterEach(() => stage.close());

it(
  'a process that dies at any named step loses and doubles nothing',
  async () => {
    const load = startLoad({urls: [service.url], token: stage.token, clients: 4});
    try {
      for (const name of Array.from({length: rounds || 1}, () => steps).flat()) {
        await service.restart({name, hit: randomInt(1, rounds > 0 ? 30 : 10)});
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

it('a delivery whose worker dies again and again is made in the end, under its one id', async () => {
  const deaths = rounds > 0 ? 5 : 2;
  const atRequest = {name: 'after-request', hit: 1};
  await service.restart(atRequest);
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

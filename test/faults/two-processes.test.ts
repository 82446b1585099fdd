import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {Agent} from 'node:http';
import type {ServiceProcess} from '../support/service-process.js';
import {until} from '../support/until.js';
import {audit, report} from './audit.js';
import {type AcknowledgedStandup, expectNothingDropped, postUntilAccepted, startLoad} from './load.js';
import {rounds, setStage, type CrashStage} from './stage.js';

let stage: CrashStage;
let services: readonly [ServiceProcess, ServiceProcess];
const acknowledged: AcknowledgedStandup[] = [];

beforeAll(async () => {
  stage = await setStage();
  services = await Promise.all([stage.start(), stage.start()]);
});

afterAll(() => stage.close());

it('100 identical requests at once with one idempotency key to two processes make one standup', async () => {
  const [one, two] = services;
  const agent = new Agent({keepAlive: true});
  const keys = 10 * rounds || 2;
  for (let key = 0; key < keys; key++) {
    const update = `Standup ${key}`;
    const replies = await Promise.all(
      Array.from({length: 100}, (_, i) => {
        const {url} = i % 2 === 0 ? one : two;
        return postUntilAccepted(url, {agent, token: stage.token, key: `key-${key}`, update});
      }),
    );
    expect(new Set(replies.map(({text}) => text)).size).toBe(1);
    // A request that was answered 503 may have made the standup; then every answer is a replay.
    const first = replies.filter(({headers}) => headers['idempotent-replayed'] !== 'true');
    expect(first.length).toBeLessThanOrEqual(1);
    const {id} = JSON.parse(replies[0]?.text ?? '') as {id: string};
    acknowledged.push({id, update});
  }
  agent.destroy();
  const counts = await audit({...stage, url: one.url, acknowledged, received: stage.receiver.received});
  expect(counts.repeats).toBe(0);
  report('100 repeats at once of each key over two processes', {keys, ...counts});
});

it(
  'a rolling restart of two processes under load drops no request and loses no standup',
  async () => {
    const load = startLoad({urls: services.map(({url}) => url), token: stage.token});
    try {
      for (let round = 0; round < (rounds || 1); round++) {
        for (const service of services) {
          const enough = load.acknowledged.length + (rounds > 0 ? 100 : 40);
          await until(() => load.acknowledged.length >= enough, {what: 'clients are served'});
          expect(await service.stop()).toEqual({code: 0, signal: null});
          await service.restart();
        }
      }
    } finally {
      await load.stop();
    }
    const {url} = services[0];
    acknowledged.push(...load.acknowledged);
    const counts = await audit({...stage, url, acknowledged, received: stage.receiver.received});
    expectNothingDropped(load);
    expect(counts.repeats).toBe(0);
    report('rolling restart of two processes', {
      rounds: rounds || 1,
      ...counts,
      unanswered: load.unanswered(),
    });
  },
  180_000 + 60_000 * rounds,
);

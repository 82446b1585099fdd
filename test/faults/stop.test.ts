import {afterAll, afterEach, beforeAll, expect, it} from '@jest/globals';
import {connect} from 'node:net';
import {dataFormats} from '../../src/store/core/installation.js';
import {deep} from '../support/deep.js';
import type {ServiceProcess} from '../support/service-process.js';
import {until} from '../support/until.js';
import {audit, report} from './audit.js';
import {expectNothingDropped, post, startLoad} from './load.js';
import {setStage, type CrashStage} from './stage.js';

let stage: CrashStage;
/** The process of the current test. */
let service: ServiceProcess;

beforeAll(async () => {
  stage = await setStage();
});

afterEach(async () => {
  await service.kill();
  stage.receiver.respondWith(204);
});

afterAll(() => stage.close());

it('SIGTERM under load ends the process with exit 0 in time and drops no accepted request', async () => {
  service = await stage.start();
  const load = startLoad({urls: [service.url], token: stage.token});
  try {
    await until(() => load.acknowledged.length >= 60);
    const startedAt = performance.now();
    expect(await service.stop()).toEqual({code: 0, signal: null});
    const tookMs = performance.now() - startedAt;
    expect(tookMs).toBeLessThan(25_000);
    report('SIGTERM under load', {'seconds until exit': (tookMs / 1_000).toFixed(1)});
    await service.restart();
  } finally {
    await load.stop();
  }
  const counts = await audit({...stage, ...service, ...load, received: stage.receiver.received});
  expectNothingDropped(load);
  expect(counts.repeats).toBe(0);
});

it('SIGTERM waits for a slow receiver, records its answer, and exits 0', async () => {
  service = await stage.start();
  let answer = (_status: number): void => undefined;
  stage.receiver.respondWith(() => new Promise((resolve) => (answer = resolve)));
  const before = stage.receiver.received.length;
  await postOne(service.url);
  await stage.receiver.waitFor(before + 1);
  const stopped = service.stop();
  await until(() =>
    fetch(`${service.url}/healthz`).then(
      () => undefined,
      () => true,
    ),
  );
  answer(204);
  expect(await stopped).toEqual({code: 0, signal: null});
  stage.receiver.respondWith(204);
  await service.restart();
  await postOne(service.url);
  // The first delivery was recorded, so only the second is sent.
  await stage.receiver.waitFor(before + 2);
  const ids = stage.receiver.received.slice(before).map(({id}) => id);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(2);
});

it('SIGTERM does not wait for a client that never ends its request', async () => {
  service = await stage.start();
  const socket = connect(service.port, '127.0.0.1');
  try {
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.write('POST /v1/standups HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{');
    await fetch(`${service.url}/healthz`);
    expect(await service.stop()).toEqual({code: 0, signal: null});
  } finally {
    socket.destroy();
  }
});

// Runs only in `npm run test:deep`, because filling the log's pipe takes thousands of requests.
if (deep) {
  it('regression: SIGTERM does not wait for a log consumer that does not read', async () => {
    service = await stage.start({unread: true, env: {LOG_LEVEL: 'info'}});
    const headers = {authorization: `Bearer ${stage.token}`};
    const ask = () => fetch(`${service.url}/v1/me`, {headers}).then((response) => response.text());
    // The pipe and its consumer hold less than half a megabyte. A request logs about 300 characters.
    for (let i = 0; i < 40; i++) await Promise.all(Array.from({length: 50}, ask));
    const startedAt = performance.now();
    expect(await service.stop()).toEqual({code: null, signal: 'SIGKILL'});
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });
}

it('a second SIGTERM ends the process at once with exit 1', async () => {
  service = await stage.start();
  stage.receiver.respondWith({failure: 'hang'});
  const before = stage.receiver.received.length;
  await postOne(service.url);
  await stage.receiver.waitFor(before + 1);
  const {current} = service;
  current().signal('SIGTERM');
  await until(() =>
    fetch(`${service.url}/healthz`).then(
      () => undefined,
      () => true,
    ),
  );
  current().signal('SIGTERM');
  expect(await current().exited).toEqual({code: 1, signal: null});
});

it('a process stops within seconds when the data is raised to a format that it does not read', async () => {
  service = await stage.start();
  const raise = (format: number) =>
    stage.store.send('{global}:installation', [['HSET', '{global}:installation', 'format', String(format)]]);
  await raise(dataFormats.writes + 1);
  try {
    expect(await service.current().exited).toEqual({code: 1, signal: null});
    expect(service.current().stdout()).toContain('a format that this version does not read');
    await expect(service.restart()).rejects.toThrow('start the newer version again');
  } finally {
    await raise(dataFormats.writes);
  }
});

async function postOne(url: string): Promise<void> {
  const key = `key-${stage.receiver.received.length}`;
  const reply = await post(`${url}/v1/standups`, {token: stage.token, key, update: 'One'});
  expect(reply?.status).toBe(201);
}

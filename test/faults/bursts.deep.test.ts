import {afterEach, beforeEach, expect, it} from '@jest/globals';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {sendRequest} from '../support/service.js';
import type {ServiceProcess} from '../support/service-process.js';
import {until} from '../support/until.js';
import {report} from './audit.js';
import {startLoad} from './load.js';
import {setStage, type CrashStage} from './stage.js';

/** Number of standups, set by `npm run faults -- bursts --posts N`; smaller in `npm run test:deep`. */
const posts = Number(process.env['BURST_POSTS'] ?? 1_000);
const isShort = process.env['BURST_POSTS'] === undefined;
const clients = 64;
/** Time that the slow receiver takes for each delivery (ms). */
const slowMs = 50;

interface Counter {
  readonly url: string;
  /** Ids of the received events. */
  readonly seen: ReadonlySet<string>;
  readonly requests: () => number;
  close(): Promise<void>;
}

let stage: CrashStage;
const counters: Counter[] = [];

beforeEach(async () => {
  stage = await setStage();
});

afterEach(async () => {
  await stage.close();
  for (const counter of counters.splice(0)) await counter.close();
});

/** Starts a receiver that stores only the ids of events, because there may be very many. */
async function startCounter(delayMs: number): Promise<Counter> {
  const seen = new Set<string>();
  let requests = 0;
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      requests += 1;
      seen.add(String(request.headers['webhook-id']));
      setTimeout(() => response.writeHead(204).end(), delayMs);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const {port} = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    seen,
    requests: () => requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function ask(service: ServiceProcess, method: string, path: string, body?: object) {
  const answer = await sendRequest(service.url, method, path, {token: stage.token, ...(body && {body})});
  expect(answer.status).toBeLessThan(300);
  return answer.body;
}

/** Replaces the stage's own webhook with one for each receiver. The first receiver is slow. */
async function addWebhooks(service: ServiceProcess, count: number): Promise<string[]> {
  await ask(service, 'DELETE', `/v1/webhooks/${stage.webhook}`);
  const ids: string[] = [];
  for (let i = 0; i < count; i += 1) {
    const counter = await startCounter(i === 0 ? slowMs : 0);
    counters.push(counter);
    const {id} = await ask(service, 'POST', '/v1/webhooks', {url: counter.url, events: ['standup.created']});
    ids.push(String(id));
  }
  return ids;
}

it.each(
  (isShort ? [3] : [1, 3, 20]).flatMap((webhooks) => [
    {webhooks, kill: false},
    {webhooks, kill: true},
  ]),
)(
  'a burst of standups is delivered completely to $webhooks webhooks, even to a slow one (process killed: $kill)',
  async ({webhooks, kill}) => {
    const service = await stage.start();
    const ids = await addWebhooks(service, webhooks);
    const startedAt = performance.now();
    const load = startLoad({urls: [service.url], token: stage.token, clients, restMs: 0});
    const posted = (count: number) =>
      until(() => load.acknowledged.length >= count, {what: `${count} are posted`, withinMs: 600_000});
    await posted(posts / 2);
    if (kill) {
      await service.kill();
      await service.restart();
    }
    await posted(posts);
    await load.stop();
    const postedAt = performance.now();
    const whilePosting = counters.map(({seen}) => seen.size);
    const total = load.acknowledged.length;
    await until(() => counters.every(({seen}) => seen.size >= total), {
      what: 'all is delivered',
      withinMs: 60_000 + 10 * total * webhooks,
    }).catch((error: unknown) => {
      throw new Error(`${String(error)}: ${counters.map(({seen}) => seen.size).join(', ')} of ${total}`);
    });
    const deliveredAt = performance.now();
    expect(counters.map(({seen}) => seen.size)).toEqual(ids.map(() => total));
    for (const id of ids) {
      const health = await until(async () => {
        const found = await ask(service, 'GET', `/v1/webhooks/${id}/health`);
        return found.backlog.pending + found.backlog.in_flight + found.backlog.behind === 0 && found;
      });
      expect(health.missed).toEqual({events: 0, since: null});
    }
    report(`a burst to ${webhooks} webhooks${kill ? ', killed in the middle' : ''}`, {
      posts: total,
      'seconds of posting': seconds(postedAt - startedAt),
      'delivered by then': `${Math.min(...whilePosting)}–${Math.max(...whilePosting)}`,
      'seconds until all were': seconds(deliveredAt - startedAt),
      repeats: counters.reduce((sum, {seen, requests}) => sum + requests() - seen.size, 0),
      missed: 0,
    });
  },
  180_000 + 60 * posts,
);

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1);
}

import {execFile} from 'node:child_process';
import net from 'node:net';
import {promisify} from 'node:util';
import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {deep} from '../support/deep.js';
import {startService} from '../support/service.js';
import {type ServiceProcess, startServiceProcess} from '../support/service-process.js';
import {startTestStore, type TestStore} from '../support/test-store.js';
import {until} from '../support/until.js';

/**
 * Number of idle connections, set by `npm run faults -- hostile --connections N`; fewer in `npm run
 * test:deep`.
 */
const idle = Number(process.env['HOSTILE_CONNECTIONS'] ?? 400);
/** Whether all tests run; `npm test` runs only some of them. */
const isWhole = deep || process.env['HOSTILE_CONNECTIONS'] !== undefined;
const isLong = idle >= 10_000;
const slowClients = isLong ? 1_000 : 100;
const streamsAsked = isLong ? 1_000 : isWhole ? 550 : 10;
const streamsEach = 10;
const mib = 1024 * 1024;

let store: TestStore;
let service: ServiceProcess;
/** Access tokens of one workspace, each of its own service account, and one token of another workspace. */
let tokens: string[];
let neighbour: string;
/** A revoked token of the same workspace, and a token of another installation. */
let revoked: string;
let foreign: string;

beforeAll(async () => {
  store = await startTestStore({shared: true});
  const preparing = await startService({redisUrl: store.url, env: {...store.env, ROLES: 'web'}});
  const workspace = await preparing.addWorkspace();
  neighbour = (await preparing.addWorkspace()).token;
  tokens = [];
  for (let i = 1; i <= streamsAsked / streamsEach; i += 1)
    tokens.push((await workspace.addToken({name: i === 1 ? 'ci' : `robot ${i}`})).value);
  const gone = await workspace.addToken({name: 'gone'});
  await preparing.core.services.tokens.revokeToken(workspace.operator(), gone.id);
  revoked = gone.value;
  await preparing.close();
  const elsewhere = await startService({env: {ROLES: 'web'}});
  foreign = (await elsewhere.addWorkspace()).token;
  await elsewhere.close();
  service = await startServiceProcess({redisUrl: store.url, env: store.env});
  // Requests each page once, to load everything that stays in memory after the first use.
  for (const path of ['/openapi.json', '/docs/assets/swagger-ui-bundle.js'])
    await (await fetch(`${service.url}${path}`)).text();
});

afterAll(async () => {
  await service.kill();
  await store.stop();
});

interface ServerSample {
  readonly rss: number;
  readonly answeredMs: number;
}

interface Figures {
  readonly before: number;
  readonly peak: number;
  readonly worstMs: number;
  readonly refused: number;
}

/**
 * Measures resident memory, and the time of `/healthz` on a separate connection, until the attack is over.
 */
async function watch(what: string, attack: (sockets: net.Socket[]) => Promise<unknown>): Promise<Figures> {
  const before = await readRss();
  const samples: ServerSample[] = [];
  const sockets: net.Socket[] = [];
  let over = false;
  const take = async (): Promise<void> => {
    const answeredMs = await askHealth();
    samples.push({rss: await readRss(), answeredMs});
  };
  const sampling = (async () => {
    while (!over) await take();
  })();
  try {
    await attack(sockets);
    over = true;
    await sampling;
    for (let i = 0; i < 10; i += 1) await take();
  } finally {
    over = true;
    await sampling;
    for (const socket of sockets) socket.destroy();
  }
  const answered = samples.filter(({answeredMs}) => Number.isFinite(answeredMs));
  const figures = {
    before,
    peak: Math.max(...samples.map(({rss}) => rss)),
    worstMs: Math.max(...answered.map(({answeredMs}) => answeredMs)),
    refused: samples.length - answered.length,
  };
  process.stdout.write(
    `hostile: ${what}: RSS ${inMib(figures.before)} -> ${inMib(figures.peak)} MiB, /healthz at worst ` +
      `${figures.worstMs.toFixed(0)} ms of ${samples.length}, ${figures.refused} refused\n`,
  );
  return figures;
}

function expectUnharmed({before, peak, worstMs, refused}: Figures, moreMib: number): void {
  expect(refused).toBe(0);
  expect(peak - before).toBeLessThan(moreMib * mib);
  expect(worstMs).toBeLessThan(5_000);
}

/** A test that runs only if all tests of this file run. */
const wholeIt = isWhole ? it : (_title: string, _run: () => Promise<void>): void => undefined;

wholeIt(
  `${streamsAsked} event streams requested by one workspace leave room for the streams of others`,
  async () => {
    let open = 0;
    const figures = await watch('streams', async (sockets) => {
      let answered = 0;
      await inParallel(streamsAsked, 20, async (i) => {
        const token = tokens[Math.floor(i / streamsEach)] ?? '';
        const status = await openStream(token, sockets);
        answered += 1;
        if (status === 200) open += 1;
      });
      expect(answered).toBe(streamsAsked);
      expect(await openStream(neighbour, sockets)).toBe(200);
    });
    expect(open).toBe(500);
    expectUnharmed(figures, 150);
  },
);

wholeIt(`${idle} idle connections do not stop others from being served`, async () => {
  const figures = await watch('idle connections', (sockets) =>
    inParallel(idle, 50, async () => void (await connect(sockets))),
  );
  expectUnharmed(figures, 300);
});

wholeIt(
  `${slowClients} clients that do not read their answers do not stop others from being served`,
  async () => {
    const requests = ask('/docs/assets/swagger-ui-bundle.js').repeat(8);
    const figures = await watch('readers that do not read', (sockets) =>
      inParallel(slowClients, 50, async () => void (await connect(sockets, requests)).pause()),
    );
    expectUnharmed(figures, 300);
  },
);

it('ten connections that each send 57 KB of requests and read no answers do not stop others from being served', async () => {
  const requests = ask('/openapi.json').repeat(1_500);
  expect(requests.length).toBeGreaterThan(57_000);
  const figures = await watch('57 KB of requests on ten connections', (sockets) =>
    inParallel(10, 10, async () => void (await connect(sockets, requests)).pause()),
  );
  expectUnharmed(figures, 100);
}, 300_000);

/** Request bodies of about 64 KB with as many errors as fit. */
const many = Object.fromEntries(Array.from({length: 5_000}, (_, i) => [`m${i}`, 1]));
const answer = {question: 1, value: Array.from({length: 10}, () => ({a: 1}))};
const wrongBodies: readonly {readonly what: string; readonly path: string; readonly body: string}[] = [
  {
    what: '31,900 wrong days',
    path: '/v1/teams/platform/schedule/preview',
    body: `{"schedule":{"frequency":"weekly","opens":"09:00","closes":"10:00","days":[${'1,'.repeat(31_899)}1]}}`,
  },
  {what: '5,000 unknown members', path: '/v1/teams/platform/schedule/preview', body: JSON.stringify(many)},
  {
    what: '5,000 wrong texts of metadata',
    path: '/v1/standups',
    body: JSON.stringify({team: 'platform', update: 'x', metadata: many}),
  },
  {
    what: '1,000 wrong answers',
    path: '/v1/standups',
    body: JSON.stringify({team: 'platform', answers: Array.from({length: 100}, () => answer)}),
  },
];

const postOf = ({path, body}: (typeof wrongBodies)[number], token: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

const attackMs = isLong ? 20_000 : isWhole ? 4_000 : 1_500;
/** Requests a second that a token may send by default. A revoked token has no quota. */
const perSecond = 10;
/** A p99 below this time (ms) depends on other load of the machine, not on the service. */
const machineMs = 50;

/**
 * Senders of the attack, by the kind of their token. The first one has no quota that would limit the attack.
 */
const senders: readonly (readonly [string, () => string])[] = [
  ['a revoked token', () => revoked],
  ['a live token', () => tokens[0] ?? ''],
  ['a token of another installation', () => foreign],
];

describe('request bodies full of errors', () => {
  it.each(isWhole ? senders : senders.slice(0, 1))(
    'sent with %s do not slow down requests of another workspace',
    async (by, token) => {
      const control = await askNeighbour(attackMs);
      let [attacked, longest] = [control, 0];
      const figures = await watch(`wrong bodies by ${by}`, async (sockets) => {
        // The first request of each kind compiles its schema.
        for (const wrong of wrongBodies) await lengthOfAnswer(postOf(wrong, token()), sockets);
        let over = false;
        const sent = inParallel(wrongBodies.length, wrongBodies.length, async (i) => {
          const wrong = wrongBodies[i] as (typeof wrongBodies)[number];
          while (!over) {
            const begunAt = performance.now();
            longest = Math.max(longest, await lengthOfAnswer(postOf(wrong, token()), sockets));
            const rest = (1_000 * wrongBodies.length) / perSecond - (performance.now() - begunAt);
            await new Promise((resolve) => setTimeout(resolve, Math.max(0, rest)));
          }
        });
        attacked = await askNeighbour(attackMs);
        over = true;
        await sent;
      });
      const after = await askNeighbour(attackMs);
      const alone = Math.max(control.p99, after.p99);
      process.stdout.write(
        `hostile: another tenant under wrong bodies by ${by}: p50 ${control.p50.toFixed(0)} -> ${attacked.p50.toFixed(0)} ms, ` +
          `p99 ${alone.toFixed(0)} -> ${attacked.p99.toFixed(0)} ms, worst ${attacked.worst.toFixed(0)} ms, ` +
          `${attacked.refused} of ${attacked.count} refused; longest refusal ${longest} bytes\n`,
      );
      expect(attacked.refused).toBe(0);
      expect(attacked.p99).toBeLessThanOrEqual(4 * Math.max(alone, machineMs));
      expect(longest).toBeLessThan(18 * 1024);
      expectUnharmed(figures, 100);
    },
  );

  wholeIt('sent on 48 connections that read no answers use hardly any memory', async () => {
    const figures = await watch('48 wrong bodies, unread', (sockets) =>
      inParallel(48, 48, async (i) => {
        const wrong = wrongBodies[i % wrongBodies.length] as (typeof wrongBodies)[number];
        (await connect(sockets, postOf(wrong, tokens[0] ?? ''))).pause();
      }),
    );
    expectUnharmed(figures, 100);
  });
});

/** Returns the times of requests by another workspace for a page of standups, repeated for `forMs`. */
async function askNeighbour(forMs: number) {
  const took: number[] = [];
  let refused = 0;
  const until = performance.now() + forMs;
  while (performance.now() < until) {
    const begunAt = performance.now();
    const headers = {authorization: `Bearer ${neighbour}`};
    const {status} = await fetch(`${service.url}/v1/standups?limit=1`, {headers}).then(async (response) => {
      await response.text();
      return response;
    });
    took.push(performance.now() - begunAt);
    if (status !== 200) refused += 1;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const sorted = took.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return {p50: at(0.5), p99: at(0.99), worst: at(1), count: took.length, refused};
}

/** Sends a request on a new connection. Returns the size of the answer in bytes, including its headers. */
async function lengthOfAnswer(text: string, sockets: net.Socket[]): Promise<number> {
  const socket = await connect(sockets, text.replace('Host: x', 'Host: x\r\nConnection: close'));
  let length = 0;
  socket.on('data', (chunk: Buffer) => (length += chunk.length));
  await new Promise((resolve) => socket.once('close', resolve));
  return length;
}

const ask = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;

async function connect(sockets: net.Socket[], text = ''): Promise<net.Socket> {
  const socket = net.connect(service.port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
  if (text !== '') socket.write(text);
  return socket;
}

/** Opens an event stream and returns the status of the answer. The stream stays open. */
async function openStream(token: string, sockets: net.Socket[]): Promise<number> {
  const socket = await connect(
    sockets,
    ask('/v1/events/stream', `Authorization: Bearer ${token}\r\nAccept: text/event-stream\r\n`),
  );
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
  await until(() => text.includes('\r\n\r\n'), {what: 'the stream is answered', withinMs: 60_000});
  return Number(text.split(' ')[1]);
}

/** Returns the time until `/healthz` is answered on a new connection (ms), or infinity without an answer. */
function askHealth(): Promise<number> {
  const begunAt = performance.now();
  return new Promise((resolve) => {
    const socket = net.connect(service.port, '127.0.0.1');
    let text = '';
    socket.setTimeout(60_000, () => socket.destroy());
    socket.on('error', () => undefined).on('close', () => resolve(Number.POSITIVE_INFINITY));
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
      if (!text.includes('"ok"')) return;
      resolve(performance.now() - begunAt);
      socket.destroy();
    });
    socket.write(ask('/healthz'));
  });
}

async function readRss(): Promise<number> {
  const {stdout} = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(service.current().pid)]);
  return Number(stdout) * 1024;
}

async function inParallel(count: number, width: number, run: (i: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({length: width}, async () => {
      while (next < count) await run(next++);
    }),
  );
}

function inMib(bytes: number): string {
  return (bytes / mib).toFixed(0);
}

import {type ChildProcess, execFile, spawn} from 'node:child_process';
import {once} from 'node:events';
import {cp, mkdtemp, rm} from 'node:fs/promises';
import {connect} from 'node:net';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {promisify} from 'node:util';
import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {buildClient, needs} from '../../scripts/clients/go.mjs';
import {cacheFolder, findInPath} from '../../scripts/paths.mjs';
import {createSecret, createSigner} from '../../src/webhook/signature.js';
import {createEvent, readCounts} from '../client/killed-receiver.js';
import {findFreePort} from '../support/free-port.js';
import {until} from '../support/until.js';

const lacks = needs.filter((program) => findInPath(program) === undefined);
const itWithGo = lacks.length === 0 ? it : it.skip;
const suffix = lacks.length === 0 ? '' : ` (skipped: this machine has no ${lacks.join(', ')})`;
const kills = 20;
const senders = 8;

const sign = createSigner();
const secret = createSecret((size) => new Uint8Array(size).fill(7));
let folder: string;
let port: number;
let receiver: ChildProcess;
const database = () => path.join(folder, 'test.db');

beforeAll(async () => {
  if (lacks.length > 0) return;
  const {folder: client} = await buildClient();
  folder = await mkdtemp(path.join(tmpdir(), 'standup-go-receiver-'));
  await cp('examples/receivers/go', folder, {recursive: true});
  const run = (...args: string[]) => promisify(execFile)('go', args, {cwd: folder});
  await run('mod', 'edit', `-replace=example.com/standup=${client}`);
  await run('vet', '.');
  // A build of SQLite takes a minute, so that of the last test is kept.
  const built = path.join(cacheFolder, 'clients', 'go-receiver');
  await run('build', '-o', built, '.');
  port = await findFreePort();
}, 600_000);

afterAll(async () => {
  if (folder) await rm(folder, {recursive: true});
});

async function start(): Promise<void> {
  receiver = spawn(path.join(cacheFolder, 'clients', 'go-receiver'), [], {
    env: {WEBHOOK_SECRET: secret, PORT: String(port), DATABASE: database()},
    stdio: 'ignore',
  });
  await until(async () => (await send(createEvent(0), 'v1,wrong')) === 400);
}

async function kill(): Promise<void> {
  receiver.kill('SIGKILL');
  await once(receiver, 'exit');
}

/** Sends an event once. Resolves to the status, or to undefined without an answer. */
async function send(event: {readonly id: string}, signature?: string): Promise<number | undefined> {
  const {id} = event;
  const body = JSON.stringify(event);
  const timestamp = Math.floor(Date.now() / 1000);
  const headers = {...sign({id, timestamp, body, secrets: [secret]})};
  if (signature !== undefined) headers['webhook-signature'] = signature;
  const sent = fetch(`http://127.0.0.1:${port}/`, {method: 'POST', headers, body});
  return sent.then(
    ({status}) => status,
    () => undefined,
  );
}

/** Sends an event, and breaks the connection before its answer, as a network may. */
async function sendWithoutAnswer(event: {readonly id: string}): Promise<void> {
  const {id} = event;
  const body = JSON.stringify(event);
  const timestamp = Math.floor(Date.now() / 1000);
  const headers = Object.entries(sign({id, timestamp, body, secrets: [secret]}));
  const lines = [...headers, ['content-length', String(body.length)]].map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const socket = connect(port, '127.0.0.1', () =>
    socket.end(`POST / HTTP/1.1\r\nhost: localhost\r\n${lines.join('')}\r\n${body}`),
  );
  socket.on('error', () => {});
  await pause(20);
  socket.destroy();
}

itWithGo(
  `the Go receiver counts each event once, though it is killed ${kills} times and answers get lost${suffix}`,
  async () => {
    let number = 0;
    let killed = 0;
    let unanswered = 0;
    const sendAll = async (): Promise<void> => {
      while (killed < kills) {
        const event = createEvent(number++);
        if (number % 5 === 0) await sendWithoutAnswer(event);
        while ((await send(event)) !== 204) {
          unanswered += 1;
          await pause(10);
        }
      }
    };
    await start();
    const sending = Array.from({length: senders}, sendAll);
    while (killed < kills) {
      await pause(20 + 17 * (killed % 10));
      await kill();
      killed += 1;
      await start();
    }
    await Promise.all(sending);
    await kill();

    expect(readCounts(database())).toEqual({received: number, posted: number});
    expect(number).toBeGreaterThan(kills * 5);
    expect(unanswered).toBeGreaterThan(kills);
  },
);

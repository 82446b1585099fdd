import {afterEach, expect, it} from '@jest/globals';
import {randomInt} from 'node:crypto';
import {setTimeout as delay} from 'node:timers/promises';
import {deep} from '../support/deep.js';
import {type Json, type RequestOptions, sendRequest} from '../support/service.js';
import type {ServiceProcess} from '../support/service-process.js';
import {createChance} from '../support/seeded-random.js';
import {until} from '../support/until.js';
import {report} from './audit.js';
import {type CrashStage, setStage} from './stage.js';

/** Numbers of rows and kills, set by `npm run faults -- import --rows N --kills K`. */
const rowCount = Number(process.env['IMPORT_FAULT_ROWS'] ?? (deep ? 2_000 : 400));
const kills = Number(process.env['IMPORT_FAULT_KILLS'] ?? (deep ? 10 : 3));
const seed = Number(process.env['IMPORT_FAULT_SEED'] ?? randomInt(2 ** 31));
const rowsAtOnce = 50;

let stage: CrashStage | undefined;

afterEach(() => stage?.close());

const rows = Array.from({length: rowCount}, (_, i) => ({
  external_id: `row-${i}`,
  team: 'platform',
  date: new Date(Date.UTC(2020, 0, 1) + (i % 1_500) * 86_400_000).toISOString().slice(0, 10),
  author: {name: `Person ${i % 40}`, external_id: `U${i % 40}`},
  update: `What was done, number ${i}.`,
}));

it(
  'an import whose service and client are killed at any moment creates each row once, has one event, and is taken back completely',
  async () => {
    report('crash suite of imports', {seed, rows: rowCount, kills});
    const chance = createChance(seed);
    stage = await setStage();
    const {token} = stage;
    const env = {RATE_LIMIT: '0', RATE_LIMIT_WRITES: '0'};
    const service = await stage.start({env});
    const send = (method: string, path: string, more: RequestOptions = {}) =>
      sendRequest(service.url, method, path, {token, ...more});

    const first = await begin(service, token);
    const struck = {kills: 0, lost: 0};
    const startedAt = performance.now();
    const strikes = new Set(
      chance.shuffle([...Array(Math.ceil(rowCount / rowsAtOnce)).keys()]).slice(0, kills),
    );
    for (let isLost = true; isLost; ) {
      isLost = await importRows(send, first.id, async (chunk) => {
        if (!strikes.delete(chunk)) return false;
        struck.kills += 1;
        await delay(chance.between(0, 12));
        await service.kill();
        await service.restart();
        // Every second client is killed with the service: it forgets how far it was, and begins at its first row.
        if (struck.kills % 2 === 0) return false;
        struck.lost += 1;
        return true;
      });
    }
    const importMs = performance.now() - startedAt;
    await killDuring(service, () => send('POST', `/v1/imports/${first.id}/finish`), chance.between(0, 8));
    expect((await send('POST', `/v1/imports/${first.id}/finish`)).status).toBe(200);
    const {body: finished} = await send('GET', `/v1/imports/${first.id}`);
    expect(finished).toMatchObject({state: 'completed', counts: {created: rowCount, invalid: 0}});
    const found = await listAll(send, '/v1/standups');
    expect(found.map(({imported}) => imported.external_id as string).toSorted()).toEqual(
      rows.map(({external_id: id}) => id).toSorted(),
    );
    const completed = async () =>
      (await listAll(send, '/v1/events')).filter(({type}) => type === 'import.completed').length;
    expect(await completed()).toBe(1);
    expect((await listAll(send, '/v1/events')).some(({type}) => type.startsWith('standup.'))).toBe(false);

    const second = await begin(service, token);
    await importRows(send, second.id);
    const {body: again} = await send('GET', `/v1/imports/${second.id}`);
    expect(again.counts).toMatchObject({created: 0, existing: rowCount});
    await send('DELETE', `/v1/imports/${second.id}`);

    const edited = found[0]?.id as string;
    await send('PATCH', `/v1/standups/${edited}`, {body: {update: 'Edited here.'}});
    const removingAt = performance.now();
    expect((await send('DELETE', `/v1/imports/${first.id}?rows=remove`)).status).toBe(204);
    for (let kill = 0; kill < Math.max(2, Math.ceil(kills / 5)); kill++) {
      await delay(chance.between(0, 60));
      await service.kill();
      await service.restart();
    }
    const removed = await until(
      async () => {
        const {body} = await send('GET', `/v1/imports/${first.id}`);
        return body.state === 'removed' ? body : undefined;
      },
      {what: 'the import was taken back', withinMs: 60_000},
    );
    expect(removed).toMatchObject({removed: rowCount - 1, kept: 1});
    expect((await listAll(send, '/v1/standups')).map(({id}) => id)).toEqual([edited]);
    expect(await completed()).toBe(1);
    report('crash suite of imports', {
      rows: rowCount,
      ...struck,
      'ms of the import': Math.round(importMs),
      'ms of taking back': Math.round(performance.now() - removingAt),
      existing: finished.counts.existing,
    });
  },
  120_000 + 5_000 * kills + 40 * rowCount,
);

type Send = (method: string, path: string, more?: RequestOptions) => ReturnType<typeof sendRequest>;

async function begin(service: ServiceProcess, token: string): Promise<Json> {
  const {status, body, text} = await sendRequest(service.url, 'POST', '/v1/imports', {
    token,
    body: {source: 'geekbot'},
  });
  if (status !== 201) throw new Error(text);
  return body;
}

/**
 * Sends all rows from the first on. `strike` may kill the service during a request, and says whether the client
 * is killed too. Returns true for a client that was killed.
 */
async function importRows(
  send: Send,
  id: string,
  strike: (chunk: number) => Promise<boolean> = async () => false,
): Promise<boolean> {
  for (let at = 0, chunk = 0; at < rows.length; at += rowsAtOnce, chunk++) {
    const body = {rows: rows.slice(at, at + rowsAtOnce)};
    const headers = {'Idempotency-Key': `${id}-${at}-${Math.random()}`};
    const sent = send('POST', `/v1/imports/${id}/rows`, {body, headers}).catch(() => undefined);
    const isKilled = await strike(chunk);
    let answer = await sent;
    if (isKilled) return true;
    // A client that goes on repeats the request with its key until it is answered.
    for (let tries = 0; answer?.status !== 200 && tries < 100; tries++) {
      await delay(50);
      answer = await send('POST', `/v1/imports/${id}/rows`, {body, headers}).catch(() => undefined);
    }
    expect(answer?.status).toBe(200);
    const {created, existing} = answer?.body.counts ?? {};
    expect(created + existing).toBe(body.rows.length);
  }
  return false;
}

async function killDuring(service: ServiceProcess, act: () => Promise<unknown>, afterMs: number) {
  const acted = act().catch(() => undefined);
  await delay(afterMs);
  await service.kill();
  await service.restart();
  await acted;
}

async function listAll(send: Send, path: string): Promise<Json[]> {
  const found: Json[] = [];
  for (let cursor = ''; ; ) {
    const {body} = await send('GET', `${path}?limit=100${cursor}`);
    found.push(...body.data);
    if (!body.has_more) return found;
    cursor = `&cursor=${body.next_cursor}`;
  }
}

import {createServer, type Server, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {afterEach, expect, it} from '@jest/globals';
import {connect, need} from '../../packages/cli/src/connection.js';
import type {Outside} from '../../packages/cli/src/outside.js';

let server: Server | undefined;
const waits: number[] = [];

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  waits.length = 0;
});

/** A connection to a service whose answers are those of a function, by the number of the request. */
async function connectTo(answer: (response: ServerResponse, count: number) => void) {
  const keys: unknown[] = [];
  const started = createServer((request, response) => {
    keys.push(request.headers['idempotency-key']);
    answer(response, keys.length);
  });
  server = started;
  await new Promise<void>((resolve) => void started.listen(0, '127.0.0.1', resolve));
  const outside: Partial<Outside> = {
    send: (request) => fetch(request),
    now: Date.now,
    sleep: async (ms) => void waits.push(ms),
  };
  const url = `http://127.0.0.1:${(started.address() as AddressInfo).port}`;
  const {client} = connect(outside as Outside, {url, token: 'none', onQuota: () => undefined});
  return {client, keys};
}

const finish = (response: ServerResponse, body: object) =>
  response.writeHead(200, {'content-type': 'application/json'}).end(JSON.stringify(body));

it('an answer that breaks off in its middle is asked for again, with the same key', async () => {
  const {client, keys} = await connectTo((response, count) => {
    if (count > 2) return void finish(response, {id: 'imp_1'});
    response.writeHead(200, {'content-type': 'application/json', 'content-length': '100'});
    response.write('{"id": "im', () => response.destroy());
  });
  const params = {header: {'Idempotency-Key': 'key-of-the-import'}};
  const started = await client.POST('/v1/imports', {params, body: {source: 'csv'}});
  expect(need(started).id).toBe('imp_1');
  expect(keys).toEqual(['key-of-the-import', 'key-of-the-import', 'key-of-the-import']);
});

it('a quota that returns after weeks is asked about every ten minutes', async () => {
  const {client} = await connectTo((response, count) => {
    if (count > 2) return void finish(response, {data: []});
    response.writeHead(429, {'content-type': 'application/json', 'retry-after': '9999999'}).end('{}');
  });
  expect((await client.GET('/v1/teams')).response.status).toBe(200);
  // A timer of more than 24 days would end at once.
  expect(waits).toEqual([600_000, 600_000]);
});

import {afterAll, beforeAll, expect, test} from '@jest/globals';
import {once} from 'node:events';
import {type AddressInfo, createServer, type Socket} from 'node:net';
import {createRedisClient} from '../../../src/store/core/redis-client.js';
import {withTimeout, until} from '../../support/until.js';

const taken = new Set<Socket>();
/** A server that accepts connections and never sends anything. */
const server = createServer((socket) => void taken.add(socket.resume()));

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(() => {
  server.close();
  for (const socket of taken) socket.destroy();
});

test.each([
  ['a client', false],
  ['a duplicate of a client', true],
])('regression: %s that is ended while it connects leaves no connection open', async (_, isDuplicate) => {
  const url = `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const made = createRedisClient({url, tlsVerify: true, onError: () => undefined, forQueue: true});
  const client = isDuplicate ? made.duplicate().on('error', () => undefined) : made;
  const connection = once(server, 'connection') as Promise<[Socket]>;
  const connecting = client.connect().then(
    () => 'connected',
    () => 'ended',
  );
  client.destroy();
  const [socket] = await withTimeout(connection, 'the client connects');
  await until(() => socket.closed, {what: 'the connection is closed'});
  expect(await connecting).toBe('ended');
});

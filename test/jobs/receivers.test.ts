// Receivers that end connections at any time, tested from the event to the delivery. The bytes of
// connections: test/webhook/receivers.test.ts.
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {afterEach, expect, it} from '@jest/globals';
import {type Chance, createChance} from '../support/seeded-random.js';
import {startService} from '../support/service.js';
import {until} from '../support/until.js';
import {addWebhook, createCleanUps, deliveriesOf, postStandups} from './stage.js';

const cleanUps = createCleanUps();

afterEach(() => cleanUps.run());

/**
 * Starts a receiver that ends some connections up to 20 ms after an answer, and others when the next request
 * arrives. No answer says how long a connection is kept.
 */
async function startFickleReceiver(chance: Chance) {
  const received: string[] = [];
  let reused = 0;
  let cut = 0;
  const server = createServer({keepAliveTimeout: 0}, (request, response) => {
    const {socket} = request;
    request.resume().once('end', () => {
      // A server does this if its timeout for idle connections ends while a request is arriving.
      if (socket.bytesWritten > 0 && chance.between(1, 10) <= 3) {
        cut += 1;
        socket.destroy();
        return;
      }
      if (socket.bytesWritten > 0) reused += 1;
      received.push(String(request.headers['webhook-id']));
      response.writeHead(204).end();
      if (chance.between(1, 10) <= 3) setTimeout(() => socket.end(), chance.between(0, 20));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUps.add(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  const {port} = server.address() as AddressInfo;
  return {url: `http://127.0.0.1:${port}`, received, counts: () => ({reused, cut})};
}

it('a receiver that ends idle connections at random gets all of 60 events, each in one attempt', async () => {
  const service = await startService();
  cleanUps.add(() => service.close());
  const workspace = await service.addWorkspace();
  const receiver = await startFickleReceiver(createChance(31));
  const hook = await addWebhook(workspace, receiver, {retry_schedule: []});
  for (let n = 1; n <= 60; n += 1) {
    await postStandups(workspace);
    if (n % 2 === 0) await until(() => receiver.received.length >= n - 1, {what: `${n - 1} events came`});
  }
  const deliveries = await until(
    async () => {
      const all = await deliveriesOf(workspace, hook);
      return all.length === 60 && all.every(({state}) => ['succeeded', 'exhausted'].includes(state)) && all;
    },
    {what: 'every delivery has ended'},
  );
  expect(deliveries.filter(({state, attempts}) => state !== 'succeeded' || attempts !== 1)).toEqual([]);
  expect(new Set(receiver.received)).toEqual(new Set(deliveries.map(({event_id: event}) => event)));
  // Connections must have been reused and cut, or the test would show nothing.
  const {reused, cut} = receiver.counts();
  expect([reused > 0, cut > 0]).toEqual([true, true]);
});

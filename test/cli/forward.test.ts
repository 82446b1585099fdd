import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {afterEach, expect, it} from '@jest/globals';
import {forwardRequest, forwardTimeoutMs} from '../../src/cli/forward.js';

const closings: (() => void)[] = [];
afterEach(() => {
  for (const close of closings.splice(0)) close();
});

it('forwarding to a slow program stops before the service gives up waiting for the answer', async () => {
  for (const begins of [false, true]) {
    const server = createServer((_, response) => {
      if (begins) response.writeHead(200).write('it begins');
    });
    closings.push(() => {
      server.close();
      server.closeAllConnections();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const {origin} = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const forwarded = await forwardRequest(new URL(origin), {rawHeaders: [], body: Buffer.from('{}')}, 200);
    expect(forwarded).toMatchObject({reason: `${origin} did not answer in 0.2 seconds`});
    expect(forwarded.status).toBeUndefined();
  }
  // The service waits 15 seconds from the connection to the listener.
  expect(forwardTimeoutMs).toBeLessThan(13_000);
});

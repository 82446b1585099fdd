import net from 'node:net';
import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {until} from '../../support/until.js';

let service: TestService;
let workspace: TestWorkspace;
const sockets: net.Socket[] = [];

beforeAll(async () => {
  service = await startService();
  workspace = await service.addWorkspace();
});

afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await service.close();
});

/** Opens connections to the service, and counts the requests on them that get a 401. */
async function openConnections(count: number) {
  const {hostname, port} = new URL(service.url);
  let [greeted, refused] = [0, 0];
  const opened = Array.from({length: count}, () => {
    const socket = net.connect(Number(port), hostname);
    socket.setEncoding('latin1').on('data', (text: string) => {
      greeted += text.split('HTTP/1.1 200').length - 1;
      refused += text.split('HTTP/1.1 401').length - 1;
    });
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    return socket;
  });
  sockets.push(...opened);
  await until(() => greeted === count);
  return {opened, countRefused: () => refused};
}

it('regression: a caller with a valid token does not wait behind callers without one', async () => {
  const {opened, countRefused} = await openConnections(100);
  expect((await workspace.request('GET', '/v1/me')).status).toBe(200);
  const request = 'GET /v1/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer e30.e30.e30\r\n\r\n';
  for (const socket of opened) socket.write(request.repeat(8));
  await until(() => countRefused() > 0);
  expect((await workspace.request('GET', '/v1/me')).status).toBe(200);
  expect(countRefused()).toBeLessThan(400);
  await until(() => countRefused() === 800);
});

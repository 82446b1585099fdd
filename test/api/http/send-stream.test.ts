import http from 'node:http';
import type {AddressInfo} from 'node:net';
import {expect, it} from '@jest/globals';
import {sendStream} from '../../../src/api/http/send-stream.js';

it('a stream lets other work run after each long chunk, such as one of an export, and not after an event', async () => {
  const written: string[] = [];
  const chunks = ['head', 'l'.repeat(64_000), 'event', 'l'.repeat(20_000), ''];
  const server = http.createServer((_, response) => {
    void sendStream(
      async ({write}) => {
        for (const chunk of chunks) {
          await write(chunk);
          written.push(`wrote ${chunk.length}`);
        }
      },
      response,
      {
        begin: () => response.writeHead(200),
        stopping: new AbortController().signal,
        pace: async () => void written.push('turn'),
        drainMs: 1_000,
        onBroken: (error) => written.push(String(error)),
      },
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const {port} = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}`);
  expect(await answer.text()).toHaveLength(84_009);
  server.close();
  expect(written).toEqual(['wrote 4', 'turn', 'wrote 64000', 'wrote 5', 'turn', 'wrote 20000', 'wrote 0']);
});

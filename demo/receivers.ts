import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';

/** Where the webhooks of the demonstration lead: a small server on loopback that knows two addresses. */
export interface Receivers {
  readonly port: number;
  readonly url: Readonly<Record<'healthy' | 'failing', string>>;
  /** What the failing one answers from now on. */
  answer(status: number): void;
  close(): Promise<void>;
}

const paths = {healthy: '/release-board', failing: '/on-call-pager'} as const;

/** Without a port on a free one. Rejects with `EADDRINUSE` when it is taken. */
export async function startReceivers(port = 0): Promise<Receivers> {
  let status = 204;
  const server: Server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      const isDown = request.url === paths.failing && status >= 300;
      if (isDown) response.writeHead(status, {'content-type': 'text/plain'});
      else response.writeHead(204);
      response.end(isDown ? 'The pager is being moved to another cluster.\n' : undefined);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const bound = (server.address() as AddressInfo).port;
  const base = `http://127.0.0.1:${bound}`;
  return {
    port: bound,
    url: {healthy: `${base}${paths.healthy}`, failing: `${base}${paths.failing}`},
    answer: (next) => {
      status = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

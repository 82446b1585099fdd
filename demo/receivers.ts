import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';

/** The receivers of the demonstration's webhooks: a small server on loopback with two addresses. */
export interface DemoReceivers {
  readonly port: number;
  readonly url: Readonly<Record<'healthy' | 'failing', string>>;
  /** Sets the status that the failing receiver answers from now on. */
  answer(status: number): void;
  close(): Promise<void>;
}

/**
 * The delays (ms) of the failing receiver's answers, in rotation. They are long enough to be visible in a
 * chart.
 */
const pauses = [4, 22, 9, 41, 14];

const paths = {healthy: '/release-board', failing: '/on-call-pager'} as const;

/** Starts the receivers, by default on a free port. Rejects with `EADDRINUSE` when the port is taken. */
export async function startReceivers(port = 0): Promise<DemoReceivers> {
  let status = 204;
  let refused = 0;
  const server: Server = createServer((request, response) => {
    request.resume();
    // Sends no `Date` header, because it would contain the real date and not that of the played weeks.
    response.sendDate = false;
    request.on('end', () => {
      if (request.url !== paths.failing || status < 300) {
        response.writeHead(204).end();
        return;
      }
      const pause = pauses[refused % pauses.length];
      refused += 1;
      setTimeout(() => {
        response.writeHead(status, {'content-type': 'text/plain'});
        response.end('The pager is being moved to another cluster.\n');
      }, pause);
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

import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';

/** Webhook receivers in this process: bare servers that answer 204. */
export interface BenchReceivers {
  readonly urls: readonly string[];
  /**
   * Resolves when `count` more requests have arrived. `perSecond` is their rate from the first to the last.
   */
  expect(count: number): Promise<{perSecond: number}>;
  /** Returns the number of requests since the start. */
  readonly received: () => number;
  /** A function that gets the body of each request. Without one, bodies are discarded unread. */
  onBody: ((body: string) => void) | undefined;
  close(): void;
}

/** A wait for requests fails with an error when no request has arrived for this time. */
const timeoutMs = 30_000;

export async function startReceivers(count: number): Promise<BenchReceivers> {
  let received = 0;
  let arrived = (): void => undefined;
  const servers = await Promise.all(Array.from({length: count}, () => listen(handleDelivery)));

  function handleDelivery(body: string | undefined): void {
    received += 1;
    if (body !== undefined) receivers.onBody?.(body);
    arrived();
  }

  const receivers: BenchReceivers = {
    urls: servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`),
    received: () => received,
    onBody: undefined,
    expect: (wanted) =>
      new Promise((resolve, reject) => {
        const before = received;
        let [first, last] = [0, performance.now()];
        const watch = setInterval(() => {
          if (performance.now() - last < timeoutMs) return;
          clearInterval(watch);
          reject(new Error(`Only ${received - before} of ${wanted} deliveries came in.`));
        }, 1_000);
        arrived = () => {
          last = performance.now();
          if (received - before === 1) first = last;
          if (received - before !== wanted) return;
          clearInterval(watch);
          resolve({perSecond: ((wanted - 1) / (last - first)) * 1_000});
        };
      }),
    close() {
      for (const server of servers) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
  return receivers;

  function listen(whenRead: (body: string | undefined) => void): Promise<Server> {
    const server = createServer((request, response) => {
      const wanted = receivers.onBody !== undefined;
      const chunks: Buffer[] = [];
      if (wanted) request.on('data', (chunk: Buffer) => chunks.push(chunk));
      else request.resume();
      request.on('end', () => {
        response.writeHead(204).end();
        whenRead(wanted ? Buffer.concat(chunks).toString() : undefined);
      });
    });
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', () => resolve(server));
    });
  }
}

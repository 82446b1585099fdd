import {randomInt} from 'node:crypto';
import {createServer} from 'node:net';

/** First port of this Jest worker's own range. Redis servers take ports from 15,000 on. */
const first = 10_000 + 1_000 * (Number(process.env['JEST_WORKER_ID'] ?? 0) % 5);

/**
 * Finds a free loopback port for a process that is restarted on the same port. The port is below the range
 * for outgoing connections: during a restart, another client could otherwise get it.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(first, first + 1_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

import {randomInt} from 'node:crypto';
import {createServer} from 'node:net';

/** Each worker of Jest takes ports of its own range, and Redis servers take theirs from 15,000 on. */
const first = 10_000 + 1_000 * (Number(process.env['JEST_WORKER_ID'] ?? 0) % 5);

/**
 * A free loopback port for a process that is restarted on it. It is below the range that the system uses for
 * outgoing connections: during a restart, a client that keeps connecting could otherwise be given this very
 * port and hold it.
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

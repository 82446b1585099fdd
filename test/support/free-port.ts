import {randomInt} from 'node:crypto';
import {createServer} from 'node:net';

/** First of the ports that only this Jest worker uses. Redis servers of tests use ports from 15,000 on. */
const first = 10_000 + 1_000 * (Number(process.env['JEST_WORKER_ID'] ?? 0) % 5);

/**
 * Finds a free loopback port for a process that must get the same port again after a restart. The port is
 * below the range for outgoing connections, since another client could take a port of that range during the
 * restart.
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

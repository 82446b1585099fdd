import {randomInt} from 'node:crypto';
import {createServer} from 'node:net';

/**
 * A free loopback port for a process that is restarted on it. It is below the range that the system uses for
 * outgoing connections: during a restart, a client that keeps connecting could otherwise be given this very
 * port and hold it.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, 32_000);
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

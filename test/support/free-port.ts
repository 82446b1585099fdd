import {randomInt} from 'node:crypto';
import {createServer} from 'node:net';

/**
 * A free loopback port for a process that is started again on it. Below the ports that the system gives to outgoing connections: while
 * the process is away, a client that keeps connecting could otherwise be given this very port and hold it.
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

import type {Server} from 'node:http';

/** Begins to listen; returns the bound port. Errors: Node's own. */
export function listen(server: Server, {host, port}: {host: string; port: number}): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

/**
 * Time for a connection to finish its request once the server is closing: far more than a request's own
 * deadline.
 */
const finishWithinMs = 5_000;

/**
 * Stops accepting, lets accepted requests finish, and closes idle connections. Node leaves a kept-alive
 * connection open and would go on serving its requests, so every answer from now on ends its connection.
 */
export function closeServer(server: Server): Promise<void> {
  if (!server.listening) return Promise.resolve();
  server.prependListener('request', (_, response) => response.setHeader('Connection', 'close'));
  return new Promise((resolve) => {
    const idle = setInterval(() => server.closeIdleConnections(), 50);
    const late = setTimeout(() => server.closeAllConnections(), finishWithinMs);
    server.close(() => {
      clearInterval(idle);
      clearTimeout(late);
      resolve();
    });
    server.closeIdleConnections();
  });
}

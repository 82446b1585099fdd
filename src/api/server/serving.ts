import type {Server} from 'node:http';

/** Starts listening; resolves to the port. Errors: Node's own errors. */
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

/** The time (ms) that a connection has to finish its request after the server starts to close. */
const finishWithinMs = 5_000;

/**
 * Closes a server: it accepts no new connections, finishes running requests and closes idle connections. From
 * then on, every answer ends its connection, because Node would keep serving a kept-alive connection.
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

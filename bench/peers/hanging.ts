import {createServer, type Server, type Socket} from 'node:net';
import type {AddressInfo} from 'node:net';

/** Webhook receivers that accept connections and data, and never answer. */
const servers: Server[] = [];
const open = new Set<Socket>();

function holdConnection(socket: Socket): void {
  open.add(socket);
  socket.on('error', () => undefined);
  socket.on('close', () => open.delete(socket));
  socket.resume();
}

async function listen(count: number): Promise<string[]> {
  for (let i = 0; i < count; i += 1) {
    const server = createServer(holdConnection);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 4_096, resolve));
  }
  return servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
}

process.on('message', ({listen: count}: {listen?: number}) => {
  if (count === undefined) process.send?.(open.size);
  else
    listen(count).then(
      (urls) => process.send?.(urls),
      () => process.exit(1),
    );
});

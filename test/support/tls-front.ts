import net from 'node:net';
import tls from 'node:tls';
import {testCertificate} from '../webhook/certificate.js';

/** Starts a TLS proxy in front of a local HTTP server, with a self-signed certificate for 127.0.0.1. */
export async function startTlsFront(port: number): Promise<{port: number; close: () => Promise<void>}> {
  const sockets = new Set<net.Socket>();
  const front = tls.createServer(testCertificate, (socket) => {
    const inner = net.connect(port, '127.0.0.1');
    inner.on('error', () => undefined);
    socket.on('error', () => undefined).once('close', () => inner.destroy());
    socket.pipe(inner).pipe(socket);
  });
  front.on('tlsClientError', () => undefined);
  front.on('connection', (socket: net.Socket) => sockets.add(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  return {
    port: (front.address() as net.AddressInfo).port,
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => front.close(() => resolve()));
    },
  };
}

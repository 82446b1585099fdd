import {type Socket, connect as connectTcp} from 'node:net';
import type {LookupFunction, TcpNetConnectOpts} from 'node:net';
import type {LookupAddress} from 'node:dns';
import type {Connection} from './connection.js';

/** The destination of a socket: resolved and checked addresses, at least one. */
export interface Destination {
  readonly addresses: readonly LookupAddress[];
  readonly port: number;
}

/**
 * Opens a TCP connection only to one of the addresses. Node tries them in turn and takes the first that
 * answers.
 */
export function openTcpConnection({addresses, port}: Destination, connection: Connection): Promise<Socket> {
  const [first] = addresses;
  const lookup: LookupFunction = (_, {all}, done) =>
    all === true ? done(null, [...addresses]) : done(null, first?.address ?? '', first?.family);
  const options: TcpNetConnectOpts & {highWaterMark: number} = {
    // With one address there is nothing to look up, and Node would only call us back for it.
    host: addresses.length === 1 && first !== undefined ? first.address : 'checked.invalid',
    port,
    lookup,
    // As in undici: larger reads of a plain connection.
    highWaterMark: 64 * 1024,
  };
  return waitUntilOpen(connectTcp(options), 'connect', connection);
}

/** Resolves when the socket is ready; its user handles later errors. */
export function waitUntilOpen<T extends Socket>(
  socket: T,
  event: 'connect' | 'secureConnect',
  connection: Connection,
): Promise<T> {
  connection.socket = socket;
  return new Promise((resolve, reject) => {
    // This listener stays: an error between this and the next listener must not end the process.
    socket.on('error', reject);
    socket.once('close', () =>
      reject(Object.assign(new Error('The connection was closed.'), {code: 'ECONNRESET'})),
    );
    socket.once(event, () => {
      socket.setNoDelay(true);
      socket.setKeepAlive(true, 60_000);
      resolve(socket);
    });
  });
}

import {type Socket, connect as connectTcp} from 'node:net';
import type {LookupFunction, TcpNetConnectOpts} from 'node:net';
import type {LookupAddress} from 'node:dns';
import type {Connection} from './connection.js';

/** The destination of a socket: at least one resolved and checked address. */
export interface Destination {
  readonly addresses: readonly LookupAddress[];
  readonly port: number;
}

/** Opens a TCP connection to one of the addresses: the first that answers, tried in turn. */
export function openTcpConnection({addresses, port}: Destination, connection: Connection): Promise<Socket> {
  const [first] = addresses;
  const lookup: LookupFunction = (_, {all}, done) =>
    all === true ? done(null, [...addresses]) : done(null, first?.address ?? '', first?.family);
  const options: TcpNetConnectOpts & {highWaterMark: number} = {
    // With a single address no look-up is needed, which saves a callback.
    host: addresses.length === 1 && first !== undefined ? first.address : 'checked.invalid',
    port,
    lookup,
    // The buffer size of a plain connection, as in undici.
    highWaterMark: 64 * 1024,
  };
  return waitUntilOpen(connectTcp(options), 'connect', connection);
}

/** Resolves when the socket is ready. The code that uses it handles later errors. */
export function waitUntilOpen<T extends Socket>(
  socket: T,
  event: 'connect' | 'secureConnect',
  connection: Connection,
): Promise<T> {
  connection.socket = socket;
  return new Promise((resolve, reject) => {
    // The listener stays, because an error before the next listener is added must not end the process.
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

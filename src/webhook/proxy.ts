import {request} from 'node:http';
import {type Socket, connect as connectTcp, isIP} from 'node:net';
import {connect as connectTls} from 'node:tls';
import type {SecureContextOptions} from 'node:tls';
import type {Connection} from './connection.js';
import {type Destination, waitUntilOpen} from './dial.js';

/** The error for a failure of the proxy itself, which says nothing about the receiver. */
class ProxyError extends Error {
  readonly code = 'PROXY_FAILED';
}

/** The error for a working proxy that reports that it cannot reach the receiver. */
class TunnelRefusedError extends Error {
  readonly code: 'ECONNREFUSED' | 'BLOCKED_TARGET';

  constructor(code: 'ECONNREFUSED' | 'BLOCKED_TARGET') {
    super(`The proxy does not lead there (${code}).`);
    this.code = code;
  }
}

/** Opens a TCP connection to a destination through the proxy. */
export type Tunnel = (destination: Destination, connection: Connection) => Promise<Socket>;

/**
 * Creates connections through an HTTP proxy (RFC 9110 §9.3.6, CONNECT). `url` is `http://` or `https://`,
 * with `user:password@` if necessary. The proxy is asked for the first checked address, so that its own name
 * resolution cannot lead elsewhere. The proxy's address is not checked, because the operator has configured
 * it. `timeoutMs` is for reaching the proxy; its time to reach the receiver counts as the receiver's.
 */
export function createTunnel(options: {
  readonly url: string;
  readonly timeoutMs: number;
  readonly tls?: SecureContextOptions;
}): Tunnel {
  const {timeoutMs, tls} = options;
  const url = new URL(options.url);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  const headers = createProxyAuthorizationHeader(url);

  async function connectToProxy(connection: Connection): Promise<Socket> {
    const reaching =
      url.protocol === 'https:'
        ? waitUntilOpen(
            connectTls({...tls, host, port, ...(isIP(host) === 0 && {servername: host})}),
            'secureConnect',
            connection,
          )
        : waitUntilOpen(connectTcp({host, port}), 'connect', connection);
    const late = setTimeout(
      () => connection.socket?.destroy(new ProxyError('The proxy does not answer.')),
      timeoutMs,
    );
    return reaching.finally(() => clearTimeout(late));
  }

  return async ({addresses: [first], port: wanted}, connection) => {
    if (first === undefined) throw new ProxyError('There is no address to ask the proxy for.');
    const {address, family} = first;
    const authority = `${family === 6 ? `[${address}]` : address}:${wanted}`;
    const toProxy = await connectToProxy(connection).catch((cause: unknown) => {
      throw new ProxyError('The proxy cannot be reached.', {cause});
    });
    const socket = await requestTunnel(authority, toProxy, headers);
    connection.remoteAddress = address;
    return socket;
  };
}

function requestTunnel(authority: string, socket: Socket, headers: Record<string, string>): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const asking = request({
      method: 'CONNECT',
      path: authority,
      headers: {...headers, host: authority},
      createConnection: () => socket,
    });
    const fail = (error: Error): void => {
      socket.destroy();
      reject(error);
    };
    asking.on('error', (cause) => fail(new ProxyError('The proxy ended the connection.', {cause})));
    asking.once('connect', ({statusCode = 0}, tunnel, early) => {
      const error = createTunnelError(statusCode);
      if (error !== undefined) fail(error);
      // In TLS and HTTP, the client speaks first. If data arrives before the client has sent any, it does not
      // come from the receiver.
      else if (early.length > 0) fail(new ProxyError('The proxy speaks where the receiver should.'));
      else resolve(tunnel);
    });
    asking.end();
  });
}

function createTunnelError(status: number): Error | undefined {
  if (status >= 200 && status < 300) return undefined;
  // A gateway uses these status codes to report about the server behind it (RFC 9110 §15.6). All other codes
  // are about the proxy or about us.
  if (status >= 502 && status <= 504) return new TunnelRefusedError('ECONNREFUSED');
  if (status === 403) return new TunnelRefusedError('BLOCKED_TARGET');
  return new ProxyError(`The proxy answered ${status}.`);
}

function createProxyAuthorizationHeader({username, password}: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return {'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}`};
}

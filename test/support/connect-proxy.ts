import {createServer} from 'node:http';
import type {IncomingMessage} from 'node:http';
import {createServer as createTlsServer} from 'node:https';
import {connect} from 'node:net';
import type {AddressInfo, Socket} from 'node:net';
import type {Duplex} from 'node:stream';

/** A real HTTP proxy that supports only CONNECT. */
export interface ConnectProxy {
  /** Address of the proxy without credentials: `http://127.0.0.1:port` or `https://…`. */
  readonly url: string;
  readonly port: number;
  /** The targets that clients have requested so far, as `host:port`. */
  readonly asked: readonly string[];
  /** The header `proxy-authorization` of each request; empty when the request had none. */
  readonly credentials: readonly string[];
  readonly connections: () => number;
  /**
   * Sets the proxy's behaviour from now on. A number: the proxy answers with this status instead of
   * connecting. `tunnel`: connects to the requested target. `cut`: ends the connection without an answer.
   * `silent`: never answers. `garbage`: answers with bytes that are not HTTP. `early`: sends data before the
   * receiver does.
   */
  behave(how: 'tunnel' | 'cut' | 'silent' | 'garbage' | 'early' | number): void;
  close(): Promise<void>;
}

export async function startConnectProxy(
  options: {readonly tls?: {readonly key: string; readonly cert: string}} = {},
): Promise<ConnectProxy> {
  const asked: string[] = [];
  const credentials: string[] = [];
  const sockets = new Set<Duplex>();
  let connections = 0;
  let how: Parameters<ConnectProxy['behave']>[0] = 'tunnel';

  function handleConnect(request: IncomingMessage, client: Duplex): void {
    const authority = request.url ?? '';
    asked.push(authority);
    credentials.push(request.headers['proxy-authorization'] ?? '');
    client.on('error', () => {});
    if (how === 'silent') return;
    if (how === 'cut') {
      client.destroy();
      return;
    }
    if (how === 'garbage') {
      client.end('220 mail.example.test ESMTP\r\n');
      return;
    }
    if (how === 'early') {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n');
      return;
    }
    if (typeof how === 'number') {
      client.end(`HTTP/1.1 ${how} Said by the proxy\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    openTunnel(authority, client);
  }

  function openTunnel(authority: string, client: Duplex): void {
    const colon = authority.lastIndexOf(':');
    const host = authority.slice(0, colon).replace(/^\[|\]$/g, '');
    const upstream: Socket = connect(Number(authority.slice(colon + 1)), host);
    trackSocket(upstream);
    upstream.once('connect', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    upstream.on('error', () => {
      if (upstream.bytesRead > 0) client.destroy();
      else client.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n');
    });
    upstream.on('close', () => client.destroy());
    client.on('close', () => upstream.destroy());
  }

  function trackSocket(socket: Duplex): void {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  }

  const server = options.tls ? createTlsServer(options.tls) : createServer();
  server.on('connection', (socket: Socket) => {
    connections += 1;
    trackSocket(socket);
  });
  server.on('tlsClientError', () => {});
  server.on('connect', handleConnect);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const {port} = server.address() as AddressInfo;

  return {
    url: `${options.tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    asked,
    credentials,
    connections: () => connections,
    behave(next) {
      how = next;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

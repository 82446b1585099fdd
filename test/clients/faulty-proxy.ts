import {createServer, request as sendRequest, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {buffer} from 'node:stream/consumers';

/**
 * `forward`: passes the answer on. `lose`: passes the request on, then breaks the connection. `break`: does so in
 * the middle of the answer.
 */
export type Reply =
  | 'forward'
  | 'lose'
  | 'break'
  | {readonly status: number; readonly headers: Record<string, string>};

export interface FaultyProxy {
  readonly url: string;
  /** The idempotency key of each request so far. */
  readonly keys: readonly string[];
  close(): Promise<void>;
}

/** Starts a proxy to `target` that answers its requests in turn as `replies` say, and forwards those after. */
export async function startFaultyProxy(target: string, replies: readonly Reply[]): Promise<FaultyProxy> {
  const keys: string[] = [];
  const server = createServer((incoming, response) => {
    const reply = replies[keys.length] ?? 'forward';
    keys.push(String(incoming.headers['idempotency-key'] ?? ''));
    if (typeof reply === 'object') {
      response.writeHead(reply.status, reply.headers).end();
      return;
    }
    const {method, url, headers} = incoming;
    buffer(incoming)
      .then((body) => {
        const outgoing = sendRequest(target + (url ?? ''), {method, headers}, (answer) => {
          buffer(answer).then((text) => {
            if (reply === 'lose') response.socket?.resetAndDestroy();
            else response.writeHead(answer.statusCode ?? 502, answer.headers);
            if (reply === 'break')
              response.write(text.subarray(0, text.length / 2), () => response.socket?.resetAndDestroy());
            if (reply === 'forward') response.end(text);
          }, destroy(response));
        });
        outgoing.on('error', destroy(response)).end(body);
      })
      .catch(destroy(response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keys,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function destroy(response: ServerResponse) {
  return () => response.destroy();
}

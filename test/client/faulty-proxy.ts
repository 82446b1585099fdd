import {createServer, request as sendRequest} from 'node:http';
import type {AddressInfo} from 'node:net';

/**
 * `cut`: the service answers, and the client loses the connection before the answer. `cut-body`: it loses the
 * connection in the middle of the answer. `busy`: the service gets nothing, and the client 503 with
 * `Retry-After: 1`.
 */
export type Fault = 'cut' | 'cut-body' | 'busy';

/** Starts a proxy before a service, for clients of any language. Its faults befall the next requests, in order. */
export async function startFaultyProxy(target: string) {
  const faults: Fault[] = [];
  const keys: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    const {method, url, headers} = request;
    const fault = faults.shift();
    keys.push(headers['idempotency-key']?.toString());
    if (fault === 'busy') {
      request.resume();
      response.writeHead(503, {'retry-after': '1'}).end();
      return;
    }
    const {hostname, port} = new URL(target);
    const onward = sendRequest({hostname, port, method, path: url, headers}, (answer) => {
      if (fault === undefined) {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
        return;
      }
      void answer.toArray().then((chunks) => {
        const body = Buffer.concat(chunks as Buffer[]);
        if (fault === 'cut') response.destroy();
        else {
          response.writeHead(answer.statusCode ?? 502, {...answer.headers, 'content-length': body.length});
          response.write(body.subarray(0, body.length / 2), () => response.destroy());
        }
      });
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The idempotency key of each request so far. */
    keys,
    fail: (...next: Fault[]) => void faults.push(...next),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

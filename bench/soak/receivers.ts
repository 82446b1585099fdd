import {createServer, type RequestListener} from 'node:http';
import type {AddressInfo} from 'node:net';
import type {Closings} from '../../src/compose-core.js';

/** The status of the nth answer of each receiver: the second fails at every third request, the third always. */
const statuses = [() => 204, (count: number) => (count % 3 === 0 ? 500 : 204), () => 503];

export interface SoakReceivers {
  readonly urls: readonly string[];
  /** The number of requests by status. */
  readonly answers: ReadonlyMap<number, number>;
}

/** Starts the receivers of webhooks, two of which fail. */
export async function startSoakReceivers(closings: Closings): Promise<SoakReceivers> {
  const answers = new Map<number, number>();
  const urls: string[] = [];
  for (const choose of statuses) {
    let count = 0;
    urls.push(
      await listen(closings, (request, response) => {
        count += 1;
        const status = choose(count);
        answers.set(status, (answers.get(status) ?? 0) + 1);
        request.resume();
        request.once('end', () => response.writeHead(status).end());
      }),
    );
  }
  return {urls, answers};
}

function listen(closings: Closings, handle: RequestListener): Promise<string> {
  const server = createServer(handle);
  closings.defer(() => {
    server.close();
    server.closeAllConnections();
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`),
    );
  });
}

import net from 'node:net';

/** Returns the next request as sent over the wire (Latin-1), or undefined when there are no more. */
export type NextRequest = () => string | undefined;

export interface BenchLoad {
  readonly port: number;
  readonly connections: number;
  readonly next: NextRequest;
}

/**
 * The number of answers by status. `perSecond` counts the answers within the measured time, `total` all of
 * them.
 */
export interface AnswerCounts {
  readonly total: number;
  readonly perSecond: number;
  readonly statuses: ReadonlyMap<number, number>;
}

/**
 * Sends requests as fast as the server answers them: each connection sends its next request after each
 * answer.
 */
export async function runClosedLoop(load: BenchLoad, seconds: number): Promise<AnswerCounts> {
  const connections = await openConnections(load.port, load.connections);
  const statuses = new Map<number, number>();
  const from = performance.now();
  const until = from + seconds * 1_000;
  let total = 0;
  let last = from;

  await Promise.all(
    connections.map(
      (connection) =>
        new Promise<void>((resolve, reject) => {
          connection.fail = reject;
          function sendNextRequest(): void {
            const request = performance.now() < until ? load.next() : undefined;
            if (request === undefined) resolve();
            else connection.send(request, countAnswer);
          }
          function countAnswer(status: number): void {
            statuses.set(status, (statuses.get(status) ?? 0) + 1);
            total += 1;
            last = performance.now();
            sendNextRequest();
          }
          sendNextRequest();
        }),
    ),
  );
  for (const connection of connections) connection.close();
  return {total, statuses, perSecond: (total / (last - from)) * 1_000};
}

export interface Latencies {
  readonly statuses: ReadonlyMap<number, number>;
  /**
   * The time (ms) of each request, from the moment at which it was due to its answer. A late start counts as
   * waiting.
   */
  readonly latencies: readonly number[];
}

/**
 * Sends requests at a fixed rate, however fast the answers come. Requests that are due wait while all
 * connections are in use, and their waiting time counts. A timer sets the pace, because a loop without pauses
 * would take CPU from the measured server.
 */
export async function runOpenLoop(load: BenchLoad, rate: number, seconds: number): Promise<Latencies> {
  const idle = await openConnections(load.port, load.connections);
  const connections = [...idle];
  const statuses = new Map<number, number>();
  const latencies: number[] = [];
  const count = Math.round(rate * seconds);
  const waiting: number[] = [];
  const from = performance.now() + 5;
  let issued = 0;

  await new Promise<void>((resolve, reject) => {
    for (const connection of connections) connection.fail = reject;
    function sendDueRequests(): void {
      while (waiting.length > 0) {
        // Uses the connections in rotation, because the server closes a connection that is idle for long.
        const wire = idle.shift();
        if (wire === undefined) return;
        const intended = waiting.shift() ?? 0;
        wire.send(load.next() ?? '', (status) => {
          latencies.push(performance.now() - intended);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          idle.push(wire);
          if (latencies.length === count) resolve();
          else if (waiting.length > 0) sendDueRequests();
        });
      }
    }
    const pace = setInterval(() => {
      const now = performance.now();
      for (; issued < count; issued += 1) {
        const intended = from + (issued * 1_000) / rate;
        if (intended > now) break;
        waiting.push(intended);
      }
      sendDueRequests();
      if (issued === count) clearInterval(pace);
    }, 1);
  });
  for (const connection of connections) connection.close();
  return {latencies, statuses};
}

/** One kept-alive connection with one request at a time. */
interface KeptAliveConnection {
  send(request: string, countAnswer: (status: number) => void): void;
  fail: (error: Error) => void;
  close(): void;
}

function openConnections(port: number, count: number): Promise<KeptAliveConnection[]> {
  return Promise.all(Array.from({length: count}, () => openConnection(port)));
}

const headEnd = Buffer.from('\r\n\r\n');

/** A parser of answers, written by hand so that the load generator costs less CPU than the measured code. */
function openConnection(port: number): Promise<KeptAliveConnection> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({port, host: '127.0.0.1', noDelay: true});
    let countAnswer: ((status: number) => void) | undefined;
    let rest: Buffer | undefined;
    let closed = false;
    const connection: KeptAliveConnection = {
      send(request, whenDone) {
        countAnswer = whenDone;
        socket.write(request, 'latin1');
      },
      fail: reject,
      close() {
        closed = true;
        socket.destroy();
      },
    };
    socket.once('connect', () => resolve(connection));
    socket.on('error', (error) => connection.fail(error));
    socket.on('close', () => {
      if (!closed) connection.fail(new Error('The connection was closed before the answer was complete.'));
    });
    socket.on('data', (chunk: Buffer) => {
      const bytes = rest === undefined ? chunk : Buffer.concat([rest, chunk]);
      const end = bytes.indexOf(headEnd);
      const head = end === -1 ? '' : bytes.toString('latin1', 0, end);
      const length = hasNoResponseBody(head) ? '0' : /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
      if (end !== -1 && length === undefined) {
        connection.fail(new Error(`The generator reads only answers with a Content-Length: ${head}`));
        return;
      }
      rest = end === -1 || bytes.length < end + headEnd.length + Number(length) ? bytes : undefined;
      if (rest === undefined) countAnswer?.(Number(head.slice(9, 12)));
    });
  });
}

/** True for a 304 answer. Its Content-Length is the length of a body that is not sent. */
function hasNoResponseBody(head: string): boolean {
  return head.startsWith('HTTP/1.1 304');
}

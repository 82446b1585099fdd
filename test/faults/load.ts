// test/faults/: behaviour when processes die, freeze or are stopped. Each test ends with an audit of all data
// and prints its counts. Single misbehaving receivers are tested in test/webhook/, and what needs only one
// process in test/jobs/.
import {expect} from '@jest/globals';
import {randomUUID} from 'node:crypto';
import {Agent, request as httpRequest} from 'node:http';
import {rounds} from './stage.js';

/** A standup for which a client has received a 201. */
export interface AcknowledgedStandup {
  readonly id: string;
  readonly update: string;
  /** Slug of the team; `platform` by default. */
  readonly team?: string;
  /** Time at which the answered request was sent (monotonic ms), and the time until its answer (ms). */
  readonly askedAt?: number;
  readonly ms?: number;
}

export interface LoadRefusal {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly ms: number;
  /** Time of the answer (monotonic ms). */
  readonly at: number;
  /** The sentence of the answer. */
  readonly detail: string;
}

export interface RunningLoad {
  readonly acknowledged: AcknowledgedStandup[];
  /** Answers other than 201, in order. */
  readonly refusals: LoadRefusal[];
  /** Number of requests without an answer: the connection was refused or cut. */
  readonly unanswered: () => number;
  /** Number of 201s that answered a repeat (`Idempotent-Replayed`). */
  readonly replayed: () => number;
  /** Posts no new standups. Resolves when every started one is acknowledged; rejects after 20 s. */
  stop(): Promise<void>;
}

export interface LoadOptions {
  /** Addresses of the processes. A client uses the next one when it gets no answer. */
  readonly urls: readonly string[];
  readonly token: string;
  readonly clients?: number;
  /** Slugs of the teams; each standup goes to the next one. */
  readonly teams?: readonly string[];
  /** Pause of each client after an acknowledgement (ms). */
  readonly restMs?: number;
}

interface LoadReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Default load: as high as possible in `npm run faults`, and lower in `npm test`, beside other tests. */
const usual = rounds > 0 ? {clients: 16, restMs: 0} : {clients: 4, restMs: 50};
/** Pause before a client repeats a request (ms), so that it does not spin while no process listens. */
const pauseMs = 100;
/** Time for which clients repeat requests without success until the test fails (ms). */
const timeoutMs = 20_000;

/**
 * Starts clients that post one standup after another. Each request is repeated with its idempotency key until
 * it is answered 201.
 */
export function startLoad(options: LoadOptions): RunningLoad {
  const {urls, token, clients = usual.clients, teams = ['platform'], restMs = usual.restMs} = options;
  const agent = new Agent({keepAlive: true});
  const acknowledged: AcknowledgedStandup[] = [];
  const refusals: LoadRefusal[] = [];
  const counts = {unanswered: 0, replayed: 0};
  let stopping = false;
  let givenUp = false;

  async function client(number: number): Promise<void> {
    for (let round = number; !stopping; round++) {
      // Each standup starts at the client's first address. Otherwise a process that was down would get no
      // requests again.
      let target = number;
      const key = randomUUID();
      const team = teams[round % teams.length] ?? '';
      const update = `Standup ${key}`;
      while (!givenUp) {
        const startedAt = performance.now();
        const reply = await post(`${urls[target % urls.length]}/v1/standups`, {
          agent,
          token,
          key,
          update,
          team,
        });
        if (reply?.status === 201) {
          const {id} = JSON.parse(reply.text) as {id: string};
          if (reply.headers['idempotent-replayed'] === 'true') counts.replayed += 1;
          acknowledged.push({id, update, team, askedAt: startedAt, ms: performance.now() - startedAt});
          break;
        }
        if (reply === undefined) {
          counts.unanswered += 1;
          target += 1;
        } else {
          refusals.push({
            status: reply.status,
            retryAfter: reply.headers['retry-after'] as string | undefined,
            ms: performance.now() - startedAt,
            at: performance.now(),
            detail: String((JSON.parse(reply.text) as {detail?: string}).detail),
          });
        }
        await pause(pauseMs);
      }
      if (restMs > 0) await pause(restMs);
    }
  }

  const running = Promise.all(Array.from({length: clients}, (_, number) => client(number)));
  return {
    acknowledged,
    refusals,
    unanswered: () => counts.unanswered,
    replayed: () => counts.replayed,
    async stop() {
      stopping = true;
      const timer = setTimeout(() => {
        givenUp = true;
      }, timeoutMs);
      await running;
      clearTimeout(timer);
      agent.destroy();
      if (givenUp) throw new Error('some clients never saw a 201');
    },
  };
}

/**
 * Checks that refused requests were answered 503 with `Retry-After`, as for a missed deadline on a busy
 * machine.
 */
export function expectRetryAfter({refusals}: Pick<RunningLoad, 'refusals'>): void {
  expect(refusals.filter(({status, retryAfter}) => status !== 503 || retryAfter === undefined)).toEqual([]);
}

/** Checks that no request was executed without an answer. Its repeat would have been answered as a replay. */
export function expectNothingDropped(load: RunningLoad): void {
  expectRetryAfter(load);
  expect(load.replayed()).toBeLessThanOrEqual(load.refusals.length);
}

interface LoadPost {
  readonly agent?: Agent;
  readonly token: string;
  readonly key: string;
  readonly update: string;
  readonly team?: string;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Posts a standup, and repeats the request with its key while a busy machine answers it 503. */
export async function postUntilAccepted(url: string, given: LoadPost): Promise<LoadReply> {
  for (;;) {
    const reply = await post(`${url}/v1/standups`, given);
    if (reply?.status !== 503) {
      expect(reply?.status).toBe(201);
      return reply as LoadReply;
    }
    expect(reply.headers['retry-after']).toBeDefined();
    await pause(pauseMs);
  }
}

/** Sends one POST request. Resolves with undefined without a complete answer. */
export function post(
  url: string,
  {agent, token, key, update, team = 'platform'}: LoadPost,
): Promise<LoadReply | undefined> {
  const body = JSON.stringify({team, update});
  return new Promise((resolve) => {
    const sent = httpRequest(url, {
      ...(agent && {agent}),
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'idempotency-key': key,
      },
    });
    sent.once('error', () => resolve(undefined));
    sent.once('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      response.once('error', () => resolve(undefined));
      response.once('close', () => {
        resolve(
          response.complete ? {status: response.statusCode ?? 0, headers: response.headers, text} : undefined,
        );
      });
    });
    sent.end(body);
  });
}

import {beforeEach, expect, it} from '@jest/globals';
import {NoAnswerError} from '../../packages/client-ts/src/errors.js';
import {type Clock, createSender, realClock} from '../../packages/client-ts/src/sender.js';

interface Pause {
  readonly at: number;
  readonly ms: number;
  readonly wake: () => void;
}

/** A clock that moves only while everything waits for it. `pauses` has every sleep that was not ended early. */
function createWaitingClock() {
  let now = 0;
  let sleeping: Pause[] = [];
  const pauses: number[] = [];
  const clock: Clock = {
    now: () => now,
    random: () => 0.5,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        const pause = {at: now + ms, ms, wake: resolve};
        sleeping.push(pause);
        signal?.addEventListener('abort', () => {
          sleeping = sleeping.filter((one) => one !== pause);
          reject(signal.reason as Error);
        });
      }),
  };
  const pass = async () => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    const [first] = sleeping.toSorted((a, b) => a.at - b.at);
    if (first === undefined) return;
    sleeping = sleeping.filter((one) => one !== first);
    now = first.at;
    pauses.push(first.ms);
    first.wake();
  };
  /** Resolves with the outcome of `work`, for which time passes. */
  const run = async <Result>(work: Promise<Result>): Promise<Result | Error> => {
    let outcome: Result | Error | undefined;
    const ended = work.then(
      (result) => (outcome = result),
      (error: unknown) => (outcome = error as Error),
    );
    while (outcome === undefined) await pass();
    return ended;
  };
  return {clock, pauses, run, now: () => now};
}

type Step = Response | Error | 'hang' | (() => Response);

const json = (status: number, headers: Record<string, string> = {}) =>
  Response.json({status}, {status, headers});
const url = 'http://127.0.0.1:9/v1/standups';
const post = (init: RequestInit = {}) =>
  new Request(url, {
    method: 'POST',
    body: '{"update":"A"}',
    headers: {'content-type': 'application/json'},
    ...init,
  });

let time: ReturnType<typeof createWaitingClock>;
let tries: {readonly key: string | null; readonly body: string}[];

beforeEach(() => {
  time = createWaitingClock();
  tries = [];
});

/** Sends a request to a network that takes these steps; the last one is repeated. */
function sendThrough(steps: readonly Step[], request: Request, withinMs = 30_000) {
  const send = createSender({
    withinMs,
    clock: time.clock,
    async send(one) {
      const step = steps[Math.min(tries.length, steps.length - 1)];
      tries.push({key: one.headers.get('idempotency-key'), body: await one.text()});
      if (step === 'hang')
        return new Promise((_, reject) => {
          one.signal.throwIfAborted();
          one.signal.addEventListener('abort', () => reject(one.signal.reason as Error));
        });
      if (typeof step === 'function') return step();
      if (step instanceof Response) return step.clone();
      throw step ?? new Error('no step');
    },
  });
  return time.run(send(request));
}

const isResponse = (outcome: unknown): outcome is Response => outcome instanceof Response;
const statusOf = (outcome: unknown) => (isResponse(outcome) ? outcome.status : outcome);

it('a change is repeated after no answer, 429 and 5xx, with the same body and one key made before the first try', async () => {
  const steps = [new TypeError('fetch failed'), json(429), json(500), json(503), json(201)];
  expect(statusOf(await sendThrough(steps, post()))).toBe(201);
  expect(time.pauses).toEqual([500, 1_000, 2_000, 4_000]);
  expect(tries).toHaveLength(5);
  expect(new Set(tries.map(({key}) => key)).size).toBe(1);
  expect(tries[0]?.key).toMatch(/^[0-9a-f]{32}$/);
  expect(new Set(tries.map(({body}) => body))).toEqual(new Set(['{"update":"A"}']));
});

it('two changes have different keys, a given key is kept, and a read has none', async () => {
  for (const request of [post(), post(), post({headers: {'Idempotency-Key': 'mine'}}), new Request(url)])
    await sendThrough([json(200), json(200), json(200), json(200)], request);
  const keys = tries.map(({key}) => key);
  expect(new Set(keys).size).toBe(4);
  expect(keys.slice(2)).toEqual(['mine', null]);
});

it.each([200, 204, 304, 400, 401, 403, 404, 409, 412, 422])(
  'an answer %i is not repeated',
  async (status) => {
    const answer = [204, 304].includes(status) ? new Response(null, {status}) : json(status);
    expect(statusOf(await sendThrough([answer], post()))).toBe(status);
    expect(tries).toHaveLength(1);
  },
);

it('a retry waits for Retry-After, as seconds or as a date', async () => {
  const date = {date: 'Mon, 23 Nov 2026 09:00:00 GMT', 'retry-after': 'Mon, 23 Nov 2026 09:00:05 GMT'};
  const steps = [
    json(503, {'retry-after': '7'}),
    json(503, date),
    json(503, {'retry-after': 'soon'}),
    json(200),
  ];
  expect(statusOf(await sendThrough(steps, post()))).toBe(200);
  expect(time.pauses).toEqual([7_000, 5_000, 2_000]);
});

it('a call ends within 30 seconds with the last answer, and at once if Retry-After is longer', async () => {
  expect(statusOf(await sendThrough([json(503)], post()))).toBe(503);
  expect(time.now()).toBeLessThan(30_000);
  expect(tries.length).toBeGreaterThan(4);

  time = createWaitingClock();
  expect(statusOf(await sendThrough([json(429, {'retry-after': '40'})], post()))).toBe(429);
  expect(time.now()).toBe(0);
});

it('a network that never answers is asked again after 10 seconds, and fails with its error within 30 seconds', async () => {
  const outcome = await sendThrough(['hang'], post());
  expect(outcome).toBeInstanceOf(NoAnswerError);
  expect(outcome).toMatchObject({message: 'http://127.0.0.1:9 does not answer.', cause: expect.any(Error)});
  expect(time.now()).toBeLessThanOrEqual(30_000);
  expect(tries.length).toBe(3);
});

it('a read that waits for an event gets that time in addition', async () => {
  const outcome = await sendThrough(['hang', json(200)], new Request(`${url}?wait=30`));
  expect(statusOf(outcome)).toBe(200);
  expect(time.pauses[0]).toBe(40_000);
});

it('without time for retries there is one try, with the time of a try', async () => {
  expect(statusOf(await sendThrough([json(503)], post(), 0))).toBe(503);
  expect(tries).toHaveLength(1);

  expect(await sendThrough(['hang'], new Request(`${url}?wait=30`), 0)).toBeInstanceOf(NoAnswerError);
  expect(tries).toHaveLength(2);
  expect(time.pauses).toEqual([40_000]);
});

it('an answer whose JSON breaks off is repeated, and a stream is passed on unread', async () => {
  const broken = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"id": "std'));
      controller.error(new TypeError('terminated'));
    },
  });
  const cut = new Response(broken, {headers: {'content-type': 'application/json'}});
  expect(statusOf(await sendThrough([cut, json(201)], post()))).toBe(201);
  const endless = new Response(new ReadableStream(), {headers: {'content-type': 'application/x-ndjson'}});
  const outcome = await sendThrough([json(503), endless], new Request(url));
  expect(isResponse(outcome) && outcome.bodyUsed).toBe(false);
});

it('the signal of the caller ends a try and the retries at once, with its reason', async () => {
  const reason = new Error('no longer needed');
  const ending = new AbortController();
  const answerOnce = () => {
    ending.abort(reason);
    return json(503);
  };
  expect(await sendThrough([answerOnce], post({signal: ending.signal}))).toBe(reason);
  expect(tries).toHaveLength(1);

  const hanging = new AbortController();
  const outcome = sendThrough(['hang'], post({signal: hanging.signal}));
  await new Promise((resolve) => setImmediate(resolve));
  hanging.abort(reason);
  expect(await outcome).toBe(reason);
  expect(tries).toHaveLength(2);

  const single = new AbortController();
  const cut = sendThrough(['hang'], post({signal: single.signal}), 0);
  await new Promise((resolve) => setImmediate(resolve));
  single.abort(reason);
  expect(await cut).toBe(reason);
  expect(time.now()).toBe(0);
});

it('the signal ends a pause of the real clock at once', async () => {
  const ending = new AbortController();
  const pause = realClock.sleep(60_000, ending.signal);
  const reason = new Error('no longer needed');
  ending.abort(reason);
  await expect(pause).rejects.toBe(reason);
  await expect(realClock.sleep(60_000, ending.signal)).rejects.toBe(reason);
});

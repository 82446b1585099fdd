import {randomUUID} from 'node:crypto';
import {measureCost} from './cost.js';
import {computePercentile} from './figures.js';
import {type BenchLoad, type NextRequest, runClosedLoop, runOpenLoop} from './load.js';
import type {CountedSample, Sample} from './method.js';
import type {Server, BenchStage} from './stage.js';

/** A server that accepts `POST /v1/standups`, with its Redis. */
export interface PostTarget {
  readonly name: string;
  readonly server: Server;
  readonly stage: BenchStage;
  /** The Redis keys of the lists that contain all standups. */
  readonly lists: readonly string[];
  /** Returns the next post to send; undefined when there are no more. */
  readonly next: () => Post | undefined;
}

/** One post and its author. */
export interface Post {
  readonly token: string;
  /** The body of the request, as JSON. */
  readonly body: string;
}

export const connections = 64;

/** The text of a typical post, 300 bytes long. */
export const update = 'Reviewed the storage design and wrote down what is left to decide before Thursday. '
  .repeat(4)
  .slice(0, 300);

export const commonBody = JSON.stringify({team: 'platform', update});

let requests = 0;

/** Creates the requests of posts, each with a new idempotency key. */
function createPostRequests({server: {port}, next}: PostTarget): NextRequest {
  const front = `POST /v1/standups HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: `;
  return () => {
    const post = next();
    if (post === undefined) return undefined;
    requests += 1;
    const key = `bench-${process.pid}-${requests}`;
    return `${front}${post.body.length}\r\nAuthorization: Bearer ${post.token}\r\nIdempotency-Key: ${key}\r\n\r\n${post.body}`;
  };
}

/**
 * Sends posts for some seconds, or until there are no more; each connection waits for its answer. Throws
 * unless all posts are accepted and stored.
 */
export function measurePosts(target: PostTarget, seconds: number): Promise<CountedSample> {
  return measureStoredPosts(target, async () => {
    const answers = await runClosedLoop(createPostLoad(target), seconds);
    return {statuses: answers.statuses, found: {perSecond: answers.perSecond}};
  });
}

/** Like `measurePosts`, for a process that has just started. Some posts may be refused on a busy machine. */
export async function warmUpWithPosts(target: PostTarget, seconds: number): Promise<CountedSample> {
  const {result, cost} = await measureCost(
    target.server.process,
    target.stage,
    () => runClosedLoop(createPostLoad(target), seconds),
    ({total}) => total,
  );
  return {events: result.total, ...cost};
}

/** Sends posts at a fixed rate. Each latency counts from the moment at which the request was due. */
export function measureLatencies(target: PostTarget, rate: number, seconds: number): Promise<CountedSample> {
  return measureStoredPosts(target, async () => {
    const {statuses, latencies} = await runOpenLoop(createPostLoad(target), rate, seconds);
    return {
      statuses,
      found: {p50: computePercentile(latencies, 0.5), p99: computePercentile(latencies, 0.99)},
    };
  });
}

function createPostLoad(target: PostTarget): BenchLoad {
  return {port: target.server.port, connections, next: createPostRequests(target)};
}

async function measureStoredPosts(
  {name, server, stage, lists}: PostTarget,
  send: () => Promise<{statuses: ReadonlyMap<number, number>; found: Sample}>,
): Promise<CountedSample> {
  const before = await countStoredPosts(stage, lists);
  const count = ({statuses}: {statuses: ReadonlyMap<number, number>}): number => statuses.get(201) ?? 0;
  const {result, cost} = await measureCost(server.process, stage, send, count);
  const events = count(result);
  const counts = JSON.stringify(Object.fromEntries(result.statuses));
  if ([...result.statuses.keys()].some((status) => status !== 201)) {
    throw new Error(`${name}: something else than 201 was answered: ${counts}`);
  }
  const added = (await countStoredPosts(stage, lists)) - before;
  if (added !== events) throw new Error(`${name}: answered ${counts}, but stored ${added}.`);
  return {...result.found, ...cost, events};
}

async function countStoredPosts({redis}: BenchStage, lists: readonly string[]): Promise<number> {
  const counts = await Promise.all(lists.map((list) => redis.zCard(list)));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Sends one post over a new connection; resolves to the body of the answer. */
export async function sendOnePost({port}: Server, {token, body}: Post): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/standups`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${token}`,
      'Idempotency-Key': randomUUID(),
    },
    body,
  });
  if (response.status !== 201) throw new Error(`A post was answered ${response.status}.`);
  return response.text();
}

import {cpuSeconds} from './machine.js';
import {type Latencies, runClosedLoop, runOpenLoop} from './load.js';
import type {Arm} from './stage.js';

/** An arm that takes `POST /v1/standups`. */
export interface PostArm extends Arm {
  readonly name: string;
  /** How many standups it has stored so far. */
  readonly stored: () => Promise<number>;
  /** The access token of the next request; undefined when there are no more. */
  readonly token: () => string | undefined;
}

export interface PostSample {
  readonly perSecond: number;
  /** CPU of the process per request, in µs. */
  readonly cpuMicros: number;
}

const connections = 64;
const update = 'Reviewed the storage design and wrote down what is left to decide before Thursday. '
  .repeat(4)
  .slice(0, 300);

let requests = 0;

/** A standup of 300 bytes with an idempotency key of its own. */
function nextRequest({port, token}: PostArm): () => string | undefined {
  const body = JSON.stringify({team: 'platform', update});
  const head =
    `POST /v1/standups HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${body.length}\r\nAuthorization: Bearer `;
  return () => {
    const bearer = token();
    if (bearer === undefined) return undefined;
    requests += 1;
    return `${head}${bearer}\r\nIdempotency-Key: bench-${process.pid}-${requests}\r\n\r\n${body}`;
  };
}

/** 64 connections in closed loop for some seconds, or until there are no more tokens. Throws unless all that was accepted is stored. */
export async function measurePosts(arm: PostArm, seconds: number): Promise<PostSample> {
  const {pid} = arm.process;
  const before = await arm.stored();
  const from = cpuSeconds(pid) ?? Number.NaN;
  const {total, perSecond, statuses} = await runClosedLoop(
    {port: arm.port, connections, next: nextRequest(arm)},
    seconds,
  );
  const used = (cpuSeconds(pid) ?? Number.NaN) - from;
  await requireStored(arm, before, statuses);
  return {perSecond, cpuMicros: (used * 1e6) / total};
}

/** Requests at a fixed rate; the latencies count from when each was meant to be sent. */
export async function measureLatencies(arm: PostArm, rate: number, seconds: number): Promise<Latencies> {
  const before = await arm.stored();
  const load = {port: arm.port, connections, next: nextRequest(arm)};
  const measured = await runOpenLoop(load, rate, seconds);
  await requireStored(arm, before, measured.statuses);
  return measured;
}

async function requireStored(
  {name, stored}: PostArm,
  before: number,
  statuses: ReadonlyMap<number, number>,
): Promise<void> {
  const counts = JSON.stringify(Object.fromEntries(statuses));
  if ([...statuses.keys()].some((status) => status !== 201)) {
    throw new Error(`${name}: something else than 201 was answered: ${counts}`);
  }
  const added = (await stored()) - before;
  if (added !== statuses.get(201)) throw new Error(`${name}: answered ${counts}, but stored ${added}.`);
}

/** The peer that is the ceiling of every POST row. */
export async function startCeiling(
  stage: {startPeer(name: string): Promise<Arm>; redis: {zCard(key: string): Promise<number>}},
  token: PostArm['token'],
): Promise<PostArm> {
  return {
    name: 'C',
    ...(await stage.startPeer('ceiling')),
    stored: () => stage.redis.zCard('{ceiling}:l:all'),
    token,
  };
}

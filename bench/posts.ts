import {randomUUID} from 'node:crypto';
import {cpuMicros} from './machine.js';
import {type Answers, type NextRequest, runClosedLoop, runOpenLoop} from './load.js';
import {percentile} from './figures.js';
import type {Sample} from './method.js';
import type {Server, Stage} from './stage.js';

/** A server that takes `POST /v1/standups`, with the store behind it. */
export interface Target {
  readonly name: string;
  readonly server: Server;
  readonly stage: Stage;
  /** The keys of the lists of all standups. */
  readonly lists: readonly string[];
  /** The next one to send; undefined when there are no more. */
  readonly next: () => Post | undefined;
}

/** What one post says, and by whom. */
export interface Post {
  readonly token: string;
  /** JSON. */
  readonly body: string;
}

export const connections = 64;

/** 300 bytes. */
export const update = 'Reviewed the storage design and wrote down what is left to decide before Thursday. '
  .repeat(4)
  .slice(0, 300);

export const commonBody = JSON.stringify({team: 'platform', update});

let requests = 0;

/** Each with an idempotency key of its own. */
function requestsOf({server: {port}, next}: Target): NextRequest {
  const front = `POST /v1/standups HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: `;
  return () => {
    const post = next();
    if (post === undefined) return undefined;
    requests += 1;
    const key = `bench-${process.pid}-${requests}`;
    return `${front}${post.body.length}\r\nAuthorization: Bearer ${post.token}\r\nIdempotency-Key: ${key}\r\n\r\n${post.body}`;
  };
}

/** 64 connections in closed loop for some seconds, or until there are no more. Throws unless all that was accepted is stored. */
export function measurePosts(target: Target, seconds: number): Promise<Sample & {events: number}> {
  const load = {port: target.server.port, connections, next: requestsOf(target)};
  return measure(target, async () => {
    const answers = await runClosedLoop(load, seconds);
    return {answers, found: {perSecond: answers.perSecond}};
  });
}

/** Requests at a fixed rate; the latencies count from when each was meant to be sent. */
export function measureLatencies(
  target: Target,
  rate: number,
  seconds: number,
): Promise<Sample & {events: number}> {
  const load = {port: target.server.port, connections, next: requestsOf(target)};
  return measure(target, async () => {
    const answers = await runOpenLoop(load, rate, seconds);
    const [p50, p99] = [percentile(answers.latencies, 0.5), percentile(answers.latencies, 0.99)];
    return {answers, found: {p50, p99}};
  });
}

/** With the CPU of the process and of its Redis for each post, in µs. */
async function measure(
  {name, server, stage, lists}: Target,
  send: () => Promise<{answers: Pick<Answers, 'statuses'>; found: Sample}>,
): Promise<Sample & {events: number}> {
  const before = await countStored(stage, lists);
  const pids = [server.process.pid, stage.redisPid];
  const from = pids.map(cpuMicros);
  const {answers, found} = await send();
  const events = answers.statuses.get(201) ?? 0;
  const [cpu = 0, redisCpu = 0] = pids.map((pid, i) => (cpuMicros(pid) - (from[i] ?? 0)) / events);
  const counts = JSON.stringify(Object.fromEntries(answers.statuses));
  if ([...answers.statuses.keys()].some((status) => status !== 201)) {
    throw new Error(`${name}: something else than 201 was answered: ${counts}`);
  }
  const added = (await countStored(stage, lists)) - before;
  if (added !== events) throw new Error(`${name}: answered ${counts}, but stored ${added}.`);
  return {...found, events, cpu, redisCpu};
}

async function countStored({redis}: Stage, lists: readonly string[]): Promise<number> {
  const counts = await Promise.all(lists.map((list) => redis.zCard(list)));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** One post over a connection of its own; resolves to the body of the answer. */
export async function postOnce({port}: Server, {token, body}: Post): Promise<string> {
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

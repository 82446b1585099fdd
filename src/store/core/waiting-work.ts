import type {Id} from '../../domain/core/ids.js';
import {parseWorkName, type Work, type WorkSide} from '../../domain/core/work.js';
import {readTimeAt, type RedisCommands} from './connection.js';
import {globalKeys, type WorkspaceKeys, workspaceKeys} from './keys.js';

/** Shows the operator all waiting work and its holders. Its reads are from different instants. */
export type WaitingWork = ReturnType<typeof createWaitingWork>;

export interface Worker {
  readonly holder: string;
  /** The time since the last heartbeat (ms). */
  readonly silentMs: number;
  /** The kinds of background work that the process does: for Slack, for everything else, or both. */
  readonly sides: readonly WorkSide[];
}

export interface WaitingItem {
  /** The work, parsed from its name; undefined if a newer version of the service has added it. */
  readonly work: Work | undefined;
  readonly name: string;
  /** The time until the work is due (ms); negative if it is late. */
  readonly dueInMs: number;
  readonly hold: WorkHold | undefined;
}

/** The reason why no other process does this work now, and the longest time for which this lasts (ms). */
export type WorkHold =
  | {readonly by: 'requests'; readonly count: number; readonly forMs: number}
  | {readonly by: 'turn'; readonly holder: string; readonly forMs: number}
  /** Slack accepts no message in the channel for this time. */
  | {readonly by: 'slack'; readonly forMs: number};

const schedulerKeys = [
  ['service', globalKeys.scheduler],
  ['slack', globalKeys.slackScheduler],
] as const;

export function createWaitingWork({call, run}: RedisCommands) {
  /** Finds the requests to a webhook that are in progress. Each of them has one lease. */
  async function findWebhookRequestHold(
    keys: WorkspaceKeys,
    {webhook}: Extract<Work, {kind: 'deliver'}>,
    now: number,
    deadline: number,
  ): Promise<WorkHold | undefined> {
    const range = [`(${now}`, '+inf', 'BYSCORE', 'WITHSCORES'];
    const found = await Promise.all(
      [keys.inflight(webhook), keys.replaying(webhook)].map((key) =>
        call<string[]>(deadline, ['ZRANGE', key, ...range]),
      ),
    );
    const ends = found.flatMap((row) => row.filter((_, i) => i % 2 === 1).map(Number));
    return ends.length === 0
      ? undefined
      : {by: 'requests', count: ends.length, forMs: Math.max(...ends) - now};
  }

  async function findSlackLeaseHold(
    keys: WorkspaceKeys,
    {channel}: Extract<Work, {kind: 'post-slack'}>,
    deadline: number,
  ): Promise<WorkHold | undefined> {
    const key = keys.slackLease(channel);
    const [holder, forMs] = await Promise.all([
      call<string | null>(deadline, ['GET', key]),
      call<number>(deadline, ['PTTL', key]),
    ]);
    if (holder === null || forMs < 0) return undefined;
    return holder === 'paused' ? {by: 'slack', forMs} : {by: 'turn', holder, forMs};
  }

  async function findWorkHold(
    keys: WorkspaceKeys,
    work: Work | undefined,
    now: number,
    deadline: number,
  ): Promise<WorkHold | undefined> {
    if (work?.kind === 'deliver') return findWebhookRequestHold(keys, work, now, deadline);
    if (work?.kind === 'post-slack') return findSlackLeaseHold(keys, work, deadline);
    return undefined;
  }

  return {
    /** Lists the processes that run, or ran within a day without reporting a stop; latest heartbeat first. */
    async listWorkers(deadline: number): Promise<Worker[]> {
      const [now, entries, ...holders] = await Promise.all([
        readTimeAt({run}, globalKeys.workers(), deadline),
        call<string[]>(deadline, ['HGETALL', globalKeys.workers()]),
        ...schedulerKeys.map(([, key]) => call<string | null>(deadline, ['GET', key()])),
      ]);
      const workers = entries.flatMap((holder, i): Worker[] => {
        if (i % 2 === 1) return [];
        const seen = Number.parseInt(entries[i + 1] ?? '', 10);
        const held = schedulerKeys.filter((_, index) => holders[index] === holder).map(([side]) => side);
        return [{holder, silentMs: Math.max(0, now - seen), sides: held}];
      });
      return workers.toSorted((a, b) => a.silentMs - b.silentMs);
    },
    /** Lists work in the order of due times. `total` also counts work beyond `limit`. */
    async list(
      workspace: Id<'workspace'>,
      limit: number,
      deadline: number,
    ): Promise<{readonly waiting: readonly WaitingItem[]; readonly total: number}> {
      const keys = workspaceKeys(workspace);
      const sets = [keys.ready(), keys.slackReady()];
      const [now, ...read] = await Promise.all([
        readTimeAt({run}, keys.ready(), deadline),
        ...sets.map((key) => call<string[]>(deadline, ['ZRANGE', key, '0', String(limit - 1), 'WITHSCORES'])),
      ]);
      const sizes = await Promise.all(sets.map((key) => call<number>(deadline, ['ZCARD', key])));
      const found = read
        .flatMap((flat) => flat.flatMap((name, i) => (i % 2 === 0 ? [{name, at: Number(flat[i + 1])}] : [])))
        .toSorted((a, b) => a.at - b.at)
        .slice(0, limit);
      const waiting = await Promise.all(
        found.map(async ({name, at}): Promise<WaitingItem> => {
          const work = parseWorkName(name);
          return {work, name, dueInMs: at - now, hold: await findWorkHold(keys, work, now, deadline)};
        }),
      );
      return {waiting, total: sizes.reduce((sum, size) => sum + size, 0)};
    },
  };
}

import {parseWorkName, type Work} from '../../domain/core/work.js';
import type {RedisCommands} from './connection.js';
import {
  endChannelLeaseScript,
  endDeliveryLeasesScript,
  noteHeartbeatScript,
  removeWorkerScript,
} from './compiled/lua.js';
import {globalKeys, workspaceKeys} from './keys.js';
import type {Id} from '../../domain/core/ids.js';

/** A process that runs, or ran and has not reported a stop. */
export interface OtherWorker {
  readonly holder: string;
  /** The identity of the process on its machine; empty if there is none. */
  readonly identity: string;
  /** The time since the last heartbeat (ms). */
  readonly silentMs: number;
}

export interface Workers {
  /** Records this process's heartbeat. Returns the other processes and the time of Redis (ms). */
  join: (holder: string, identity: string, deadline: number) => Promise<{others: OtherWorker[]; now: number}>;
  /** Records that a process has stopped, and gives up the schedulers' leases that it held. */
  leave: (holder: string, deadline: number) => Promise<void>;
  /**
   * Lists the workspaces that may have leases which end before an instant (ms): work with a lease is due at
   * the end of that lease, and the due index has the workspaces of due work.
   */
  listWorkspacesDueBefore: (before: number, deadline: number) => Promise<Id<'workspace'>[]>;
  /**
   * Ends the leases of deliveries and Slack channels that would end before an instant (ms). Returns the work
   * that may continue. It may only be called when the processes that hold these leases are dead.
   */
  endLeases: (workspace: Id<'workspace'>, before: number, deadline: number) => Promise<Work[]>;
}

export function createWorkers({call, run}: RedisCommands): Workers {
  async function endChannelLease(
    workspace: Id<'workspace'>,
    work: Work,
    name: string,
    before: number,
    deadline: number,
  ): Promise<boolean> {
    const keys = workspaceKeys(workspace);
    const args = [String(before), name];
    if (work.kind === 'deliver') {
      const held = [keys.ready(), keys.inflight(work.webhook), keys.replaying(work.webhook)];
      return (await run<number>(deadline, endDeliveryLeasesScript, held, args)) > 0;
    }
    if (work.kind !== 'post-slack') return false;
    const held = [keys.slackReady(), keys.slackLease(work.channel)];
    return (await run<number>(deadline, endChannelLeaseScript, held, args)) > 0;
  }

  return {
    async join(holder, identity, deadline) {
      const key = [globalKeys.workers()];
      const [now, flat] = await run<[number, string[]]>(deadline, noteHeartbeatScript, key, [
        holder,
        identity,
      ]);
      const others: OtherWorker[] = [];
      for (let i = 0; i < flat.length; i += 2) {
        const [, seen = '', known = ''] = /^(\d+) (.*)$/.exec(flat[i + 1] ?? '') ?? [];
        others.push({holder: flat[i] ?? '', identity: known, silentMs: now - Number(seen)});
      }
      return {others, now};
    },
    async leave(holder, deadline) {
      const held = [globalKeys.workers(), globalKeys.scheduler(), globalKeys.slackScheduler()];
      await run(deadline, removeWorkerScript, held, [holder]);
    },
    async listWorkspacesDueBefore(before, deadline) {
      const range = ['-inf', String(before), 'BYSCORE'];
      // Only a process that serves Slack takes workspaces without work out of that index.
      const slackServed = await call<number>(deadline, ['EXISTS', globalKeys.slackServed()]);
      const found = await Promise.all(
        [globalKeys.due(), ...(slackServed > 0 ? [globalKeys.slackDue()] : [])].map((index) =>
          call<Id<'workspace'>[]>(deadline, ['ZRANGE', index, ...range]),
        ),
      );
      return [...new Set(found.flat())];
    },
    async endLeases(workspace, before, deadline) {
      const keys = workspaceKeys(workspace);
      // Work with a lease is listed at the end of that lease.
      const ends = ['-inf', String(before), 'BYSCORE'];
      const names = await Promise.all(
        [keys.ready(), keys.slackReady()].map((key) => call<string[]>(deadline, ['ZRANGE', key, ...ends])),
      );
      const ended: Work[] = [];
      for (const name of names.flat()) {
        const work = parseWorkName(name);
        if (work !== undefined && (await endChannelLease(workspace, work, name, before, deadline)))
          ended.push(work);
      }
      return ended;
    },
  };
}

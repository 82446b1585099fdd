import type {Id} from '../../domain/core/ids.js';
import {lifetimes} from '../../domain/core/limits.js';
import {type Work, workName} from '../../domain/core/work.js';
import type {RedisCommands} from '../core/connection.js';
import {
  addConsumerScript,
  noteConsumerFailureScript,
  removeCaughtUpConsumerScript,
  removeIdleConsumerScript,
} from '../core/compiled/lua.js';
import {findReadySet, workspaceKeys} from '../core/keys.js';

/** The readers of the event log. A webhook that fell behind has its own position (deliveries.ts). */
export type Consumer = 'webhooks' | 'slack';

/** The readers of the event log, and their positions. */
export type LogConsumers = ReturnType<typeof createLogConsumers>;

const consumerWork: Record<Consumer, Work> = {webhooks: {kind: 'fan-out'}, slack: {kind: 'read-slack'}};

export function createLogConsumers({call, run}: RedisCommands) {
  return {
    async findCursor(
      workspace: Id<'workspace'>,
      consumer: Consumer,
      deadline: number,
    ): Promise<number | undefined> {
      const cursor = await call<string | null>(deadline, [
        'HGET',
        workspaceKeys(workspace).head(),
        `cursor:${consumer}`,
      ]);
      return cursor === null ? undefined : Number(cursor);
    },
    /** Adds a reader from the next event on. A known reader keeps its position, and gets a heartbeat. */
    async addConsumer(workspace: Id<'workspace'>, consumer: Consumer, deadline: number): Promise<void> {
      await run(deadline, addConsumerScript, [workspaceKeys(workspace).head()], [consumer]);
    },
    /** Removes a reader without a heartbeat for `idleMs`. True when it does not exist afterwards. */
    async removeIdleConsumer(
      workspace: Id<'workspace'>,
      consumer: 'slack',
      idleMs: number,
      deadline: number,
    ): Promise<boolean> {
      const keys = workspaceKeys(workspace);
      const args = [consumer, String(idleMs), workName(consumerWork[consumer])];
      return (
        (await run<number>(deadline, removeIdleConsumerScript, [keys.head(), keys.slackReady()], args)) === 1
      );
    },
    /** Counts a reader's failure on an event. Returns the failures and the time since the first (ms). */
    async noteFailure(
      workspace: Id<'workspace'>,
      consumer: Consumer,
      sequence: number,
      deadline: number,
    ): Promise<{tries: number; forMs: number}> {
      const key = workspaceKeys(workspace).consumerFailure(consumer);
      const args = [String(sequence), String(lifetimes.events)];
      const [tries, forMs] = await run<[number, number]>(deadline, noteConsumerFailureScript, [key], args);
      return {tries, forMs};
    },
    /** Removes the work of a reader that has seen all events; if there are more, only returns true. */
    async removeCaughtUpConsumer(
      workspace: Id<'workspace'>,
      consumer: Consumer,
      deadline: number,
    ): Promise<boolean> {
      const keys = workspaceKeys(workspace);
      const work = consumerWork[consumer];
      const args = [consumer, workName(work)];
      return (
        (await run<number>(
          deadline,
          removeCaughtUpConsumerScript,
          [keys.head(), findReadySet(keys, work)],
          args,
        )) === 1
      );
    },
  };
}

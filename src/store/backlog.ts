import type {Backlog} from '../domain/backlog.js';
import {lists} from '../domain/lists.js';
import {parseWork, type Work} from '../domain/work.js';
import type {Connection} from './connection.js';
import {globalKeys, workspaceKeys} from './keys.js';

export interface Backlogs {
  /** A look at what waits, in a bounded number of cheap reads; not of one instant. */
  read(deadline: number): Promise<Backlog>;
}

/** At most 2 reads for each of so many workspaces and 4 for each of so many webhooks. */
const workspacesRead = 1_000;
const webhooksRead = 1_000;
const duePerWorkspace = 100;
/** Sent together; the loop and the server serve others between two batches. */
const batch = 50;

export function createBacklogs({call}: Pick<Connection, 'call'>): Backlogs {
  async function readWorkspace(workspace: string, now: number, deadline: number) {
    const keys = workspaceKeys(workspace);
    const range = ['-inf', String(now), 'BYSCORE', 'LIMIT', '0', String(duePerWorkspace)];
    const [due, webhooks] = await Promise.all([
      call<string[]>(deadline, ['ZRANGE', keys.ready(), ...range]),
      call<string[]>(deadline, ['ZRANGE', keys.list(lists.webhooks()), '0', '-1']),
    ]);
    return {due, webhooks: webhooks.map((webhook) => ({workspace, webhook}))};
  }

  async function readWebhook({workspace, webhook}: {workspace: string; webhook: string}, deadline: number) {
    const keys = workspaceKeys(workspace);
    const [waiting, inflight, off, first] = await Promise.all([
      call<number>(deadline, ['ZCARD', keys.pending(webhook)]),
      call<number>(deadline, ['ZCARD', keys.inflight(webhook)]),
      call<number>(deadline, ['HEXISTS', keys.webhookState(webhook), 'off']),
      call<string[]>(deadline, ['ZRANGE', keys.pending(webhook), '0', '0', 'WITHSCORES']),
    ]);
    return {
      waiting,
      inflight,
      disabled: off === 1,
      firstDueAt: first[1] === undefined ? undefined : Number(first[1]),
    };
  }

  return {
    async read(deadline) {
      const [workspaces, time] = await Promise.all([
        call<string[]>(deadline, ['SMEMBERS', globalKeys.workspaces()]),
        call<string[]>(deadline, ['TIME']),
      ]);
      const now = Number(time[0]) * 1_000 + Math.floor(Number(time[1]) / 1_000);
      const found = await inBatches(workspaces.slice(0, workspacesRead), (id) =>
        readWorkspace(id, now, deadline),
      );
      const webhooks = found.flatMap((workspace) => workspace.webhooks);
      const states = await inBatches(webhooks.slice(0, webhooksRead), (each) => readWebhook(each, deadline));

      const due: Partial<Record<Work['kind'], number>> = {};
      for (const name of found.flatMap((workspace) => workspace.due)) {
        const kind = parseWork(name)?.kind;
        if (kind !== undefined) due[kind] = (due[kind] ?? 0) + 1;
      }
      const open = states.filter(({disabled}) => !disabled);
      const oldest = Math.min(now, ...open.map(({firstDueAt}) => firstDueAt ?? now));
      return {
        due,
        pending: sum(open.map(({waiting}) => waiting)),
        inflight: sum(states.map(({inflight}) => inflight)),
        held: sum(states.filter(({disabled}) => disabled).map(({waiting}) => waiting)),
        oldestDueMs: now - oldest,
        complete: workspaces.length <= workspacesRead && webhooks.length <= webhooksRead,
      };
    },
  };
}

async function inBatches<T, R>(items: readonly T[], read: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += batch) {
    results.push(...(await Promise.all(items.slice(at, at + batch).map(read))));
  }
  return results;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

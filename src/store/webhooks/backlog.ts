import type {Backlog} from '../../domain/webhooks/backlog.js';
import {lists} from '../../domain/core/lists.js';
import {parseWorkName, type Work} from '../../domain/core/work.js';
import type {WebhookHealth} from '../../domain/webhooks/webhook-health.js';
import {readTimeAt, type RedisCommands} from '../core/connection.js';
import {globalKeys, workspaceKeys} from '../core/keys.js';
import type {WebhookHealths} from './webhook-health.js';
import type {Id, IdSuffix} from '../../domain/core/ids.js';

/** The most workspaces read, with at most 4 reads each, and 2 for each webhook. */
const workspacesRead = 1_000;
const webhooksRead = 1_000;
const duePerWorkspace = 100;
/** The number of reads that are sent together. Other work runs between two batches. */
const batch = 50;

/** `findOldestMailDue` returns the time (ms) for which the oldest mail of a workspace has been due. */
export function createBacklogs(
  {call, run}: RedisCommands,
  webhookHealths: WebhookHealths,
  findOldestMailDue: (workspace: Id<'workspace'>, deadline: number) => Promise<number>,
) {
  async function readWorkspaceBacklog(workspace: Id<'workspace'>, now: number, deadline: number) {
    const keys = workspaceKeys(workspace);
    const range = ['-inf', String(now), 'BYSCORE', 'LIMIT', '0', String(duePerWorkspace), 'WITHSCORES'];
    const [due, slackDue, webhooks, mailDueMs] = await Promise.all([
      call<string[]>(deadline, ['ZRANGE', keys.ready(), ...range]),
      call<string[]>(deadline, ['ZRANGE', keys.slackReady(), ...range]),
      call<IdSuffix<'webhook'>[]>(deadline, ['ZRANGE', keys.list(lists.webhooks()), '0', '-1']),
      findOldestMailDue(workspace, deadline),
    ]);
    return {
      due: [...parseDueWork(due), ...parseDueWork(slackDue)],
      webhooks: webhooks.map((webhook) => ({workspace, webhook})),
      mailDueMs,
    };
  }

  return {
    /** Reads how much work waits, in a limited number of cheap reads from different instants. */
    async read(deadline: number): Promise<Backlog> {
      const [workspaces, now, schedulers] = await Promise.all([
        call<Id<'workspace'>[]>(deadline, ['SMEMBERS', globalKeys.workspaces()]),
        readTimeAt({run}, globalKeys.workspaces(), deadline),
        call<number>(deadline, ['EXISTS', globalKeys.scheduler()]),
      ]);
      const found = await mapInBatches(workspaces.slice(0, workspacesRead), (id) =>
        readWorkspaceBacklog(id, now, deadline),
      );
      const webhooks = found.flatMap((workspace) => workspace.webhooks);
      const looks = await mapInBatches(webhooks.slice(0, webhooksRead), async ({workspace, webhook}) => ({
        workspace,
        health: await webhookHealths.find(workspace, webhook, deadline),
      }));
      const states = looks.flatMap(({workspace, health}) =>
        health === undefined ? [] : [{workspace, health}],
      );

      const due: Partial<Record<Work['kind'], number>> = {};
      const dueForMs: Partial<Record<Work['kind'], number>> = {};
      for (const {name, at} of found.flatMap((workspace) => workspace.due)) {
        const kind = parseWorkName(name)?.kind;
        if (kind === undefined) continue;
        due[kind] = (due[kind] ?? 0) + 1;
        dueForMs[kind] = Math.max(dueForMs[kind] ?? 0, now - at);
      }
      const all = states.map(({health}) => health);
      const held = all.filter(isDeliveryHeld);
      const open = all.filter((health) => !isDeliveryHeld(health));
      const oldest = Math.min(
        now,
        ...open.flatMap(({backlog: {next_attempt_at: next}}) => (next === null ? [] : [Date.parse(next)])),
      );
      return {
        due,
        dueForMs,
        hasWorker: schedulers > 0,
        pending: sumNumbers(open.map(({backlog}) => backlog.pending)),
        inflight: sumNumbers(all.map(({backlog}) => backlog.in_flight)),
        held: sumNumbers(held.map(({backlog}) => backlog.pending)),
        oldestDueMs: now - oldest,
        oldestMailDueMs: Math.max(0, ...found.map(({mailDueMs}) => mailDueMs)),
        webhooks: states,
        complete: workspaces.length <= workspacesRead && webhooks.length <= webhooksRead,
      };
    },
  };
}

/** Parses an answer with scores: the names of pieces of work, each with its due time (ms). */
function parseDueWork(reply: readonly string[]): {name: string; at: number}[] {
  return reply.flatMap((name, i) => (i % 2 === 1 ? [] : [{name, at: Number(reply[i + 1])}]));
}

function isDeliveryHeld({enabled, breaker}: WebhookHealth): boolean {
  return !enabled || breaker.state === 'open';
}

async function mapInBatches<T, R>(items: readonly T[], read: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += batch) {
    results.push(...(await Promise.all(items.slice(at, at + batch).map(read))));
  }
  return results;
}

function sumNumbers(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

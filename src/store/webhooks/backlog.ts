import type {Backlog} from '../../domain/webhooks/backlog.js';
import {lists} from '../../domain/core/lists.js';
import {parseWorkName, type Work} from '../../domain/core/work.js';
import type {WebhookHealth} from '../../domain/webhooks/webhook-health.js';
import {readTimeAt, type RedisConnection} from '../core/connection.js';
import {globalKeys, type Key, workspaceKeys} from '../core/keys.js';
import type {WebhookHealths} from './webhook-health.js';
import type {Id, IdSuffix} from '../../domain/core/ids.js';

/** The workspaces read, those whose work comes first, with 5 reads each, and 2 for each of their webhooks. */
const workspacesRead = 1_000;
const webhooksRead = 1_000;
const duePerWorkspace = 100;
/** The number of reads that are sent together. Other work runs between two batches. */
const batch = 50;

/** `findOldestMailDue` returns the time (ms) for which the oldest mail of a workspace has been due. */
export function createBacklogs(
  {call, run, clock}: RedisConnection,
  webhookHealths: WebhookHealths,
  findOldestMailDue: (workspace: Id<'workspace'>, deadline: number) => Promise<number>,
) {
  /** Reads by the clock of the workspace's node, which may differ from that of the index. */
  async function readWorkspaceBacklog(workspace: Id<'workspace'>, deadline: number) {
    const keys = workspaceKeys(workspace);
    const first = ['0', String(duePerWorkspace - 1), 'WITHSCORES'];
    const [now, ready, slackReady, webhooks, mailDueMs] = await Promise.all([
      readTimeAt({run}, keys.ready(), deadline),
      call<string[]>(deadline, ['ZRANGE', keys.ready(), ...first]),
      call<string[]>(deadline, ['ZRANGE', keys.slackReady(), ...first]),
      call<IdSuffix<'webhook'>[]>(deadline, ['ZRANGE', keys.list(lists.webhooks()), '0', '-1']),
      findOldestMailDue(workspace, deadline),
    ]);
    return {
      due: [...parseWork(ready), ...parseWork(slackReady)]
        .map(({name, at}) => ({name, dueForMs: now - at}))
        .filter(({dueForMs}) => dueForMs >= 0),
      webhooks: webhooks.map((webhook) => ({workspace, now, webhook})),
      mailDueMs,
    };
  }

  /** Reads an index of workspaces by their next work: its first ones, and the number of those due now. */
  async function readIndex(index: Key<'zset'>, now: number, deadline: number) {
    const [first, due] = await Promise.all([
      call<Id<'workspace'>[]>(deadline, ['ZRANGE', index, '0', String(workspacesRead - 1)]),
      call<number>(deadline, ['ZCOUNT', index, '-inf', String(now)]),
    ]);
    return {first, due};
  }

  return {
    /**
     * Reads how much work waits, in a limited number of cheap reads from different instants. A workspace
     * without any work, now or later, is not read.
     */
    async read(deadline: number): Promise<Backlog> {
      const now = clock.now();
      const [service, slack, slackServed, schedulers] = await Promise.all([
        readIndex(globalKeys.due(), now, deadline),
        readIndex(globalKeys.slackDue(), now, deadline),
        call<number>(deadline, ['EXISTS', globalKeys.slackServed()]),
        call<number>(deadline, ['EXISTS', globalKeys.scheduler()]),
      ]);
      // Only a process that serves Slack takes workspaces without work out of that index.
      const {first, due: slackDue} = slackServed > 0 ? slack : {first: [], due: 0};
      const workspaces = [...new Set([...service.first, ...first])];
      const found = await mapInBatches(workspaces, (id) => readWorkspaceBacklog(id, deadline));
      const webhooks = found.flatMap((workspace) => workspace.webhooks);
      const looks = await mapInBatches(
        webhooks.slice(0, webhooksRead),
        async ({workspace, now, webhook}) => ({
          workspace,
          nodeNow: now,
          health: await webhookHealths.find(workspace, webhook, deadline),
        }),
      );
      const states = looks.flatMap(({workspace, nodeNow, health}) =>
        health === undefined ? [] : [{workspace, nodeNow, health}],
      );

      const due: Partial<Record<Work['kind'], number>> = {};
      const longest: Partial<Record<Work['kind'], number>> = {};
      for (const {name, dueForMs} of found.flatMap((workspace) => workspace.due)) {
        const kind = parseWorkName(name)?.kind;
        if (kind === undefined) continue;
        due[kind] = (due[kind] ?? 0) + 1;
        longest[kind] = Math.max(longest[kind] ?? 0, dueForMs);
      }
      const all = states.map(({health}) => health);
      const held = all.filter(isDeliveryHeld);
      const open = all.filter((health) => !isDeliveryHeld(health));
      const waits = states.flatMap(({nodeNow, health}) => {
        const next = health.backlog.next_attempt_at;
        return isDeliveryHeld(health) || next === null ? [] : [nodeNow - Date.parse(next)];
      });
      return {
        due,
        dueForMs: longest,
        hasWorker: schedulers > 0,
        pending: sumNumbers(open.map(({backlog}) => backlog.pending)),
        inflight: sumNumbers(all.map(({backlog}) => backlog.in_flight)),
        held: sumNumbers(held.map(({backlog}) => backlog.pending)),
        oldestDueMs: Math.max(0, ...waits),
        oldestMailDueMs: Math.max(0, ...found.map(({mailDueMs}) => mailDueMs)),
        workspacesDue: {service: service.due, slack: slackDue},
        webhooks: states.map(({workspace, health}) => ({workspace, health})),
      };
    },
  };
}

/** Parses an answer with scores: the names of pieces of work, each with its due time (ms). */
function parseWork(reply: readonly string[]): {name: string; at: number}[] {
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

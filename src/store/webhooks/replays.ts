import {type Id, suffixOf, type IdSuffix, sequenceOfId, storedSuffix} from '../../domain/core/ids.js';
import type {Retention} from '../../domain/core/limits.js';
import {lists, type PageQuery} from '../../domain/core/lists.js';
import {
  presentReplay,
  type Replay,
  type ReplayPlan,
  type ReplayProgress,
  type ReplayState,
} from '../../domain/webhooks/replay.js';
import {workName} from '../../domain/core/work.js';
import {readTimeAt, type RedisCommands} from '../core/connection.js';
import {createEarlierDeliveries, type EarlierDeliveries} from './earlier-deliveries.js';
import {formatWebhookCursorField, workspaceKeys} from '../core/keys.js';
import {readPage} from '../core/record-lists.js';
import {decodePlan} from './replay-plan.js';
import * as lua from '../core/compiled/lua.js';

/** The state of a replay, as its job needs it. */
export interface ReplayLook {
  readonly id: Id<'replay'>;
  readonly plan: ReplayPlan;
  readonly progress: ReplayProgress;
  /** The number of the last event whose deliveries were created for the webhook. */
  readonly fannedOut: number;
  /** The time of Redis in ms. */
  readonly now: number;
}

/** A delivery that a replay creates. `team` and `suffix` are id suffixes. */
export interface ReplayedDelivery {
  readonly suffix: IdSuffix<'delivery'>;
  readonly sequence: number;
  readonly team: IdSuffix<'team'> | undefined;
  /** The number that an earlier delivery of the same event had, if there was one. */
  readonly number: string | undefined;
}

/** Sends events to a webhook again. Replays are named by their id suffixes. */
export interface Replays extends EarlierDeliveries {
  /** Returns a replay as presented; undefined if it was deleted or belongs to another webhook. */
  find: (
    workspace: Id<'workspace'>,
    webhook: Id<'webhook'>,
    id: Id<'replay'>,
    deadline: number,
  ) => Promise<Replay | undefined>;
  /** Lists replays, newest first. `past`: the position at which the last page ended. */
  list: (
    workspace: Id<'workspace'>,
    webhook: IdSuffix<'webhook'>,
    page: PageQuery,
    deadline: number,
  ) => Promise<{replays: Replay[]; next: number | undefined}>;
  /** Returns the running replay of a webhook: its id suffix, and its id if the replay is still stored. */
  findRunning: (
    workspace: Id<'workspace'>,
    webhook: IdSuffix<'webhook'>,
    deadline: number,
  ) => Promise<{suffix: IdSuffix<'replay'>; id: Id<'replay'> | undefined} | undefined>;
  /** Returns the oldest stored replay (its id suffix), if at least this many are stored. */
  findOldest: (
    workspace: Id<'workspace'>,
    webhook: IdSuffix<'webhook'>,
    ofMany: number,
    deadline: number,
  ) => Promise<IdSuffix<'replay'> | undefined>;
  /** Lists the starts of replays after an instant (ms), oldest first, without dry runs, for 24 h at most. */
  listSending: (
    workspace: Id<'workspace'>,
    webhook: IdSuffix<'webhook'>,
    after: number,
    deadline: number,
  ) => Promise<number[]>;
  look: (
    workspace: Id<'workspace'>,
    replay: IdSuffix<'replay'>,
    deadline: number,
  ) => Promise<ReplayLook | undefined>;
  /**
   * Creates deliveries and moves the position, in one step that may be repeated. `moved`: another process was
   * faster, or the replay has ended. `disabled`: its webhook gets nothing now. `full`: the workspace has no
   * space, and the replay is shown as waiting.
   */
  advance: (
    workspace: Id<'workspace'>,
    replay: ReplayLook,
    step: {to: number; matched: number; deliveries: readonly ReplayedDelivery[]},
    deadline: number,
  ) => Promise<'done' | 'moved' | 'disabled' | 'full'>;
  /** Schedules another step after `ms`, or when the webhook is enabled. */
  wait: (workspace: Id<'workspace'>, replay: ReplayLook, ms: number, deadline: number) => Promise<void>;
  complete: (workspace: Id<'workspace'>, replay: ReplayLook, deadline: number) => Promise<void>;
  /** Withdraws the waiting deliveries of a cancelled replay. */
  takeBack: (workspace: Id<'workspace'>, replay: ReplayLook, deadline: number) => Promise<void>;
  /** Removes expired replays from a list. Returns how many were removed; there may be more. */
  trim: (workspace: Id<'workspace'>, webhook: IdSuffix<'webhook'>, deadline: number) => Promise<number>;
}

/** The number of deliveries that one script withdraws. */
const takenAtOnce = 100;

const outcomes = {1: 'done', 0: 'moved', [-1]: 'disabled', [-2]: 'full'} as const;

/** Creates the store of replays. `share`: the bytes that each workspace may use; 0 for no limit. */
export function createReplays({call, run}: RedisCommands, retention: Retention, share: number): Replays {
  async function readReplay(workspace: Id<'workspace'>, suffix: IdSuffix<'replay'>, deadline: number) {
    const keys = workspaceKeys(workspace);
    const fields = parseFieldMap(await call<string[]>(deadline, ['HGETALL', keys.replay(suffix)]));
    if (!fields.has('at')) return undefined;
    const plan = decodePlan(fields);
    const counts = [`${suffix}:succeeded`, `${suffix}:failed`];
    const replayed = keys.replayed(suffixOf(plan.webhook));
    const [succeeded, failed] = await call<(string | null)[]>(deadline, ['HMGET', replayed, ...counts]);
    const ended = fields.get('ended');
    const progress: ReplayProgress = {
      state: fields.get('state') as ReplayState,
      isWaiting: fields.has('waits'),
      cursor: Number(fields.get('cursor')),
      matched: Number(fields.get('matched')),
      succeeded: Number(succeeded ?? 0),
      failed: Number(failed ?? 0),
      endedAt: ended === undefined ? undefined : Number(ended),
    };
    return {plan, progress, shown: presentReplay(suffix, plan, Number(fields.get('at')), progress)};
  }

  /** Lists all unfinished deliveries (a limited number): waiting ones are in sets by the webhook's order. */
  async function listUnfinishedDeliveries(
    workspace: Id<'workspace'>,
    webhook: IdSuffix<'webhook'>,
    replay: IdSuffix<'replay'>,
    deadline: number,
  ) {
    const found = new Set<IdSuffix<'delivery'>>();
    let cursor = '0';
    do {
      const scan = ['HSCAN', workspaceKeys(workspace).tries(webhook), cursor, 'COUNT', '1000'] as const;
      const [next, entries] = await call<[string, string[]]>(deadline, scan);
      for (let i = 0; i < entries.length; i += 2) {
        if (entries[i + 1]?.endsWith(`:${replay}`)) found.add(storedSuffix(entries[i] ?? ''));
      }
      cursor = next;
    } while (cursor !== '0');
    return [...found];
  }

  function formatReplayWorkName(replay: ReplayLook): string {
    return workName({kind: 'replay', replay: suffixOf(replay.id)});
  }

  return {
    ...createEarlierDeliveries({call, run}),
    async find(workspace, webhook, id, deadline) {
      const found = await readReplay(workspace, suffixOf(id), deadline);
      return found?.shown.id === id && found.plan.webhook === webhook ? found.shown : undefined;
    },
    async list(workspace, webhook, page, deadline) {
      const key = workspaceKeys(workspace).list(lists.replaysOf(webhook));
      const {entries, next} = await readPage<IdSuffix<'replay'>>(call, key, page, deadline);
      const replays = await Promise.all(entries.map((suffix) => readReplay(workspace, suffix, deadline)));
      return {replays: replays.flatMap((replay) => (replay === undefined ? [] : [replay.shown])), next};
    },
    async findRunning(workspace, webhook, deadline) {
      const state = workspaceKeys(workspace).webhookState(webhook);
      const suffix = await call<IdSuffix<'replay'> | null>(deadline, ['HGET', state, 'replay']);
      if (suffix === null) return undefined;
      return {suffix, id: (await readReplay(workspace, suffix, deadline))?.shown.id};
    },
    async look(workspace, replay, deadline) {
      const head = workspaceKeys(workspace).head();
      const [found, now] = await Promise.all([
        readReplay(workspace, replay, deadline),
        readTimeAt({run}, head, deadline),
      ]);
      if (found === undefined) return undefined;
      const {plan, progress, shown} = found;
      const own = formatWebhookCursorField(suffixOf(plan.webhook));
      const [ofOne, all] = await call<(string | null)[]>(deadline, ['HMGET', head, own, 'cursor:webhooks']);
      return {id: shown.id, plan, progress, fannedOut: Number(ofOne ?? all ?? 0), now};
    },
    async findOldest(workspace, webhook, ofMany, deadline) {
      const list = workspaceKeys(workspace).list(lists.replaysOf(webhook));
      const [oldest] = await call<string[]>(deadline, ['ZRANGE', list, String(-ofMany), String(-ofMany)]);
      if (oldest === undefined) return undefined;
      return (await call<IdSuffix<'replay'>[]>(deadline, ['ZRANGE', list, '0', '0']))[0];
    },
    async listSending(workspace, webhook, after, deadline) {
      const list = workspaceKeys(workspace).list(lists.sendingReplaysOf(webhook));
      const span = [`(${after}`, '+inf', 'BYSCORE', 'WITHSCORES'];
      const found = await call<string[]>(deadline, ['ZRANGE', list, ...span]);
      return found.filter((_, i) => i % 2 === 1).map(Number);
    },
    async advance(workspace, {id, plan, progress}, {to, matched, deliveries}, deadline) {
      const keys = workspaceKeys(workspace);
      const [webhook, replay] = [suffixOf(plan.webhook), suffixOf(id)];
      const outcome = await run<keyof typeof outcomes>(
        deadline,
        lua.advanceReplayScript,
        [
          keys.replay(replay),
          keys.record(webhook),
          keys.webhookState(webhook),
          keys.ready(),
          keys.list(lists.deliveriesOf(webhook)),
          keys.pending(webhook),
          keys.tries(webhook),
          keys.waiting(webhook),
          keys.heads(webhook),
          keys.replays(webhook),
          keys.head(),
          ...deliveries.map(({suffix}) => keys.delivery(suffix)),
        ],
        [
          String(progress.cursor),
          String(to),
          String(matched),
          webhook,
          replay,
          id,
          String(retention.events),
          String(share),
          ...deliveries.flatMap(({suffix, sequence, team = '', number = ''}) => [
            suffix,
            String(sequence),
            team,
            number,
          ]),
        ],
      );
      return outcomes[outcome];
    },
    async wait(workspace, replay, ms, deadline) {
      const keys = workspaceKeys(workspace);
      const mayGoOn = replay.plan.dryRun || replay.progress.state !== 'running';
      const state = keys.webhookState(suffixOf(replay.plan.webhook));
      const args = [formatReplayWorkName(replay), String(ms), mayGoOn ? '1' : ''];
      await run(deadline, lua.waitForReplayScript, [state, keys.ready()], args);
    },
    async complete(workspace, replay, deadline) {
      const keys = workspaceKeys(workspace);
      const suffix = suffixOf(replay.id);
      const state = keys.webhookState(suffixOf(replay.plan.webhook));
      await run(
        deadline,
        lua.completeReplayScript,
        [keys.replay(suffix), state, keys.ready()],
        [suffix, formatReplayWorkName(replay)],
      );
    },
    async takeBack(workspace, {id, plan}, deadline) {
      const keys = workspaceKeys(workspace);
      const [webhook, replay] = [suffixOf(plan.webhook), suffixOf(id)];
      const unfinished = await listUnfinishedDeliveries(workspace, webhook, replay, deadline);
      for (let at = 0; at < unfinished.length; at += takenAtOnce) {
        const some = unfinished.slice(at, at + takenAtOnce);
        await run(
          deadline,
          lua.withdrawReplayScript,
          [
            keys.replay(replay),
            keys.pending(webhook),
            keys.replays(webhook),
            keys.waiting(webhook),
            keys.heads(webhook),
            keys.tries(webhook),
            keys.replayed(webhook),
            keys.ready(),
            ...some.map(keys.delivery),
          ],
          [replay, webhook, ...some.flatMap((suffix) => [suffix, String(sequenceOfId(suffix))])],
        );
      }
    },
    async trim(workspace, webhook, deadline) {
      const keys = workspaceKeys(workspace);
      const list = keys.list(lists.replaysOf(webhook));
      const oldest = await call<IdSuffix<'replay'>[]>(deadline, ['ZRANGE', list, '0', '99']);
      const kept = await Promise.all(
        oldest.map((suffix) => call<number>(deadline, ['EXISTS', keys.replay(suffix)])),
      );
      const gone = oldest.filter((_, i) => kept[i] === 0);
      if (gone.length > 0) await run(deadline, lua.trimReplaysScript, [list, keys.replayed(webhook)], gone);
      return gone.length;
    },
  };
}

function parseFieldMap(flat: readonly string[]): Map<string, string> {
  const map = new Map<string, string>();
  for (let i = 0; i < flat.length; i += 2) map.set(flat[i] ?? '', flat[i + 1] ?? '');
  return map;
}

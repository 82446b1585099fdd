import {createCache} from '../../domain/core/cache.js';
import type {NewDelivery} from '../../domain/webhooks/delivery.js';
import {type Id, type IdSuffix, sequenceOfId, storedSuffix} from '../../domain/core/ids.js';
import {type Retention, standardRetention} from '../../domain/core/limits.js';
import {lists} from '../../domain/core/lists.js';
import type {RedisConnection, RedisReply} from '../core/connection.js';
import {formatWebhookCursorField, type WorkspaceKeys, workspaceKeys} from '../core/keys.js';
import * as lua from '../core/compiled/lua.js';
import {
  createClaimArgs,
  createClaimKeys,
  type HandedRow,
  parseClaimAnswers,
  parseHandedRow,
  parseTargetRow,
  type TargetRow,
} from './claim-codec.js';
import type {Claim, ClaimOutcome, ClaimRequest, HeldClaims, EncryptedTarget} from './claims.js';
import {blockKeyOf} from './delivery-blocks.js';
import type {LogMark} from '../core/log-mark.js';

/**
 * The number of unfinished deliveries that are checked together for their age. `expiredAtOnce`: the number
 * that one script gives up, with at most 200 keys.
 */
const scannedAtOnce = 500;
const expiredAtOnce = 95;
/** The webhooks whose URL, headers and secrets are cached. The least recently used is dropped first. */
const keptTargets = 1_000;

/** A range of consecutive events, both ends included. */
export interface EventRange {
  readonly from: number;
  readonly last: LogMark;
}

/** The webhooks of a workspace, with the version at which deliveries are created. */
export interface SubscribedWebhooks {
  readonly version: string;
  /** The teams by which the deliveries were chosen; undefined if there are none. */
  readonly teams: {readonly version: string} | undefined;
  readonly webhooks: readonly {readonly suffix: IdSuffix<'webhook'>; readonly revision: number}[];
}

/** The position of a webhook that has fallen behind. */
export interface Lag {
  /** The number of the last event that was examined for the webhook. */
  readonly cursor: number;
  /** The webhook's revision at the last examined event. */
  readonly revision: number;
  /** The number of the last event whose deliveries were created for all other webhooks. */
  readonly fannedOut: number;
  /** True when events before the webhook's last change are still to be handled. */
  readonly isHeld: boolean;
}

/** Handles events for a webhook that fell behind: some get deliveries, too old ones count as missed. */
export interface CatchUpStep {
  readonly from: number;
  readonly to: number;
  /** The event at `to`; undefined when the log has no event in the range. */
  readonly last: LogMark | undefined;
  /** The webhook's revision at `to`. */
  readonly revision: number;
  readonly missed: number;
  readonly deliveries: readonly NewDelivery[];
}

/** The webhooks of which a worker takes new deliveries at once, and its terms for them. */
export interface TakenWebhooks {
  readonly webhooks: ReadonlySet<IdSuffix<'webhook'>>;
  /** The number of simultaneous requests for a webhook that sets none itself. */
  readonly concurrency: number;
  readonly leaseMs: number;
}

/** Deliveries that a worker holds as soon as they are created. */
export interface HandedDeliveries extends ClaimOutcome {
  readonly webhook: IdSuffix<'webhook'>;
}

/** What became of events: `handed` is empty unless their deliveries were created. */
export interface FanOutResult {
  readonly outcome: 'done' | 'ended' | 'moved' | 'stale';
  readonly handed: readonly HandedDeliveries[];
}

const fannedOut: Readonly<Record<number, 'done' | 'ended' | 'stale'>> = {
  1: 'done',
  2: 'ended',
  [-1]: 'stale',
};
const takesNone: TakenWebhooks = {webhooks: new Set(), concurrency: 0, leaseMs: 0};
const caughtUp: Readonly<Record<number, 'done' | 'abreast' | 'full'>> = {
  1: 'done',
  2: 'abreast',
  [-1]: 'full',
};

/** Creates deliveries, and records their claims and results. delivery-records.ts presents them. */
export type Deliveries = ReturnType<typeof createDeliveries>;

export function createDeliveries(
  {call, run, clockOf}: RedisConnection,
  retention: Retention = standardRetention,
) {
  const targetOf = createTargetCache();

  return {
    /**
     * Creates all deliveries of consecutive events and moves the position past them, in one step that may be
     * repeated. A webhook with too many waiting deliveries falls behind (see `catchUp`). `ended`: done, and
     * these were the last events. `moved`: another process was faster, or the log is another one. `stale`:
     * the webhooks have changed. `taken`: the webhooks of which this worker may get deliveries at once.
     */
    async fanOut(
      workspace: Id<'workspace'>,
      {from, last}: EventRange,
      known: SubscribedWebhooks,
      deliveries: readonly NewDelivery[],
      deadline: number,
      taken: TakenWebhooks = takesNone,
    ): Promise<FanOutResult> {
      const keys = workspaceKeys(workspace);
      const webhooks = [...new Set(deliveries.map(({webhook}) => webhook))];
      const revisions = new Map(known.webhooks.map(({suffix, revision}) => [suffix, revision]));
      const indexes = new Map(webhooks.map((webhook, i) => [webhook, String(i + 1)]));
      const answer = await run<number | RedisReply[]>(
        deadline,
        lua.fanOutEventsScript,
        [
          keys.head(),
          keys.ready(),
          keys.events(),
          ...webhooks.flatMap((webhook) => listDeliveryCreationKeys(keys, webhook)),
          ...deliveries.flatMap(({webhook, suffix}) => [
            keys.delivery(suffix),
            blockKeyOf(keys, webhook, suffix),
          ]),
          ...webhooks.flatMap((webhook) => (taken.webhooks.has(webhook) ? listTakenKeys(keys, webhook) : [])),
        ],
        [
          String(from),
          String(last.sequence),
          known.teams === undefined ? known.version : `${known.version} ${known.teams.version}`,
          String(retention.events),
          String(last.at),
          last.about,
          String(webhooks.length),
          String(deliveries.length),
          String(taken.concurrency),
          String(taken.leaseMs),
          ...webhooks.flatMap((webhook) => [
            webhook,
            String(revisions.get(webhook)),
            taken.webhooks.has(webhook) ? '1' : '',
          ]),
          ...deliveries.flatMap(({sequence, webhook, suffix, team = ''}) => [
            indexes.get(webhook) ?? '',
            suffix,
            String(sequence),
            team,
          ]),
        ],
      );
      if (typeof answer === 'number') return {outcome: fannedOut[answer] ?? 'moved', handed: []};
      const [outcome, now, rows] = answer as unknown as [number, number, HandedRow[]];
      clockOf(keys.head()).observe(now);
      const handed = rows.map((row) => {
        const webhook = webhooks[row[0] - 1] ?? storedSuffix('');
        return {webhook, ...parseHandedRow(row, now, (target) => targetOf(webhook, target))};
      });
      return {outcome: fannedOut[outcome] ?? 'moved', handed};
    },
    /** Returns the position of a webhook that has fallen behind; undefined for any other webhook. */
    async findLag(
      workspace: Id<'workspace'>,
      webhook: IdSuffix<'webhook'>,
      deadline: number,
    ): Promise<Lag | undefined> {
      const keys = workspaceKeys(workspace);
      const cursors = ['HMGET', keys.head(), formatWebhookCursorField(webhook), 'cursor:webhooks'] as const;
      const [[cursor, fannedOut], [behind, until]] = await Promise.all([
        call<[string | null, string | null]>(deadline, cursors),
        call<(string | null)[]>(deadline, ['HMGET', keys.webhookState(webhook), 'behind', 'until']),
      ]);
      if (cursor === null) return undefined;
      const isHeld = Number(fannedOut) < Number(until ?? 0);
      return {cursor: Number(cursor), revision: Number(behind), fannedOut: Number(fannedOut), isHeld};
    },
    /**
     * Creates deliveries of a webhook that has fallen behind, all or none, and moves its own position, in one
     * step that may be repeated. `abreast`: the webhook has caught up with the others. `moved`: another
     * process was faster. `full`: too many deliveries wait; the job that makes space adds the work again.
     */
    async catchUp(
      workspace: Id<'workspace'>,
      webhook: IdSuffix<'webhook'>,
      {from, to, last, revision, missed, deliveries}: CatchUpStep,
      deadline: number,
    ): Promise<'done' | 'abreast' | 'moved' | 'full'> {
      const keys = workspaceKeys(workspace);
      const outcome = await run<number>(
        deadline,
        lua.catchUpWebhookScript,
        [
          keys.head(),
          keys.ready(),
          keys.events(),
          ...listDeliveryCreationKeys(keys, webhook),
          ...deliveries.flatMap(({suffix}) => [keys.delivery(suffix), blockKeyOf(keys, webhook, suffix)]),
        ],
        [
          webhook,
          ...[from, to, revision, missed, retention.events, last?.at ?? ''].map(String),
          last?.about ?? '',
          ...deliveries.flatMap(({suffix, sequence, team = ''}) => [suffix, String(sequence), team]),
        ],
      );
      return caughtUp[outcome] ?? 'moved';
    },
    /** Creates a delivery of an event not yet handled for all webhooks. The later step finds it there. */
    async make(
      workspace: Id<'workspace'>,
      {webhook, suffix, sequence}: NewDelivery,
      deadline: number,
    ): Promise<void> {
      const keys = workspaceKeys(workspace);
      await run(
        deadline,
        lua.createDeliveryScript,
        [
          keys.record(webhook),
          keys.ready(),
          ...listDeliveryCreationKeys(keys, webhook),
          keys.delivery(suffix),
          blockKeyOf(keys, webhook, suffix),
          keys.head(),
        ],
        [String(sequence), webhook, suffix, String(retention.events)],
      );
    },
    /**
     * Records results, and claims what may be sent now with a lease of `leaseMs`, in one step for all requests.
     * Each is about another webhook. The outcomes have the order of the requests.
     */
    async recordAndClaim(
      workspace: Id<'workspace'>,
      requests: readonly ClaimRequest[],
      leaseMs: number,
      deadline: number,
    ): Promise<ClaimOutcome[]> {
      const keys = workspaceKeys(workspace);
      const clock = clockOf(keys.head());
      const terms = {
        leaseMs,
        keptFor: retention.events,
        recordPrefix: keys.record(storedSuffix('')),
        toRedisTime: (at: number) => Math.floor(clock.now() + at - performance.now()),
      };
      const answers = await run<RedisReply[][]>(
        deadline,
        lua.claimDeliveriesScript,
        createClaimKeys(keys, requests),
        createClaimArgs(terms, requests),
      );
      const outcomes = requests.map(({webhook}, i) =>
        parseClaimAnswers(answers[i] ?? [], (row) => targetOf(webhook, row)),
      );
      for (const {now} of outcomes) clock.observe(now);
      return outcomes;
    },
    /**
     * Extends leases to `leaseMs` from now, even expired ones, if no other worker has taken them. One step
     * does this for all webhooks of a workspace. Returns the claims that are no longer held.
     */
    async renew(
      workspace: Id<'workspace'>,
      held: readonly HeldClaims[],
      leaseMs: number,
      deadline: number,
    ): Promise<Claim[]> {
      const keys = workspaceKeys(workspace);
      const renewed = await run<number[]>(
        deadline,
        lua.renewLeasesScript,
        [keys.ready(), ...held.flatMap(({webhook}) => listLeaseRenewalKeys(keys, webhook))],
        [
          String(leaseMs),
          String(held.length),
          ...held.map(({webhook}) => webhook),
          ...held.flatMap(({claims}, i) =>
            claims.flatMap(({suffix, attempt}) => [String(i + 1), suffix, String(attempt)]),
          ),
        ],
      );
      return held.flatMap(({claims}) => claims).filter((_, i) => renewed[i] !== 1);
    },
    /**
     * Gives up unfinished deliveries of old events, except those with a request in progress. Each call checks
     * some deliveries, beginning at a cursor (first '0'). Returns the number of deliveries that were given
     * up, and the cursor for the next call ('0' at the end).
     */
    async expire(
      workspace: Id<'workspace'>,
      webhook: IdSuffix<'webhook'>,
      {before, cursor}: {before: number; cursor: string},
      deadline: number,
    ): Promise<{expired: number; cursor: string}> {
      const keys = workspaceKeys(workspace);
      const scan = ['HSCAN', keys.tries(webhook), cursor, 'COUNT', String(scannedAtOnce)] as const;
      const [next, found] = await call<[string, IdSuffix<'delivery'>[]]>(deadline, scan);
      // The answer has alternating fields and values.
      const old = found.filter((suffix, i) => i % 2 === 0 && sequenceOfId(suffix) < before);
      let expired = 0;
      for (let at = 0; at < old.length; at += expiredAtOnce) {
        const some = old.slice(at, at + expiredAtOnce);
        expired += await run<number>(
          deadline,
          lua.expireDeliveriesScript,
          [
            keys.pending(webhook),
            keys.inflight(webhook),
            keys.replays(webhook),
            keys.replaying(webhook),
            keys.tries(webhook),
            keys.ready(),
            keys.waiting(webhook),
            keys.heads(webhook),
            keys.replayed(webhook),
            keys.webhookState(webhook),
            ...some.flatMap((suffix) => [keys.delivery(suffix), blockKeyOf(keys, webhook, suffix)]),
          ],
          [webhook, ...some.flatMap((suffix) => [suffix, String(sequenceOfId(suffix))])],
        );
      }
      return {expired, cursor: next};
    },
    /** Removes old deliveries and responses from a list. Returns how many were removed; there may be more. */
    async trim(
      workspace: Id<'workspace'>,
      webhook: IdSuffix<'webhook'>,
      before: number,
      deadline: number,
    ): Promise<number> {
      const keys = workspaceKeys(workspace);
      const trimmed = [keys.list(lists.deliveriesOf(webhook)), keys.excerpts(webhook)];
      const args = [String(before), String(retention.events), keys.deliveryBlock(webhook, '')];
      return run<number>(deadline, lua.trimDeliveriesScript, trimmed, args);
    },
  };
}

function listDeliveryCreationKeys(keys: WorkspaceKeys, webhook: IdSuffix<'webhook'>): string[] {
  return [
    keys.list(lists.deliveriesOf(webhook)),
    keys.pending(webhook),
    keys.tries(webhook),
    keys.webhookState(webhook),
    keys.waiting(webhook),
    keys.heads(webhook),
  ];
}

/** The keys that a worker needs for deliveries of a webhook that it takes at once. */
function listTakenKeys(keys: WorkspaceKeys, webhook: IdSuffix<'webhook'>): string[] {
  return [
    keys.inflight(webhook),
    keys.replaying(webhook),
    keys.record(webhook),
    keys.webhookHeaders(webhook),
    keys.secret(webhook),
    ...keys.earlierSecrets(webhook),
  ];
}

function listLeaseRenewalKeys(keys: WorkspaceKeys, webhook: IdSuffix<'webhook'>): string[] {
  return [
    keys.inflight(webhook),
    keys.replaying(webhook),
    keys.tries(webhook),
    keys.pending(webhook),
    keys.replays(webhook),
    keys.webhookState(webhook),
  ];
}

/** Caches targets: returns the same object while record, headers and secrets are the same. */
function createTargetCache(): (webhook: IdSuffix<'webhook'>, row: TargetRow) => EncryptedTarget {
  const kept = createCache<{row: TargetRow; target: EncryptedTarget}>(keptTargets);
  return (webhook, row) => {
    const known = kept.get(webhook);
    if (known?.row.every((text, i) => text === row[i]) === true) return known.target;
    const target = parseTargetRow(row);
    kept.set(webhook, {row, target});
    return target;
  };
}

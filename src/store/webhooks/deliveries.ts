import {LRUCache} from 'lru-cache';
import type {NewDelivery} from '../../domain/webhooks/delivery.js';
import {type Id, type IdSuffix, sequenceOfId, storedSuffix} from '../../domain/core/ids.js';
import {type Retention, standardRetention} from '../../domain/core/limits.js';
import {lists} from '../../domain/core/lists.js';
import type {Webhook} from '../../domain/webhooks/webhook.js';
import type {Standing} from '../../domain/webhooks/webhook-failing.js';
import {settingLimits} from '../../domain/webhooks/webhook-settings.js';
import type {Connection} from '../core/connection.js';
import {webhookCursor, type WorkspaceKeys, workspaceKeys} from '../core/keys.js';
import {unpackRecord} from '../core/packed-standups.js';
import {claimScript} from './claim-script.js';
import type {Claim, Held, Result} from './claims.js';
import {encodeResults} from './result-args.js';
import {expireScript} from './expire-script.js';
import {blockOf} from './delivery-blocks.js';
import {catchUpScript, fanOutScript, makeScript, renewScript, trimScript} from './delivery-scripts.js';
import type {ReadEvent} from '../events/event-bodies.js';
import {toEntry} from '../events/log-entry.js';
import type {LogMark} from '../core/log-lua.js';

const hourMs = 3_600_000;
/** Unfinished deliveries looked at together for their age, and given up by one script, which touches 200 keys at the most. */
const scannedAtOnce = 500;
const expiredAtOnce = 95;
/** Webhooks whose target is remembered, those of last use longest. */
const keptTargets = 1_000;

/** Consecutive events, both ends inclusive. */
export interface Span {
  readonly from: number;
  readonly last: LogMark;
}

/** The webhooks of a workspace as fan-out knows them. */
export interface Subscribed {
  readonly version: string;
  readonly webhooks: readonly {readonly drawn: IdSuffix<'webhook'>; readonly revision: number}[];
}

/** Where a webhook stands that has fallen behind. */
export interface Lag {
  /** Sequence of the last event that has been looked at for it. */
  readonly cursor: number;
  /** The webhook's revision at that event. */
  readonly revision: number;
  /** Sequence of the last event that fan-out has passed. */
  readonly fannedOut: number;
  /** Fan-out has not come to the last change of the webhook yet. */
  readonly isHeld: boolean;
}

/** Consecutive events after a cursor, of which a webhook gets some and misses others. */
export interface CatchUpStep {
  readonly from: number;
  readonly to: number;
  /** The event at `to`; undefined when the log has none in between. */
  readonly last: LogMark | undefined;
  /** The webhook's revision at `to`. */
  readonly revision: number;
  readonly missed: number;
  readonly deliveries: readonly NewDelivery[];
}

/** What a worker asks of one turn. */
export interface TurnRequest {
  readonly results: readonly Result[];
  /** Requests at a time of a webhook that has no number of its own; 0 claims nothing. */
  readonly concurrency: number;
  readonly leaseMs: number;
  /** Bounds the number of requests at a time, whosever it is. */
  readonly atMost?: number;
  /** False: claims come without their events. */
  readonly withEvents?: boolean;
  /**
   * How many leases the worker holds besides those of the results. Given by one that takes as many again in
   * advance, and gets them where it holds all that are out.
   */
  readonly held?: number;
  /** Until then (monotonic ms) the worker's own leases last: a turn that comes later takes none back. */
  readonly sureUntil?: number;
}

/** The webhook that a turn's claims go to, with its encrypted headers and secrets, newest first, as they were at the moment of the claim. */
export interface SealedTarget {
  readonly webhook: Webhook;
  readonly sealed: {readonly headers: string | null; readonly secrets: readonly string[]};
}

export interface Turn {
  readonly claims: Claim[];
  /** Absent when nothing was claimed. */
  readonly target?: SealedTarget;
  /** Redis time (ms) at which someone must look again; undefined when nothing is left. */
  readonly nextAt: number | undefined;
  /** Redis time now, to compare with. */
  readonly now: number;
  /** Results not applied, because the attempt no longer held its lease. */
  readonly refused: number;
  /** The receiver takes long, or has lately. */
  readonly slow: boolean;
  /** What must be done about a webhook that has failed for days; said again until it has been done. */
  readonly standing: Standing;
  /** The webhook has fallen behind, and there is room for more of its deliveries. */
  readonly mayCatchUp: boolean;
  /** Records that could not be read and have been made good, so that they hold nothing up. */
  readonly repaired: number;
  /** More would go out now, but for the requests that are on the wire. */
  readonly waits: boolean;
  /** Of the leases so many may be on the wire without asking again; 0: none but those just claimed. */
  readonly wire: number;
}

const fannedOut: Readonly<Record<number, 'done' | 'ended' | 'stale'>> = {
  1: 'done',
  2: 'ended',
  [-1]: 'stale',
};
const caughtUp: Readonly<Record<number, 'done' | 'abreast' | 'full'>> = {
  1: 'done',
  2: 'abreast',
  [-1]: 'full',
};
const standings: readonly Standing[] = ['well', 'warn', 'disable'];

/** The life of deliveries: made by fan-out, claimed, sent and recorded in turns. How they are shown: delivery-records.ts. */
export interface Deliveries {
  /**
   * Creates all deliveries of consecutive events and moves the cursor behind them, in one step; idempotent. A
   * webhook for which too many wait falls behind: see `catchUp`. `ended`: done, and these were the last events.
   * `moved`: somebody else was quicker, or the log is not the one that was read. `stale`: the webhooks have
   * changed.
   */
  fanOut: (
    workspace: Id<'workspace'>,
    span: Span,
    known: Subscribed,
    deliveries: readonly NewDelivery[],
    deadline: number,
  ) => Promise<'done' | 'ended' | 'moved' | 'stale'>;
  /** Undefined for a webhook that has not fallen behind. */
  findLag: (
    workspace: Id<'workspace'>,
    webhook: IdSuffix<'webhook'>,
    deadline: number,
  ) => Promise<Lag | undefined>;
  /**
   * Creates deliveries of a webhook that has fallen behind, all or none, and moves its own cursor, in one
   * step; idempotent. `abreast`: it has come as far as fan-out, which goes on with it. `moved`: somebody else
   * was quicker. `full`: too many wait; the turn that makes room names the work again.
   */
  catchUp: (
    workspace: Id<'workspace'>,
    webhook: IdSuffix<'webhook'>,
    step: CatchUpStep,
    deadline: number,
  ) => Promise<'done' | 'abreast' | 'moved' | 'full'>;
  /** Creates one delivery ahead of the fan-out of its event, which then finds it made. */
  make: (workspace: Id<'workspace'>, delivery: NewDelivery, deadline: number) => Promise<void>;
  /** Records results and claims what may go out now under a lease of `leaseMs`, in one step. */
  turn: (
    workspace: Id<'workspace'>,
    webhook: IdSuffix<'webhook'>,
    request: TurnRequest,
    deadline: number,
  ) => Promise<Turn>;
  /**
   * Makes leases that nobody else has taken last `leaseMs` from now, also when they have run out, for any
   * webhooks of a workspace in one step. Answers with the claims that are held no longer.
   */
  renew: (
    workspace: Id<'workspace'>,
    held: readonly Held[],
    leaseMs: number,
    deadline: number,
  ) => Promise<Claim[]>;
  /**
   * Gives up unfinished deliveries of events before a sequence, whatever holds them, but for those on the wire. Looks at some of the unfinished
   * ones from a cursor on (first '0'), and answers how many it gave up and where to go on ('0' at the end).
   */
  expire: (
    workspace: Id<'workspace'>,
    webhook: IdSuffix<'webhook'>,
    from: {before: number; cursor: string},
    deadline: number,
  ) => Promise<{expired: number; cursor: string}>;
  /** Takes deliveries of events before a sequence off a webhook's list, and what receivers said before; records expire by themselves. Answers how
   * many; perhaps there are more. */
  trim: (
    workspace: Id<'workspace'>,
    webhook: IdSuffix<'webhook'>,
    before: number,
    deadline: number,
  ) => Promise<number>;
}

export function createDeliveries(
  {call, run, clock}: Pick<Connection, 'call' | 'run' | 'clock'>,
  retention: Retention = standardRetention,
): Deliveries {
  const targetOf = createTargets();

  return {
    async fanOut(workspace, {from, last}, known, deliveries, deadline) {
      const keys = workspaceKeys(workspace);
      const webhooks = [...new Set(deliveries.map(({webhook}) => webhook))];
      const revisions = new Map(known.webhooks.map(({drawn, revision}) => [drawn, revision]));
      const outcome = await run<number>(
        deadline,
        fanOutScript,
        [
          keys.head(),
          keys.ready(),
          keys.events(),
          ...webhooks.flatMap((webhook) => makerKeys(keys, webhook)),
          ...deliveries.flatMap(({webhook, drawn}) => [keys.delivery(drawn), blockOf(keys, webhook, drawn)]),
        ],
        [
          String(from),
          String(last.sequence),
          known.version,
          String(retention.events),
          String(last.at),
          last.about,
          String(webhooks.length),
          ...webhooks.flatMap((webhook) => [webhook, String(revisions.get(webhook))]),
          ...deliveries.flatMap(({sequence, webhook, drawn, team = ''}) => [
            String(webhooks.indexOf(webhook) + 1),
            drawn,
            String(sequence),
            team,
          ]),
        ],
      );
      return fannedOut[outcome] ?? 'moved';
    },
    async findLag(workspace, webhook, deadline) {
      const keys = workspaceKeys(workspace);
      const cursors = ['HMGET', keys.head(), webhookCursor(webhook), 'cursor:webhooks'];
      const [[cursor, fannedOut], [behind, until]] = await Promise.all([
        call<[string | null, string | null]>(deadline, cursors),
        call<(string | null)[]>(deadline, ['HMGET', keys.webhookState(webhook), 'behind', 'until']),
      ]);
      if (cursor === null) return undefined;
      const isHeld = Number(fannedOut) < Number(until ?? 0);
      return {cursor: Number(cursor), revision: Number(behind), fannedOut: Number(fannedOut), isHeld};
    },
    async catchUp(workspace, webhook, {from, to, last, revision, missed, deliveries}, deadline) {
      const keys = workspaceKeys(workspace);
      const outcome = await run<number>(
        deadline,
        catchUpScript,
        [
          keys.head(),
          keys.ready(),
          keys.events(),
          ...makerKeys(keys, webhook),
          ...deliveries.flatMap(({drawn}) => [keys.delivery(drawn), blockOf(keys, webhook, drawn)]),
        ],
        [
          webhook,
          ...[from, to, revision, missed, retention.events, last?.at ?? ''].map(String),
          last?.about ?? '',
          ...deliveries.flatMap(({drawn, sequence, team = ''}) => [drawn, String(sequence), team]),
        ],
      );
      return caughtUp[outcome] ?? 'moved';
    },
    async make(workspace, {webhook, drawn, sequence}, deadline) {
      const keys = workspaceKeys(workspace);
      await run(
        deadline,
        makeScript,
        [
          keys.record(webhook),
          keys.ready(),
          ...makerKeys(keys, webhook),
          keys.delivery(drawn),
          blockOf(keys, webhook, drawn),
        ],
        [String(sequence), webhook, drawn, String(retention.events)],
      );
    },
    async turn(
      workspace,
      webhook,
      {
        results,
        concurrency,
        leaseMs,
        atMost = settingLimits.concurrency,
        withEvents = true,
        held = -1,
        sureUntil = Number.MAX_SAFE_INTEGER,
      },
      deadline,
    ) {
      const keys = workspaceKeys(workspace);
      const [
        now,
        next,
        refused,
        claimed,
        found,
        probing,
        slow,
        standing,
        repaired,
        behind,
        events,
        waits,
        wire,
      ] = await run<
        [
          number,
          number,
          number,
          string[],
          (string | null)[] | null,
          number,
          number,
          number,
          number,
          number,
          (ClaimedEvent | null)[],
          number,
          number,
        ]
      >(
        deadline,
        claimScript,
        [
          keys.pending(webhook),
          keys.inflight(webhook),
          keys.replays(webhook),
          keys.replaying(webhook),
          keys.tries(webhook),
          keys.webhookState(webhook),
          keys.ready(),
          keys.waiting(webhook),
          keys.heads(webhook),
          keys.replayed(webhook),
          keys.starts(webhook),
          keys.health(webhook, Math.floor((results.at(-1)?.claim.claimedAt ?? 0) / hourMs)),
          keys.excerpts(webhook),
          keys.record(webhook),
          keys.webhookHeaders(webhook),
          keys.secret(webhook),
          ...keys.earlierSecrets(webhook),
          keys.events(),
          ...results.flatMap(({claim: {drawn}}) => [keys.delivery(drawn), blockOf(keys, webhook, drawn)]),
        ],
        [
          webhook,
          String(concurrency),
          String(leaseMs),
          String(retention.events),
          String(atMost),
          withEvents ? keys.record(storedSuffix('')) : '',
          String(held),
          String(Math.floor(clock.now() + sureUntil - performance.now())),
          ...encodeResults(results),
        ],
      );
      clock.observe(now);
      return {
        claims: toClaims(claimed, events, now, probing === 1),
        nextAt: next < 0 ? undefined : next,
        now,
        refused,
        slow: slow === 1,
        standing: standings[standing] ?? 'well',
        mayCatchUp: behind === 1,
        repaired,
        waits: waits === 1,
        wire,
        ...(found !== null && {target: targetOf(webhook, found)}),
      };
    },
    async renew(workspace, held, leaseMs, deadline) {
      const keys = workspaceKeys(workspace);
      const stands = await run<number[]>(
        deadline,
        renewScript,
        [keys.ready(), ...held.flatMap(({webhook}) => renewedKeys(keys, webhook))],
        [
          String(leaseMs),
          String(held.length),
          ...held.map(({webhook}) => webhook),
          ...held.flatMap(({claims}, i) =>
            claims.flatMap(({drawn, attempt}) => [String(i + 1), drawn, String(attempt)]),
          ),
        ],
      );
      return held.flatMap(({claims}) => claims).filter((_, i) => stands[i] !== 1);
    },
    async expire(workspace, webhook, {before, cursor}, deadline) {
      const keys = workspaceKeys(workspace);
      const scan = ['HSCAN', keys.tries(webhook), cursor, 'COUNT', String(scannedAtOnce)];
      const [next, found] = await call<[string, IdSuffix<'delivery'>[]]>(deadline, scan);
      // Fields and values take turns.
      const old = found.filter((drawn, i) => i % 2 === 0 && sequenceOfId(drawn) < before);
      let expired = 0;
      for (let at = 0; at < old.length; at += expiredAtOnce) {
        const some = old.slice(at, at + expiredAtOnce);
        expired += await run<number>(
          deadline,
          expireScript,
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
            ...some.flatMap((drawn) => [keys.delivery(drawn), blockOf(keys, webhook, drawn)]),
          ],
          [webhook, ...some.flatMap((drawn) => [drawn, String(sequenceOfId(drawn))])],
        );
      }
      return {expired, cursor: next};
    },
    async trim(workspace, webhook, before, deadline) {
      const keys = workspaceKeys(workspace);
      const trimmed = [keys.list(lists.deliveriesOf(webhook)), keys.excerpts(webhook)];
      const args = [String(before), String(retention.events), keys.deliveryBlock(webhook, '')];
      return run<number>(deadline, trimScript, trimmed, args);
    },
  };
}

function makerKeys(keys: WorkspaceKeys, webhook: IdSuffix<'webhook'>): string[] {
  return [
    keys.list(lists.deliveriesOf(webhook)),
    keys.pending(webhook),
    keys.tries(webhook),
    keys.webhookState(webhook),
    keys.waiting(webhook),
    keys.heads(webhook),
  ];
}

function renewedKeys(keys: WorkspaceKeys, webhook: IdSuffix<'webhook'>): string[] {
  return [
    keys.inflight(webhook),
    keys.replaying(webhook),
    keys.tries(webhook),
    keys.pending(webhook),
    keys.replays(webhook),
    keys.webhookState(webhook),
  ];
}

/** Answers with the same object as long as the webhook has the same target. */
function createTargets(): (webhook: IdSuffix<'webhook'>, found: readonly (string | null)[]) => SealedTarget {
  const kept = new LRUCache<string, {found: readonly (string | null)[]; target: SealedTarget}>({
    max: keptTargets,
  });
  return (webhook, found) => {
    const known = kept.get(webhook);
    if (known?.found.every((text, i) => text === found[i]) === true) return known.target;
    const [json, headers = null, ...secrets] = found;
    const sealed = {headers, secrets: secrets.filter((secret) => secret !== null)};
    const target = {webhook: JSON.parse(json ?? '') as Webhook, sealed};
    kept.set(webhook, {found, target});
    return target;
  };
}

type Mutable<T> = {-readonly [K in keyof T]: T[K]};

/** Id, names and values of an entry of the log, and what it is about. */
type ClaimedEvent = [id: string, fields: string[], latest: string | null];

function toEvent([id, fields, latest]: ClaimedEvent): ReadEvent {
  return {entry: toEntry(id, fields), ...(latest !== null && {latest: unpackRecord(latest)})};
}

function toClaims(
  flat: readonly string[],
  events: readonly (ClaimedEvent | null)[],
  claimedAt: number,
  probe: boolean,
): Claim[] {
  const claims: Claim[] = [];
  for (let i = 0; i < flat.length; i += 5) {
    const drawn = storedSuffix<'delivery'>(flat[i] ?? '');
    const [number = '', replay = ''] = [flat[i + 3], flat[i + 4]];
    const event = events[i / 5] ?? undefined;
    // Not one literal: what it adds by spreading costs more than all the rest.
    const claim: Mutable<Claim> = {
      drawn,
      sequence: sequenceOfId(drawn),
      attempt: Number(flat[i + 1]),
      failures: Number(flat[i + 2]),
      claimedAt,
      probe,
    };
    if (number !== '') claim.number = Number(number);
    if (replay !== '') claim.replay = storedSuffix(replay);
    if (event !== undefined) claim.event = toEvent(event);
    claims.push(claim);
  }
  return claims;
}

import type {AttemptExchange, AttemptRecord} from '../domain/delivery.js';
import {sequenceOfId} from '../domain/ids.js';
import {lifetimes} from '../domain/limits.js';
import {lists} from '../domain/lists.js';
import type {Webhook} from '../domain/webhook.js';
import {encodeAttempt, encodeExchange} from './attempt-records.js';
import type {Connection} from './connection.js';
import {workspaceKeys} from './keys.js';
import {claimScript, fanOutScript, makeScript, renewScript, trimScript} from './delivery-scripts.js';

/** One event to one webhook, as fan-out creates it. */
export interface NewDelivery {
  /** Drawn half of the webhook's id. */
  readonly webhook: string;
  /** Drawn half of the delivery's id; ends in the event's sequence. */
  readonly drawn: string;
  readonly sequence: number;
}

/** Consecutive events, both ends inclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A delivery whose turn it is: its lease is held until it is recorded or has run out. */
export interface Claim {
  readonly drawn: string;
  readonly sequence: number;
  readonly attempt: number;
  /** Failures recorded so far: what the retry schedule counts. */
  readonly failures: number;
  /** Redis time (ms) of the claim. */
  readonly claimedAt: number;
}

/** How an attempt ended and what follows; `retry` waits `delayMs`. */
export interface Result {
  readonly claim: Claim;
  readonly state: 'succeeded' | 'retrying' | 'exhausted' | 'aborted' | 'expired';
  readonly delayMs: number;
  readonly attempt?: AttemptRecord;
  readonly exchange?: AttemptExchange;
}

/** The webhook that a turn's claims go to, with its encrypted headers and secrets, newest first, as they were at the moment of the claim. */
export interface Target {
  readonly webhook: Webhook;
  readonly sealed: {readonly headers: string | null; readonly secrets: readonly string[]};
}

export interface Turn {
  readonly claims: Claim[];
  /** Absent when nothing was claimed. */
  readonly target?: Target;
  /** Redis time (ms) at which someone must look again; undefined when nothing is left. */
  readonly nextAt: number | undefined;
  /** Redis time now, to compare with. */
  readonly now: number;
  /** Results not applied, because the attempt no longer held its lease. */
  readonly refused: number;
}

/** The life of deliveries: made by fan-out, claimed, sent and recorded in turns. How they are shown: delivery-records.ts. */
export interface Deliveries {
  /**
   * Creates all deliveries of consecutive events and moves the cursor behind them, in one step; idempotent.
   * `moved`: somebody else was quicker. `stale`: the webhooks have changed.
   */
  fanOut(
    workspace: string,
    span: Span,
    webhooksVersion: number,
    deliveries: readonly NewDelivery[],
    deadline: number,
  ): Promise<'done' | 'moved' | 'stale'>;
  /** Creates one delivery ahead of the fan-out of its event, which then finds it made. */
  make(workspace: string, delivery: NewDelivery, deadline: number): Promise<void>;
  /** Records results and claims up to `concurrency` deliveries less those in flight, under a lease of `leaseMs`, in one step. */
  turn(
    workspace: string,
    webhook: string,
    request: {results: readonly Result[]; concurrency: number; leaseMs: number},
    deadline: number,
  ): Promise<Turn>;
  renew(
    workspace: string,
    webhook: string,
    claims: readonly Claim[],
    leaseMs: number,
    deadline: number,
  ): Promise<void>;
  /** Takes deliveries of events before a sequence off a webhook's list, and what receivers said before; records expire by themselves. */
  trim(workspace: string, webhook: string, before: number, deadline: number): Promise<void>;
}

export function createDeliveries({run}: Pick<Connection, 'run'>): Deliveries {
  return {
    async fanOut(workspace, {from, to}, webhooksVersion, deliveries, deadline) {
      const keys = workspaceKeys(workspace);
      const outcome = await run<number>(
        deadline,
        fanOutScript,
        [
          keys.head(),
          keys.ready(),
          ...deliveries.flatMap(({webhook, drawn}) => [
            keys.delivery(drawn),
            keys.list(lists.deliveriesOf(webhook)),
            keys.pending(webhook),
          ]),
        ],
        [
          String(from),
          String(to),
          String(webhooksVersion),
          String(lifetimes.events),
          ...deliveries.flatMap(({sequence, webhook, drawn}) => [String(sequence), webhook, drawn]),
        ],
      );
      return outcome === 1 ? 'done' : outcome === 0 ? 'moved' : 'stale';
    },
    async make(workspace, {webhook, drawn, sequence}, deadline) {
      const keys = workspaceKeys(workspace);
      await run(
        deadline,
        makeScript,
        [
          keys.record(webhook),
          keys.ready(),
          keys.delivery(drawn),
          keys.list(lists.deliveriesOf(webhook)),
          keys.pending(webhook),
        ],
        [String(sequence), webhook, drawn, String(lifetimes.events)],
      );
    },
    async turn(workspace, webhook, {results, concurrency, leaseMs}, deadline) {
      const keys = workspaceKeys(workspace);
      const [now, next, refused, claimed, found] = await run<
        [number, number, number, string[], (string | null)[] | null]
      >(
        deadline,
        claimScript,
        [
          keys.pending(webhook),
          keys.inflight(webhook),
          keys.tries(webhook),
          keys.webhookState(webhook),
          keys.ready(),
          keys.record(webhook),
          keys.webhookHeaders(webhook),
          keys.secret(webhook),
          ...keys.earlierSecrets(webhook),
          keys.excerpts(webhook),
          ...results.map(({claim}) => keys.delivery(claim.drawn)),
        ],
        [
          webhook,
          String(concurrency),
          String(leaseMs),
          ...results.flatMap(({claim, state, delayMs, attempt, exchange}) => [
            claim.drawn,
            String(claim.attempt),
            state,
            String(Math.round(delayMs)),
            attempt === undefined ? '' : encodeAttempt(attempt),
            exchange === undefined ? '' : encodeExchange(exchange),
            String(claim.claimedAt),
          ]),
        ],
      );
      return {
        claims: toClaims(claimed, now),
        nextAt: next < 0 ? undefined : next,
        now,
        refused,
        ...(found !== null && {target: toTarget(found)}),
      };
    },
    async renew(workspace, webhook, claims, leaseMs, deadline) {
      const keys = workspaceKeys(workspace);
      await run(
        deadline,
        renewScript,
        [keys.inflight(webhook), keys.tries(webhook)],
        [String(leaseMs), ...claims.flatMap(({drawn, attempt}) => [drawn, String(attempt)])],
      );
    },
    async trim(workspace, webhook, before, deadline) {
      const keys = workspaceKeys(workspace);
      const trimmed = [keys.list(lists.deliveriesOf(webhook)), keys.excerpts(webhook)];
      await run(deadline, trimScript, trimmed, [String(before)]);
    },
  };
}

function toTarget([webhook, headers = null, ...secrets]: readonly (string | null)[]): Target {
  return {
    webhook: JSON.parse(webhook ?? '') as Webhook,
    sealed: {headers, secrets: secrets.filter((secret) => secret !== null)},
  };
}

function toClaims(flat: readonly string[], claimedAt: number): Claim[] {
  const claims: Claim[] = [];
  for (let i = 0; i < flat.length; i += 3) {
    const drawn = flat[i] ?? '';
    claims.push({
      drawn,
      sequence: sequenceOfId(drawn),
      attempt: Number(flat[i + 1]),
      failures: Number(flat[i + 2]),
      claimedAt,
    });
  }
  return claims;
}

// The protocol between a worker and the script that claims deliveries. Keys and arguments have the same names and
// the same order as in include/claim-request.lua, and answers as at the end of claim-deliveries.lua.
import {type IdSuffix, sequenceOfId, storedSuffix} from '../../domain/core/ids.js';
import type {Webhook} from '../../domain/webhooks/webhook.js';
import type {FailureAction} from '../../domain/webhooks/webhook-failing.js';
import {findDurationBucket, slowMs} from '../../domain/webhooks/webhook-health.js';
import {settingLimits} from '../../domain/webhooks/webhook-settings.js';
import type {RedisReply} from '../core/connection.js';
import type {WorkspaceKeys} from '../core/keys.js';
import {addMissingFieldsToRecord} from '../core/earlier-records.js';
import type {ReadEvent} from '../events/event-bodies.js';
import {parseLogEntry} from '../events/log-entry.js';
import {encodeAttempt, encodeExchange} from './attempt-records.js';
import type {Claim, ClaimOutcome, ClaimRequest, Result, EncryptedTarget} from './claims.js';
import {blockKeyOf} from './delivery-blocks.js';

const hourMs = 3_600_000;

/** The keys of a webhook, by their names in the script's table `k`. */
const webhookKeys = {
  pending: (keys, webhook) => keys.pending(webhook),
  inflight: (keys, webhook) => keys.inflight(webhook),
  replays: (keys, webhook) => keys.replays(webhook),
  replaying: (keys, webhook) => keys.replaying(webhook),
  tries: (keys, webhook) => keys.tries(webhook),
  state: (keys, webhook) => keys.webhookState(webhook),
  waiting: (keys, webhook) => keys.waiting(webhook),
  heads: (keys, webhook) => keys.heads(webhook),
  replayed: (keys, webhook) => keys.replayed(webhook),
  starts: (keys, webhook) => keys.starts(webhook),
  /** Returns the key for the hour of the last result. */
  health: (keys, webhook, results) =>
    keys.health(webhook, Math.floor((results.at(-1)?.claim.claimedAt ?? 0) / hourMs)),
  excerpts: (keys, webhook) => keys.excerpts(webhook),
  subscription: (keys, webhook) => keys.record(webhook),
  headers: (keys, webhook) => keys.webhookHeaders(webhook),
  secret: (keys, webhook) => keys.secret(webhook),
  earlier: (keys, webhook) => keys.earlierSecrets(webhook)[0],
  earliest: (keys, webhook) => keys.earlierSecrets(webhook)[1],
} satisfies Readonly<
  Record<string, (keys: WorkspaceKeys, webhook: IdSuffix<'webhook'>, results: readonly Result[]) => string>
>;

const webhookKeysOf = Object.values(webhookKeys);

/**
 * Returns the keys of the workspace, then for each webhook its own, and for each of its results the keys of the
 * delivery and its block.
 */
export function createClaimKeys(keys: WorkspaceKeys, requests: readonly ClaimRequest[]): string[] {
  return [
    keys.ready(),
    keys.events(),
    keys.head(),
    ...requests.flatMap(({webhook, results}) => [
      ...webhookKeysOf.map((find) => find(keys, webhook, results)),
      ...results.flatMap(({claim: {suffix}}) => [keys.delivery(suffix), blockKeyOf(keys, webhook, suffix)]),
    ]),
  ];
}

/** What all requests of a script share: the length of a lease (ms), and the time (s) for which responses are stored. */
interface ClaimTerms {
  readonly leaseMs: number;
  readonly keptFor: number;
  /** The prefix of record keys. */
  readonly recordPrefix: string;
  /** Returns the time of Redis (ms) at a monotonic time. */
  readonly toRedisTime: (at: number) => number;
}

/** The arguments of a request before its results, in their order. Undefined becomes nil in Lua. */
const requestParts = {
  webhook: ({webhook}) => webhook,
  concurrency: ({concurrency}) => concurrency,
  atMost: ({atMost = settingLimits.concurrency}) => atMost,
  withEvents: ({withEvents = true}) => (withEvents ? '1' : ''),
  held: ({held}) => held,
  /** The time of Redis (ms) until which the worker's own leases are certain. */
  sureUntil: ({sureUntil}, {toRedisTime}) => (sureUntil === undefined ? undefined : toRedisTime(sureUntil)),
  results: ({results}) => results.length,
} satisfies Readonly<
  Record<string, (request: ClaimRequest, terms: ClaimTerms) => string | number | undefined>
>;

const requestEncoders = Object.values(requestParts);

/** The fields of a result, by the names of their Lua variables. An empty text is a missing field. */
const resultParts = {
  delivery: ({claim}) => claim.suffix,
  attempt: ({claim}) => String(claim.attempt),
  /** The outcome. `returned` gives back a claim that was not sent. */
  outcome: ({state}) => state,
  /** The wait before the next attempt in ms. */
  delay: ({delayMs}) => String(Math.round(delayMs)),
  /** The record of the attempt. */
  attempted: ({attempt}) => (attempt === undefined ? '' : encodeAttempt(attempt)),
  /** The receiver's response. */
  said: ({exchange}, isShown) => (isShown && exchange !== undefined ? encodeExchange(exchange()) : ''),
  /** The time of the claim in ms. */
  claimedAt: ({claim}) => String(claim.claimedAt),
  /** The effect on the receiver's health: `success`, `failure` or `none`. */
  charged: ({charge}) => charge,
  /** 1 if the attempt counts as a failure in the retry schedule, else 0. */
  counted: ({counted}) => (counted ? '1' : '0'),
  /** Set if the receiver took so long that the attempt counts as slow. */
  slow: ({attempt}) => (attempt !== undefined && attempt.duration_ms > slowMs ? '1' : ''),
  /** The number of the range in which the attempt's duration falls (see `findDurationBucket`). */
  bucket: ({attempt}) => String(findDurationBucket(attempt?.duration_ms ?? 0)),
  errorName: ({attempt}) => attempt?.error ?? '',
  status: ({attempt}) => String(attempt?.status ?? ''),
} satisfies Readonly<Record<string, (result: Result, isShown: boolean) => string>>;

const encoders = Object.values(resultParts);

/** The number of results up to which the response of every success is stored. */
const fewShown = 4;

/**
 * Returns the arguments of the script. The response of every failure is stored, but of many successes only
 * one. Otherwise, a fast receiver would fill the stored responses within a second.
 */
export function createClaimArgs(terms: ClaimTerms, requests: readonly ClaimRequest[]): string[] {
  const {leaseMs, keptFor, recordPrefix} = terms;
  const args = [String(leaseMs), String(keptFor), recordPrefix, String(requests.length)];
  for (const request of requests) {
    for (const encode of requestEncoders) args.push(String(encode(request, terms) ?? ''));
    const {results} = request;
    const areFew = results.length <= fewShown;
    const shown = results.findLast(({state}) => state === 'succeeded');
    for (const result of results) {
      const isShown = areFew || result.state !== 'succeeded' || result === shown;
      for (const encode of encoders) args.push(encode(result, isShown));
    }
  }
  return args;
}

const claimNames = ['delivery', 'attempt', 'failures', 'number', 'replay'] as const;
type ClaimPart = (typeof claimNames)[number];

type EventRow = readonly [id: string, fields: string[], latest: string | null];

/** The consequences of a webhook's failures, in the order of their numbers in the script. */
const failureActions: readonly FailureAction[] = ['well', 'warn', 'disable'];

/** The answers of the script. Null means that a value is missing, or that a flag is not set. */
interface ClaimScriptAnswers {
  readonly now: number;
  readonly nextAt: number | null;
  readonly refused: number;
  readonly claims: readonly string[];
  /** The event of each claim; null when the log has deleted it. Empty if the request wants no events. */
  readonly events: readonly (EventRow | null)[];
  readonly target: TargetRow | null;
  readonly isProbe: 1 | null;
  readonly slow: unknown;
  readonly failureAction: number;
  readonly repaired: number;
  readonly mayCatchUp: 1 | null;
  readonly waits: 1 | null;
  readonly wire: number;
}

const answerNames = Object.keys({
  now: 1,
  nextAt: 1,
  refused: 1,
  claims: 1,
  events: 1,
  target: 1,
  isProbe: 1,
  slow: 1,
  failureAction: 1,
  repaired: 1,
  mayCatchUp: 1,
  waits: 1,
  wire: 1,
} satisfies Record<keyof ClaimScriptAnswers, 1>) as (keyof ClaimScriptAnswers)[];

export function parseClaimAnswers(
  row: readonly RedisReply[],
  openTarget: (row: TargetRow) => EncryptedTarget,
): ClaimOutcome {
  const answers = Object.fromEntries(
    answerNames.map((name, i) => [name, row[i]]),
  ) as unknown as ClaimScriptAnswers;
  const {now, nextAt, refused, target, failureAction, repaired, wire} = answers;
  return {
    claims: parseClaims(answers),
    now,
    nextAt: nextAt ?? undefined,
    refused,
    slow: answers.slow !== null,
    failureAction: failureActions[failureAction] ?? 'well',
    mayCatchUp: answers.mayCatchUp !== null,
    repaired,
    waits: answers.waits !== null,
    wire,
    ...(target !== null && {target: openTarget(target)}),
  };
}

/** Deliveries of a webhook that the fan-out script has leased: see its answer. */
export type HandedRow = readonly [index: number, wire: number, target: TargetRow, deliveries: string[]];

/** Returns leased deliveries as the claim script would have answered them. */
export function parseHandedRow(
  [, wire, target, deliveries]: HandedRow,
  now: number,
  openTarget: (row: TargetRow) => EncryptedTarget,
): ClaimOutcome {
  const claims: Claim[] = [];
  for (let i = 0; i < deliveries.length; i += 2) {
    const suffix = storedSuffix<'delivery'>(deliveries[i] ?? '');
    const number = Number(deliveries[i + 1]);
    const begun = {attempt: 1, failures: 0, claimedAt: now, probe: false};
    claims.push({suffix, sequence: sequenceOfId(suffix), number, ...begun});
  }
  const well = {refused: 0, slow: false, mayCatchUp: false, repaired: 0, waits: false} as const;
  return {...well, claims, target: openTarget(target), nextAt: undefined, now, failureAction: 'well', wire};
}

/** The stored values of the target: the webhook's record, headers and secrets. */
export type TargetRow = readonly (string | null)[];

export function parseTargetRow([json, headers = null, ...secrets]: TargetRow): EncryptedTarget {
  const encrypted = {headers, secrets: secrets.filter((secret) => secret !== null)};
  return {webhook: JSON.parse(json ?? '') as Webhook, encrypted};
}

type Mutable<T> = {-readonly [K in keyof T]: T[K]};

function parseClaims({claims: flat, events, now, isProbe}: ClaimScriptAnswers): Claim[] {
  const claims: Claim[] = [];
  for (let i = 0; i < flat.length; i += claimNames.length) {
    const part = (name: ClaimPart) => flat[i + claimNames.indexOf(name)] ?? '';
    const suffix = storedSuffix<'delivery'>(part('delivery'));
    const [number, replay] = [part('number'), part('replay')];
    const row = events[i / claimNames.length] ?? undefined;
    // Fields are added one by one, because a spread costs more than everything else here.
    const claim: Mutable<Claim> = {
      suffix,
      sequence: sequenceOfId(suffix),
      attempt: Number(part('attempt')),
      failures: Number(part('failures')),
      claimedAt: now,
      probe: isProbe !== null,
    };
    if (number !== '') claim.number = Number(number);
    if (replay !== '') claim.replay = storedSuffix(replay);
    if (row !== undefined) claim.event = parseClaimedEvent(row);
    claims.push(claim);
  }
  return claims;
}

function parseClaimedEvent([id, fields, latest]: EventRow): ReadEvent {
  return {
    entry: parseLogEntry(id, fields),
    ...(latest !== null && {latest: addMissingFieldsToRecord(latest)}),
  };
}

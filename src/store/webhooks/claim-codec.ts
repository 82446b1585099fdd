// The protocol between a worker and the script of claims. Keys, arguments and answers have names on both
// sides, in TypeScript and in Lua; only this file knows their positions, and how flags and missing values are
// written.
import {type IdSuffix, sequenceOfId, storedSuffix} from '../../domain/core/ids.js';
import type {Webhook} from '../../domain/webhooks/webhook.js';
import type {FailureAction} from '../../domain/webhooks/webhook-failing.js';
import {durationBucket, slowMs} from '../../domain/webhooks/webhook-health.js';
import type {RedisReply} from '../core/connection.js';
import type {WorkspaceKeys} from '../core/keys.js';
import {unpackRecord} from '../core/packed-standups.js';
import type {ReadEvent} from '../events/event-bodies.js';
import {parseLogEntry} from '../events/log-entry.js';
import {encodeAttempt, encodeExchange} from './attempt-records.js';
import type {Claim, ClaimOutcome, Result, EncryptedTarget} from './claims.js';
import {blockKeyOf} from './delivery-blocks.js';

/** Values in Lua, by name. */
type Expressions<Name extends string> = Readonly<Record<Name, string>>;

const hourMs = 3_600_000;

/** Keys of the webhook, by their names in the script's table `k`. */
const webhookKeys = {
  pending: (keys, webhook) => keys.pending(webhook),
  inflight: (keys, webhook) => keys.inflight(webhook),
  replays: (keys, webhook) => keys.replays(webhook),
  replaying: (keys, webhook) => keys.replaying(webhook),
  tries: (keys, webhook) => keys.tries(webhook),
  state: (keys, webhook) => keys.webhookState(webhook),
  ready: (keys) => keys.ready(),
  waiting: (keys, webhook) => keys.waiting(webhook),
  heads: (keys, webhook) => keys.heads(webhook),
  replayed: (keys, webhook) => keys.replayed(webhook),
  starts: (keys, webhook) => keys.starts(webhook),
  /** Uses the hour of the last result. */
  health: (keys, webhook, results) =>
    keys.health(webhook, Math.floor((results.at(-1)?.claim.claimedAt ?? 0) / hourMs)),
  excerpts: (keys, webhook) => keys.excerpts(webhook),
  subscription: (keys, webhook) => keys.record(webhook),
  headers: (keys, webhook) => keys.webhookHeaders(webhook),
  secret: (keys, webhook) => keys.secret(webhook),
  earlier: (keys, webhook) => keys.earlierSecrets(webhook)[0],
  earliest: (keys, webhook) => keys.earlierSecrets(webhook)[1],
  events: (keys) => keys.events(),
} satisfies Readonly<
  Record<string, (keys: WorkspaceKeys, webhook: IdSuffix<'webhook'>, results: readonly Result[]) => string>
>;

const webhookKeyNames = Object.keys(webhookKeys);
const webhookKeysOf = Object.values(webhookKeys);
const targetKeys = [
  'subscription',
  'headers',
  'secret',
  'earlier',
  'earliest',
] satisfies (keyof typeof webhookKeys)[];

/** The keys of the webhook, then for each result the delivery and its block. */
export function claimKeys(
  keys: WorkspaceKeys,
  webhook: IdSuffix<'webhook'>,
  results: readonly Result[],
): string[] {
  return [
    ...webhookKeysOf.map((find) => find(keys, webhook, results)),
    ...results.flatMap(({claim: {suffix}}) => [keys.delivery(suffix), blockKeyOf(keys, webhook, suffix)]),
  ];
}

/** In Lua: the table of the webhook's keys. */
export const keyTable = `{${webhookKeyNames.map((name, i) => `${name} = KEYS[${i + 1}]`).join(', ')}}`;
/** In Lua: all values under the keys of the target. */
export const readTarget = `redis.call('MGET', ${targetKeys.map((name) => `k.${name}`).join(', ')})`;
/** In Lua: keys of the delivery of result `i`, and of its block. */
export const resultKey = `KEYS[${webhookKeyNames.length - 1} + 2 * i]`;
export const resultBlock = `KEYS[${webhookKeyNames.length} + 2 * i]`;

/** A worker's request besides its results; undefined is nil in Lua, and an empty text is false. */
interface ClaimArgs {
  readonly webhook: IdSuffix<'webhook'>;
  /** Requests at a time unless the webhook sets its own number; 0: none, the worker stops. */
  readonly concurrency: number;
  /** Ms. */
  readonly lease: number;
  /** How long responses of receivers are kept (s). */
  readonly keptFor: number;
  /** The most requests at a time, whatever the webhook sets. */
  readonly atMost: number;
  /** The prefix of keys of records; empty: claims come without their events. */
  readonly recordPrefix: string;
  /** How many leases the worker holds besides those of the results; undefined: it takes none in advance. */
  readonly held: number | undefined;
  /** Expired leases are taken back until then (ms). */
  readonly sureUntil: number | undefined;
}

const argKinds: {readonly [Name in keyof ClaimArgs]: ClaimArgs[Name] extends string ? 'text' : 'number'} = {
  webhook: 'text',
  concurrency: 'number',
  lease: 'number',
  keptFor: 'number',
  atMost: 'number',
  recordPrefix: 'text',
  held: 'number',
  sureUntil: 'number',
};
const argNames = Object.keys(argKinds) as (keyof ClaimArgs)[];

/** In Lua: the table of the request. */
export const requestTable = `{${argNames
  .map((name, i) => {
    const arg = `ARGV[${i + 1}]`;
    return `${name} = ${argKinds[name] === 'number' ? `tonumber(${arg})` : `${arg} ~= '' and ${arg}`}`;
  })
  .join(', ')}}`;

/** Parts of a result, by the names of their variables in Lua; an empty text for none. */
const resultParts = {
  delivery: ({claim}) => claim.suffix,
  attempt: ({claim}) => String(claim.attempt),
  /** `returned` gives back a claim that has not been sent. */
  outcome: ({state}) => state,
  /** In ms. */
  delay: ({delayMs}) => String(Math.round(delayMs)),
  /** The attempt's record. */
  attempted: ({attempt}) => (attempt === undefined ? '' : encodeAttempt(attempt)),
  /** The response of the receiver. */
  said: ({exchange}, isShown) => (isShown && exchange !== undefined ? encodeExchange(exchange()) : ''),
  /** In ms. */
  claimedAt: ({claim}) => String(claim.claimedAt),
  /** `success`, `failure` or `none`. */
  charged: ({charge}) => charge,
  /** 1 when the schedule counts it as a failure, else 0. */
  counted: ({counted}) => (counted ? '1' : '0'),
  /** A flag. */
  slow: ({attempt}) => (attempt !== undefined && attempt.duration_ms > slowMs ? '1' : ''),
  /** The bucket of its duration. */
  bucket: ({attempt}) => String(durationBucket(attempt?.duration_ms ?? 0)),
  errorName: ({attempt}) => attempt?.error ?? '',
  status: ({attempt}) => String(attempt?.status ?? ''),
} satisfies Readonly<Record<string, (result: Result, isShown: boolean) => string>>;

const resultNames = Object.keys(resultParts);
const encoders = Object.values(resultParts);
/** The position before the first argument of result `i`. */
const beforeResult = `${encoders.length} * i - ${encoders.length - argNames.length}`;

/** In Lua: how many results there are, the delivery of result `i`, and variables of all its parts. */
export const resultCount = `(#ARGV - ${argNames.length}) / ${encoders.length}`;
export const resultDelivery = `ARGV[${beforeResult} + ${1 + resultNames.indexOf('delivery')}]`;
const itsArgs = `ARGV, ${beforeResult} + 1, ${beforeResult} + ${encoders.length}`;
export const readResult = `local ${resultNames.join(', ')} = unpack(${itsArgs})`;

/** If a job records at most this many results, each success is shown. */
const fewShown = 4;

/**
 * Keeps the exchange of every failure, and of one success in each job that records many. For a receiver of
 * thousands a second, the latest ones would cover less than a second, and include no failure.
 */
export function claimArgs(request: ClaimArgs, results: readonly Result[]): string[] {
  const args = argNames.map((name) => String(request[name] ?? ''));
  const areFew = results.length <= fewShown;
  const shown = results.findLast(({state}) => state === 'succeeded');
  for (const result of results) {
    const isShown = areFew || result.state !== 'succeeded' || result === shown;
    for (const encode of encoders) args.push(encode(result, isShown));
  }
  return args;
}

const claimNames = ['delivery', 'attempt', 'failures', 'number', 'replay'] as const;
type ClaimPart = (typeof claimNames)[number];

/** In Lua: adds a claim to the list `claims`. */
export function addClaimLua(parts: Expressions<ClaimPart>): string {
  const targets = claimNames.map((_, i) => `claims[n + ${i + 1}]`);
  return `local n = #claims; ${targets.join(', ')} = ${claimNames.map((name) => parts[name]).join(', ')}`;
}

/** In Lua: how many claims there are, and a part of claim `i`. */
export const claimCount = `#claims / ${claimNames.length}`;
export function claimPartLua(name: ClaimPart): string {
  return `claims[${claimNames.length} * i - ${claimNames.length - 1 - claimNames.indexOf(name)}]`;
}

const eventNames = ['id', 'fields', 'latest'] as const;
type EventRow = readonly [id: string, fields: string[], latest: string | null];

/** In Lua: the event of a claim, as in the log, and the record of its subject, or false. */
export function eventRowLua(parts: Expressions<(typeof eventNames)[number]>): string {
  return `{${eventNames.map((name) => parts[name]).join(', ')}}`;
}

const failureActions: readonly FailureAction[] = ['well', 'warn', 'disable'];

/** In Lua: the action required for a webhook that fails. */
export function failureActionCode(failureAction: FailureAction): number {
  return failureActions.indexOf(failureAction);
}

/** The answers of the script; null: none, or a flag that is not set. */
interface ClaimScriptAnswers {
  readonly now: number;
  readonly nextAt: number | null;
  readonly refused: number;
  readonly claims: readonly string[];
  /** The event of each claim; null when the log has dropped it. Empty for a request that wants none. */
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

/** In Lua: the answer. */
export function answerRowLua(answers: Expressions<keyof ClaimScriptAnswers>): string {
  return `{${answerNames.map((name) => `${answers[name]} or false`).join(', ')}}`;
}

export function readAnswers(
  row: readonly RedisReply[],
  openTarget: (row: TargetRow) => EncryptedTarget,
): ClaimOutcome {
  const answers = Object.fromEntries(
    answerNames.map((name, i) => [name, row[i]]),
  ) as unknown as ClaimScriptAnswers;
  const {now, nextAt, refused, target, failureAction, repaired, wire} = answers;
  return {
    claims: readClaims(answers),
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

/** The values under the keys of the target. */
export type TargetRow = readonly (string | null)[];

export function readTargetRow([json, headers = null, ...secrets]: TargetRow): EncryptedTarget {
  const encrypted = {headers, secrets: secrets.filter((secret) => secret !== null)};
  return {webhook: JSON.parse(json ?? '') as Webhook, encrypted};
}

type Mutable<T> = {-readonly [K in keyof T]: T[K]};

function readClaims({claims: flat, events, now, isProbe}: ClaimScriptAnswers): Claim[] {
  const claims: Claim[] = [];
  for (let i = 0; i < flat.length; i += claimNames.length) {
    const part = (name: ClaimPart) => flat[i + claimNames.indexOf(name)] ?? '';
    const suffix = storedSuffix<'delivery'>(part('delivery'));
    const [number, replay] = [part('number'), part('replay')];
    const row = events[i / claimNames.length] ?? undefined;
    // Not one literal: spreading into it costs more than all the rest.
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
    if (row !== undefined) claim.event = readEvent(row);
    claims.push(claim);
  }
  return claims;
}

function readEvent([id, fields, latest]: EventRow): ReadEvent {
  return {entry: parseLogEntry(id, fields), ...(latest !== null && {latest: unpackRecord(latest)})};
}

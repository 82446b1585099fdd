import {durationBucket, slowMs} from '../../domain/webhooks/webhook-health.js';
import {encodeAttempt, encodeExchange} from './attempt-records.js';
import type {Result} from './claims.js';

/** The arguments by which the script of a turn hears of each result, by their names there, in this order. */
const parts = {
  delivery: ({claim}) => claim.drawn,
  attempt: ({claim}) => String(claim.attempt),
  /** `returned` gives a claim back that has not been sent. */
  outcome: ({state}) => state,
  /** In ms. */
  delay: ({delayMs}) => String(Math.round(delayMs)),
  /** The attempt's record. */
  attempted: ({attempt}) => (attempt === undefined ? '' : encodeAttempt(attempt)),
  /** The words of the receiver. */
  said: ({exchange}, isShown) => (isShown && exchange !== undefined ? encodeExchange(exchange()) : ''),
  /** In ms. */
  claimedAt: ({claim}) => String(claim.claimedAt),
  /** `success`, `failure` or `none`. */
  charged: ({charge}) => charge,
  /** 1 when the schedule counts it as a failure. */
  counted: ({counted}) => (counted ? '1' : '0'),
  slow: ({attempt}) => (attempt !== undefined && attempt.duration_ms > slowMs ? '1' : '0'),
  /** Of its duration. */
  bucket: ({attempt}) => String(durationBucket(attempt?.duration_ms ?? 0)),
  /** Its error and its status, both empty for none. */
  fault: ({attempt}) => attempt?.error ?? '',
  status: ({attempt}) => String(attempt?.status ?? ''),
} satisfies Readonly<Record<string, (result: Result, isShown: boolean) => string>>;

const encoders = Object.values(parts);

/** The names in Lua of a result's arguments, and how many there are. */
export const resultNames = Object.keys(parts).join(', ');
export const resultLength = encoders.length;

/** Of so many successes that a turn records, each is shown. */
const fewShown = 4;

/**
 * Exchanges are kept of every failure, and of one success of each turn that records many. Of a receiver that
 * takes thousands a second the last ones would tell of less than a second, and hold no failure.
 */
export function encodeResults(results: readonly Result[]): string[] {
  const args: string[] = [];
  const areFew = results.length <= fewShown;
  const shown = results.findLast(({state}) => state === 'succeeded');
  for (const result of results) {
    const isShown = areFew || result.state !== 'succeeded' || result === shown;
    for (const encode of encoders) args.push(encode(result, isShown));
  }
  return args;
}

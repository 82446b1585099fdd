import type {Schema} from '../api/schema.ts';

type TimedAttempt = Pick<
  Schema<'Attempt'>,
  'number' | 'at' | 'duration_ms' | 'dns_ms' | 'tcp_ms' | 'tls_ms' | 'connect_ms' | 'first_byte_ms'
>;

/** Name of a phase. `connect` stands for DNS, TCP and TLS together, if their separate times are not known. */
export type PhaseName = 'dns' | 'tcp' | 'tls' | 'connect' | 'wait' | 'body';

/** A phase of an attempt; `from` and `to` are in ms since the attempt's start. */
export interface AttemptPhase {
  readonly name: PhaseName;
  readonly from: number;
  readonly to: number;
}

/** A time axis that all attempts of a delivery share. It runs from 1 ms to `most` (ms). */
export interface Axis {
  readonly most: number;
  readonly ticks: readonly number[];
}

/** An attempt with its phases. `waitedMs`: the wait before it; null if first or not known. */
export interface WaterfallRow<One extends TimedAttempt = TimedAttempt> {
  readonly attempt: One;
  readonly phases: readonly AttemptPhase[];
  readonly waitedMs: number | null;
}

/** Start of the axis in ms; shorter times are placed at the start. */
const leastMs = 1;
/** Minimum length of a time axis, in ms. */
const shortestAxis = 1_000;
const longestWait = 24 * 3_600_000;

/** Returns an axis that ends at the first power of ten that covers all durations. */
export function computeTimeAxis(attempts: readonly TimedAttempt[]): Axis {
  const longest = Math.max(shortestAxis, ...attempts.map(({duration_ms: ms}) => ms));
  const ticks = [leastMs];
  while ((ticks.at(-1) ?? 0) < longest) ticks.push((ticks.at(-1) ?? 1) * 10);
  return {most: ticks.at(-1) ?? shortestAxis, ticks};
}

/** The position of a time on the axis, from 0 to 1. */
export function findPositionOnAxis({most}: Axis, ms: number): number {
  const within = Math.min(most, Math.max(leastMs, ms));
  return Math.log(within / leastMs) / Math.log(most / leastMs);
}

/** Lists an attempt's phases without gaps. Without a response, the last one is the failed step. */
export function listPhases(attempt: TimedAttempt): readonly AttemptPhase[] {
  const {duration_ms: end, dns_ms: dns, tcp_ms: tcp, tls_ms: tls, connect_ms: connected} = attempt;
  const marks: {readonly name: PhaseName; readonly to: number}[] = [];
  let at = 0;
  for (const [name, took] of [
    ['dns', dns],
    ['tcp', tcp],
    ['tls', tls],
  ] as const) {
    if (took !== null) marks.push({name, to: (at += took)});
  }
  if (connected === null) {
    // No connection was made: the phase that failed is the one after the last measured phase.
    marks.push({name: tcp !== null ? 'tls' : dns !== null ? 'tcp' : 'connect', to: end});
  } else {
    if (connected > at) marks.push({name: 'connect', to: connected});
    marks.push({name: 'wait', to: attempt.first_byte_ms ?? end});
    if (attempt.first_byte_ms !== null) marks.push({name: 'body', to: end});
  }
  const phases: AttemptPhase[] = [];
  let from = 0;
  for (const {name, to} of marks) {
    const until = Math.min(end, Math.max(from, to));
    if (until > from) phases.push({name, from, to: until});
    from = until;
  }
  // A very short attempt has no measured phase, so show one phase for all of it.
  return phases.length === 0 ? [{name: 'wait', from: 0, to: end}] : phases;
}

/** Rows for the attempts of a delivery, oldest first. */
export function buildWaterfallRows<One extends TimedAttempt>(
  attempts: readonly One[],
): readonly WaterfallRow<One>[] {
  const inOrder = attempts.toSorted((a, b) => a.number - b.number);
  return inOrder.map((attempt, i) => {
    const before = inOrder[i - 1];
    const waited =
      before === undefined ? null : Date.parse(attempt.at) - Date.parse(before.at) - before.duration_ms;
    return {attempt, phases: listPhases(attempt), waitedMs: waited === null ? null : Math.max(0, waited)};
  });
}

/** Length of the line that shows a wait, from 0 to 1: a second is nearly 0, a day is 1. */
export function findWaitLineLength(ms: number): number {
  const within = Math.min(longestWait, Math.max(1_000, ms));
  return 0.04 + 0.96 * (Math.log(within / 1_000) / Math.log(longestWait / 1_000));
}

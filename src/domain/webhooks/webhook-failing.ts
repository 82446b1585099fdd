/** How long a webhook has been without one success, though it was tried. */
export interface Failing {
  /** When the first attempt after the last success failed (ms). */
  readonly since: number;
  /** Attempts that have failed since. */
  readonly attempts: number;
  /** Whether its workspace has been told. */
  readonly warned: boolean;
}

/** What has to happen to a webhook: nothing, its workspace is told that it fails, or it is switched off. */
export type Standing = 'well' | 'warn' | 'disable';

const dayMs = 24 * 3_600_000;

/** Both have to be reached: a webhook with little to send is not given up for a few failures, and none for a bad night. */
export const failingLimits = {
  warn: {ms: 2.5 * dayMs, attempts: 5},
  disable: {ms: 5 * dayMs, attempts: 10},
} as const;

/** What follows from how long a webhook has failed; `now` in ms. Undefined: it does not. */
export function standingOf(failing: Failing | undefined, now: number): Standing {
  if (failing === undefined) return 'well';
  const reached = ({ms, attempts}: {ms: number; attempts: number}) =>
    now - failing.since >= ms && failing.attempts >= attempts;
  if (reached(failingLimits.disable)) return 'disable';
  return reached(failingLimits.warn) && !failing.warned ? 'warn' : 'well';
}

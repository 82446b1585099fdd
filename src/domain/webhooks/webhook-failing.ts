/** How long a webhook has been tried without one success. */
export interface FailureStreak {
  /** When the first attempt after the last success failed (ms). */
  readonly since: number;
  /** Attempts that have failed since. */
  readonly attempts: number;
  /** Whether its workspace has been notified. */
  readonly warned: boolean;
}

/** The action for a webhook: none, notify its workspace that it fails, or disable it. */
export type FailureAction = 'well' | 'warn' | 'disable';

const dayMs = 24 * 3_600_000;

/**
 * Both must be reached: a webhook with little to send is not given up for a few failures, and no webhook for
 * one bad night.
 */
export const failingLimits = {
  warn: {ms: 2.5 * dayMs, attempts: 5},
  disable: {ms: 5 * dayMs, attempts: 10},
} as const;

/** The action for a webhook that has failed this long; `now` in ms. Undefined: it does not fail. */
export function failureActionOf(failing: FailureStreak | undefined, now: number): FailureAction {
  if (failing === undefined) return 'well';
  const reached = ({ms, attempts}: {ms: number; attempts: number}) =>
    now - failing.since >= ms && failing.attempts >= attempts;
  if (reached(failingLimits.disable)) return 'disable';
  return reached(failingLimits.warn) && !failing.warned ? 'warn' : 'well';
}

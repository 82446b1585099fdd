/** A period in which all attempts of a webhook have failed. */
export interface FailureStreak {
  /** The first failed attempt after the last success (ms). */
  readonly since: number;
  /** The number of failed attempts since the last success. */
  readonly attempts: number;
  /** True if the workspace has been told. */
  readonly warned: boolean;
}

/** The consequence for a webhook: none, telling its workspace, or disabling it. */
export type FailureAction = 'well' | 'warn' | 'disable';

const dayMs = 24 * 3_600_000;

/**
 * The limits for a failing webhook. Both the number of failures and the time since the first one must reach
 * them, so that neither a few failures nor one bad night disables a webhook.
 */
export const failingLimits = {
  warn: {ms: 2.5 * dayMs, attempts: 5},
  disable: {ms: 5 * dayMs, attempts: 10},
} as const;

/** Returns the consequence for a webhook that has failed until `now` (ms); undefined for no failure. */
export function decideFailureAction(failing: FailureStreak | undefined, now: number): FailureAction {
  if (failing === undefined) return 'well';
  const reached = ({ms, attempts}: {ms: number; attempts: number}) =>
    now - failing.since >= ms && failing.attempts >= attempts;
  if (reached(failingLimits.disable)) return 'disable';
  return reached(failingLimits.warn) && !failing.warned ? 'warn' : 'well';
}

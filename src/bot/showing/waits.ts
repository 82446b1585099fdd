/** The waits (ms) between attempts to post a message. When all waits are used, we stop trying to post it. */
export interface Waits {
  /** The waits after attempts that Slack did not answer, or to which it answered with an internal error. */
  readonly unanswered: readonly number[];
  /** The waits after refusals that a person can end, such as an archived channel or a missing scope. */
  readonly closed: readonly number[];
  readonly leaseMs: number;
  /** The minimum time (ms) for which our code must have failed on an event before it is skipped. */
  readonly eventMs: number;
  /**
   * The minimum time between messages to one channel, after the first two. Slack takes about one a second:
   * https://docs.slack.dev/apis/web-api/rate-limits
   */
  readonly spacingMs: number;
  /** The time between edits, and between removals, in one workspace, after the first ten. 0: no delay. */
  readonly editSpacingMs: number;
}

const [minute, hour] = [60_000, 3_600_000];

export const standardWaits: Waits = {
  unanswered: [5_000, 15_000, minute, 5 * minute, 30 * minute, ...Array.from({length: 22}, () => hour)],
  closed: [minute, 5 * minute, 30 * minute, ...Array.from({length: 23}, () => hour)],
  leaseMs: 5_000,
  eventMs: minute,
  spacingMs: 1_000,
  editSpacingMs: 1_500,
};

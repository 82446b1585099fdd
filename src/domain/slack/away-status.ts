import type {Id, IdSuffix} from '../core/ids.js';

/** A person's status in Slack. Its text is never read: it is often personal. */
export interface SlackStatus {
  /** The name of the emoji between colons, such as `:palm_tree:`; empty for none. */
  readonly emoji: string;
  /** The instant (ms) at which the status ends; undefined if it has no end. */
  readonly endsAt: number | undefined;
}

/** A member whose status in Slack is looked at for some open runs. */
export interface StatusQuestion {
  readonly member: Id<'member'>;
  /** The id of their Slack user. */
  readonly user: string;
  readonly runs: readonly IdSuffix<'run'>[];
}

/** The result of the last look at a member's status for a run. */
export interface StatusLook {
  /** The instant of the look (ms). */
  readonly at: number;
  /** The emoji, if the status counted as being away; else empty. */
  readonly emoji: string;
  /** True once the status has made an absence for the run. One that the member ends is not made again. */
  readonly made: boolean;
}

/** The time (ms) for which a look is fresh enough for another reminder. */
export const freshLookMs = 10 * 60_000;

/** The share of what is left of a run that a status must cover. A lunch break is no absence. */
const leastShare = 0.25;

/** Returns the emoji of a status if it counts as being away until a run closes (ms); else an empty text. */
export function findAwayEmoji(
  {emoji, endsAt}: SlackStatus,
  counting: readonly string[],
  {now, closesAt}: {readonly now: number; readonly closesAt: number},
): string {
  // Slack adds the skin tone to the name: `:wave::skin-tone-3:`.
  const [, name = ''] = /^(:[^:]+:)(?::skin-tone-\d:)?$/.exec(emoji) ?? [];
  if (!counting.includes(name)) return '';
  const covered = Math.min(endsAt ?? closesAt, closesAt) - now;
  return covered > leastShare * (closesAt - now) ? name : '';
}

export function formatStatusLook({at, emoji, made}: StatusLook): string {
  return `${at} ${made ? 1 : 0} ${emoji}`;
}

export function parseStatusLook(stored: string): StatusLook | undefined {
  const [, at, made, emoji = ''] = /^(\d+) ([01]) (.*)$/.exec(stored) ?? [];
  return at === undefined ? undefined : {at: Number(at), emoji, made: made === '1'};
}

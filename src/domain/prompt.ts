import {addDays} from './dates.js';
import type {ReminderChoice} from './workspace.js';
import {minuteOfDay, type Zones} from './zones.js';

/**
 * The one direct message by which somebody is reminded on a date of theirs, over all their teams: what it is about, and what is known of it.
 * Reminders only note what it is about; a job makes the message equal to that.
 */
export interface Prompt {
  /** Drawn half of the member's id. */
  readonly member: string;
  /** By the member's own clocks. */
  readonly date: string;
  /** Slack's id of the person; with another account the day begins anew. */
  readonly user: string;
  /** When each of the runs it is about closes for this member (ms), by the drawn half of its id, in the order of their first reminders. */
  readonly runs: ReadonlyMap<string, number>;
  /** Nothing is sent before this instant (ms): quiet hours. */
  readonly notBefore: number;
  /** How often they have been reminded; teams of one instant count once. */
  readonly times: number;
  /** Until when (ms) they want to hear nothing of it. */
  readonly snoozed: number | undefined;
  /** Counts the messages that stood there before this one: each snooze has a new one follow. */
  readonly take: number;
  /** Slack's name of the message; undefined while there is none. */
  readonly ts: string | undefined;
  /** Present from before a call that posts until its outcome is known: when it began (ms) and what tells it from others. */
  readonly sending: string | undefined;
  /** What tells the content it shows from others. */
  readonly shown: string | undefined;
  readonly failures: number;
  /** Why Slack does not deliver it, until the next reminder tries again. */
  readonly failed: string | undefined;
}

/** What tells a prompt from all others of its workspace. */
export interface PromptName {
  /** Drawn half of the member's id. */
  readonly member: string;
  readonly date: string;
  readonly user: string;
}

/**
 * When somebody may be sent something that is due at an instant (ms): then, or at the end of the quiet hours into which it falls by the
 * clocks of their zone.
 */
export function endOfQuiet(
  {quiet_from: from, quiet_until: until}: Pick<ReminderChoice, 'quiet_from' | 'quiet_until'>,
  timezone: string,
  at: number,
  zones: Zones,
): number {
  if (from === null || until === null || from === until) return at;
  const {date, time} = zones.clockAt(timezone, at);
  const [minute, first, last] = [minuteOfDay(time), minuteOfDay(from), minuteOfDay(until)];
  const overnight = last < first;
  const isQuiet = overnight ? minute >= first || minute < last : minute >= first && minute < last;
  if (!isQuiet) return at;
  const end = zones.instantOf(timezone, overnight && minute >= first ? addDays(date, 1) : date, until);
  // In the second pass of an hour that comes twice, the end has been already.
  return Math.max(at, end);
}

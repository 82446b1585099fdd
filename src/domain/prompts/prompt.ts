import type {DayOff} from '../absences/absence.js';
import {addDays} from '../core/dates.js';
import type {Team} from '../teams/team.js';
import type {ReminderChoice} from '../workspaces/workspace.js';
import {minuteOfDay, type Zones} from '../core/zones.js';
import type {IdSuffix, Id} from '../core/ids.js';

/**
 * The reason why a person is asked for their standup: their run opens, the schedule has a reminder, or
 * another person has asked for it.
 */
export type PromptMoment = 'opening' | 'before_closing' | 'asked';

export const promptMoments = [
  'opening',
  'before_closing',
  'asked',
] as const satisfies readonly PromptMoment[];

/**
 * The one direct message that reminds a person on a date, over all their teams: its runs, and what is known
 * of the message. Reminders only note the runs; a job makes the message match.
 */
export interface Prompt {
  /** Id suffix of the member. */
  readonly member: IdSuffix<'member'>;
  /** The day of the message, in the member's own time zone. */
  readonly date: string;
  /** Slack's id of the person; with another account the day begins again. */
  readonly user: string;
  /**
   * When each of its runs closes for this member (ms), by the run's id suffix, in the order of their first
   * reminders.
   */
  readonly runs: ReadonlyMap<IdSuffix<'run'>, number>;
  /** Nothing is sent before this instant (ms): quiet hours. */
  readonly notBefore: number;
  /**
   * How often they have been reminded of a run, openings excluded, by the run's id suffix. All reminders
   * before the first message count once.
   */
  readonly reminded: ReadonlyMap<IdSuffix<'run'>, number>;
  /** The first instant of that day (ms) at which they were to be asked, for each reason. */
  readonly moments: ReadonlyMap<PromptMoment, number>;
  /** When the present message was posted (ms, by the store's clock). */
  readonly sent: number;
  /** The end (ms) of their snooze. */
  readonly snoozed: number | undefined;
  /** Counts the messages before this one, posted or tried. */
  readonly take: number;
  /** Slack's name of the message; undefined while there is none. */
  readonly ts: string | undefined;
  /** The channel of the direct messages with this person; undefined until Slack has returned it. */
  readonly channel: string | undefined;
  /** Messages that this one has replaced and that still exist. */
  readonly old: readonly string[];
  /**
   * Present from before a call that posts until its outcome is known: its start (ms) and a mark that is
   * unique to it.
   */
  readonly sending: string | undefined;
  /** Identifies the content that it shows. */
  readonly shown: string | undefined;
  readonly failures: number;
  /** The instant (ms) until which a change is held back to wait for one of its links; 0 while none is. */
  readonly linksUntil: number;
  /** The reason why Slack does not deliver it, until the next reminder tries again. */
  readonly failed: string | undefined;
}

/** Identifies a prompt in its workspace. */
export interface PromptName {
  /** Id suffix of the member. */
  readonly member: IdSuffix<'member'>;
  readonly date: string;
  readonly user: string;
}

/**
 * The instant (ms) at which a person may be sent something due at `at`: that one, or the end of the quiet
 * hours that it falls into in their time zone.
 */
export function endOfQuietHours(
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
  // In the second pass of an hour that comes twice, the end has already passed.
  return Math.max(at, end);
}

/** A person's status in one of the runs that their message names. */
export interface PromptLine {
  /** Id of the run, and its date. */
  readonly run: Id<'run'>;
  readonly date: string;
  readonly team: Team;
  /** When it closes for them (ms). */
  readonly closesAt: number;
  /** How often they have been reminded of it; 0 when it has only opened. */
  readonly reminded: number;
  /**
   * `open`: they can and should post. The outcomes: posted, a day off, closed without them, or called off.
   */
  readonly state: 'open' | 'posted' | 'closed' | 'cancelled' | DayOff['status'];
  /** For `posted`: the standup's id. */
  readonly standup?: Id<'standup'>;
  /** For `posted`: the address of its message in Slack; undefined while, or where, there is none. */
  readonly link?: string | undefined;
  /** For `posted`: Slack will return a link soon. */
  readonly awaitsLink?: boolean;
}

/** Everything that a prompt is to show, as it is now. */
export interface PromptState {
  /** True when the person wants reminders and this Slack account is still theirs. */
  readonly wanted: boolean;
  readonly lines: readonly PromptLine[];
  /** Today in the person's time zone. */
  readonly today: string;
  /** When they may be disturbed (ms): now, or at the end of their quiet hours. */
  readonly quietUntil: number;
}

/** Within this time (ms) of a message, another reason is added by an edit, which notifies no one. */
const togetherMs = 60_000;

/**
 * True when the person needs another message: the present one was posted before they were to be asked for
 * another reason. Each reason counts once a day, over all their teams.
 */
export function needsNewMessage({moments, sent}: Pick<Prompt, 'moments' | 'sent'>): boolean {
  return [...moments.values()].some((at) => at > sent + togetherMs);
}

/** Minutes for which a prompt may be snoozed. */
export const snoozeMinutes = [15, 30, 60] as const;

/** A snoozed prompt comes again at least this long before the first of its runs closes. */
const lastCallMs = 5 * 60_000;
const shortestMs = 60_000;

/** The snoozes (in minutes) that leave enough time to post. */
export function allowedSnoozes(now: number, lines: readonly PromptLine[]): number[] {
  return snoozeMinutes.filter((minutes) => endOfSnooze(now, minutes, lines) === now + minutes * 60_000);
}

/**
 * The instant (ms) at which a snoozed prompt comes again: never so late that there is no time left to post.
 * Undefined when it is too late for that.
 */
export function endOfSnooze(now: number, minutes: number, lines: readonly PromptLine[]): number | undefined {
  const closings = lines.filter(({state}) => state === 'open').map(({closesAt}) => closesAt);
  const until = Math.min(now + minutes * 60_000, Math.min(...closings) - lastCallMs);
  return closings.length > 0 && until - now >= shortestMs ? until : undefined;
}

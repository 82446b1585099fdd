import type {DayOff} from '../absences/absence.js';
import {addDays} from '../core/dates.js';
import type {Team} from '../teams/team.js';
import type {ReminderChoice} from '../workspaces/workspace.js';
import {minuteOfDay, type Zones} from '../core/zones.js';
import type {IdSuffix, Id} from '../core/ids.js';

/**
 * Why somebody is asked for their standup: their run opens, the schedule has a reminder, or somebody wants
 * it.
 */
export type PromptMoment = 'opening' | 'before_closing' | 'asked';

export const promptMoments = [
  'opening',
  'before_closing',
  'asked',
] as const satisfies readonly PromptMoment[];

/**
 * The one direct message by which somebody is reminded on a date of theirs, over all their teams: what it
 * is about, and what is known of it. Reminders only note what it is about; a job makes the message equal to
 * that.
 */
export interface Prompt {
  /** Drawn half of the member's id. */
  readonly member: IdSuffix<'member'>;
  /** The day on which it comes, by the member's own clocks. */
  readonly date: string;
  /** Slack's id of the person; with another account the day begins again. */
  readonly user: string;
  /**
   * When each of the runs it is about closes for this member (ms), by the drawn half of its id, in the
   * order of their first reminders.
   */
  readonly runs: ReadonlyMap<IdSuffix<'run'>, number>;
  /** Nothing is sent before this instant (ms): quiet hours. */
  readonly notBefore: number;
  /**
   * How often they have been reminded of a run, openings aside, by the drawn half of its id; what comes
   * before anything is sent counts once.
   */
  readonly reminded: ReadonlyMap<IdSuffix<'run'>, number>;
  /** When they were first to hear of it that day (ms), by why. */
  readonly moments: ReadonlyMap<PromptMoment, number>;
  /** When the message that stands there was posted (ms, by the store's clock). */
  readonly sent: number;
  /** Until when (ms) they want to hear nothing of it. */
  readonly snoozed: number | undefined;
  /** Counts the messages that stood there before this one, or were tried. */
  readonly take: number;
  /** Slack's name of the message; undefined while there is none. */
  readonly ts: string | undefined;
  /** The channel of the direct messages with this person; undefined while no answer of Slack has told it. */
  readonly channel: string | undefined;
  /** Messages that this one has taken the place of and that still stand there. */
  readonly old: readonly string[];
  /**
   * Present from before a call that posts until its outcome is known: when it began (ms) and what tells it
   * from others.
   */
  readonly sending: string | undefined;
  /** What tells the content it shows from others. */
  readonly shown: string | undefined;
  readonly failures: number;
  /** Until when (ms) a change is held back, since a link of it is still to come; 0 while none is. */
  readonly linksUntil: number;
  /** Why Slack does not deliver it, until the next reminder tries again. */
  readonly failed: string | undefined;
}

/** What tells a prompt from all others of its workspace. */
export interface PromptName {
  /** Drawn half of the member's id. */
  readonly member: IdSuffix<'member'>;
  readonly date: string;
  readonly user: string;
}

/**
 * When somebody may be sent something that is due at an instant (ms): then, or at the end of the quiet
 * hours into which it falls by the clocks of their zone.
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

/** How a person stands in one of the runs that their message names. */
export interface PromptLine {
  /** Id of the run, and its date. */
  readonly run: Id<'run'>;
  readonly date: string;
  readonly team: Team;
  /** When it closes for them (ms). */
  readonly closesAt: number;
  /** How often they have been reminded of it; 0 of one that has only opened. */
  readonly reminded: number;
  /**
   * `open`: they can and should post. The outcomes: posted, a day off, closed without them, or called off.
   */
  readonly state: 'open' | 'posted' | 'closed' | 'cancelled' | DayOff['status'];
  /** Of `posted`: its id. */
  readonly standup?: Id<'standup'>;
  /** Of `posted`: where it stands in Slack; undefined while, or where, there is nothing to lead to. */
  readonly link?: string | undefined;
  /** Of `posted`: Slack will tell a link soon. */
  readonly awaitsLink?: boolean;
}

/** All that a prompt is to show, as it is now. */
export interface PromptState {
  /** Whether the person wants reminders, and is still who this Slack account belongs to. */
  readonly wanted: boolean;
  readonly lines: readonly PromptLine[];
  /** The day that it is by the clocks of the person. */
  readonly today: string;
  /** When they may be disturbed (ms): now, or at the end of their quiet hours. */
  readonly quietUntil: number;
}

/** A reason so soon (ms) after a message was posted is told by an edit, which disturbs nobody. */
const togetherMs = 60_000;

/**
 * Whether somebody is to hear of it once more: a message that stands there was posted before they were to
 * be asked for another reason. Of each reason that happens once a day, over all their teams.
 */
export function isToComeAgain({moments, sent}: Pick<Prompt, 'moments' | 'sent'>): boolean {
  return [...moments.values()].some((at) => at > sent + togetherMs);
}

/** For how many minutes a prompt may be put off. */
export const snoozeMinutes = [15, 30, 60] as const;

/** Whoever puts it off hears of it again as long as this before the first of their runs closes. */
const lastCallMs = 5 * 60_000;
const shortestMs = 60_000;

/** For how many minutes it can be put off without missing the time to post. */
export function fittingSnoozes(now: number, lines: readonly PromptLine[]): number[] {
  return snoozeMinutes.filter((minutes) => endOfSnooze(now, minutes, lines) === now + minutes * 60_000);
}

/**
 * When a prompt that is put off comes again (ms): never so late that there is no time left to post.
 * Undefined when it is too late for that.
 */
export function endOfSnooze(now: number, minutes: number, lines: readonly PromptLine[]): number | undefined {
  const closings = lines.filter(({state}) => state === 'open').map(({closesAt}) => closesAt);
  const until = Math.min(now + minutes * 60_000, Math.min(...closings) - lastCallMs);
  return closings.length > 0 && until - now >= shortestMs ? until : undefined;
}

import type {DayOff} from '../absences/absence.js';
import {addDays} from '../core/dates.js';
import type {Team} from '../teams/team.js';
import type {ReminderChoice} from '../workspaces/workspace.js';
import {parseMinuteOfDay, type Zones} from '../core/zones.js';
import type {IdSuffix, Id} from '../core/ids.js';

/** Why a person is asked for a standup: a run opens, the schedule reminds, or another person asks. */
export type PromptMoment = 'opening' | 'before_closing' | 'asked';

export const promptMoments = [
  'opening',
  'before_closing',
  'asked',
] as const satisfies readonly PromptMoment[];

/** The recipient of a reminder that goes by mail. */
export const mailRecipient = 'mail';

/** The recipient of a reminder that nothing sends: only the open tabs of the person show it. */
export const browserRecipient = 'browser';

/**
 * The only message that reminds a person on a date, for all their teams: in Slack, by mail, or only in their
 * open tabs. A reminder only records its run here; a job then sends the message, or edits it in Slack.
 */
export interface Prompt {
  readonly member: IdSuffix<'member'>;
  /** The day of the message, in the member's time zone. */
  readonly date: string;
  /**
   * The person's Slack user id, `mailRecipient` or `browserRecipient`. With another one, the reminders of the
   * day start again.
   */
  readonly user: string;
  /** The instants (ms) at which the runs close for this member, in the order of the first reminders. */
  readonly runs: ReadonlyMap<IdSuffix<'run'>, number>;
  /** The end of the quiet hours (ms). Nothing is sent before it. */
  readonly notBefore: number;
  /**
   * The number of times that the person was reminded of each run (by its id suffix), not counting its
   * opening. All reminders before the first message count as one.
   */
  readonly reminded: ReadonlyMap<IdSuffix<'run'>, number>;
  /** The first instant (ms) of that day at which each reason to ask the person came up. */
  readonly moments: ReadonlyMap<PromptMoment, number>;
  /** The instant at which the current message was posted (ms, by the store's clock). */
  readonly sent: number;
  /** The end of the person's snooze (ms). */
  readonly snoozed: number | undefined;
  /** The number of earlier messages of that day, posted or attempted. */
  readonly take: number;
  /** Slack's id of the message (`ts`), or the id suffix of the mail; undefined without a message. */
  readonly ts: string | undefined;
  /** Slack's id of the direct message channel; undefined until Slack has returned it. */
  readonly channel: string | undefined;
  /** Earlier messages that this one has replaced and that still exist. */
  readonly old: readonly string[];
  /**
   * The mark of the call that is posting the message, with the start of the call (ms). It is set before the
   * call, and removed when the result is known.
   */
  readonly sending: string | undefined;
  /** A hash of the content that the message shows. */
  readonly shown: string | undefined;
  readonly failures: number;
  /** The instant (ms) until which an update waits for a link; 0 when it does not wait. */
  readonly linksUntil: number;
  /** The reason why Slack does not deliver the message. The next reminder tries again. */
  readonly failed: string | undefined;
}

/** The fields that identify a reminder in its workspace. */
export interface PromptName {
  readonly member: IdSuffix<'member'>;
  readonly date: string;
  readonly user: string;
}

/**
 * Returns the instant (ms) at which a person may get a message that is due at `at`. In quiet hours it is
 * their end, in the person's time zone.
 */
export function findEndOfQuietHours(
  {quiet_from: from, quiet_until: until}: Pick<ReminderChoice, 'quiet_from' | 'quiet_until'>,
  timezone: string,
  at: number,
  zones: Zones,
): number {
  if (from === null || until === null || from === until) return at;
  const {date, time} = zones.clockAt(timezone, at);
  const [minute, first, last] = [parseMinuteOfDay(time), parseMinuteOfDay(from), parseMinuteOfDay(until)];
  const overnight = last < first;
  const isQuiet = overnight ? minute >= first || minute < last : minute >= first && minute < last;
  if (!isQuiet) return at;
  const end = zones.instantOf(timezone, overnight && minute >= first ? addDays(date, 1) : date, until);
  // When an hour occurs twice, the end has already passed in its second occurrence.
  return Math.max(at, end);
}

/** A person's status in one of the runs of their message. */
export interface PromptLine {
  /** The id of the run. `date` is its date. */
  readonly run: Id<'run'>;
  readonly date: string;
  readonly team: Team;
  /** The instant at which the run closes for the person (ms). */
  readonly closesAt: number;
  /** The number of reminders of this run; 0 if it has only opened. */
  readonly reminded: number;
  /** `open`: the person can and should post. Otherwise the result: posted, off, closed, or cancelled. */
  readonly state: 'open' | 'posted' | 'closed' | 'cancelled' | DayOff['status'];
  readonly standup?: Id<'standup'>;
  /** The URL of the posted standup's message in Slack; undefined without such a message. */
  readonly link?: string | undefined;
  /** True when Slack will soon return a link to the posted standup. */
  readonly awaitsLink?: boolean;
}

/** An open blocker of the person, about which a reminder asks whether it still blocks them. */
export interface StillBlocked {
  readonly blocker: Id<'blocker'>;
  readonly text: string;
  /** The name of the team. */
  readonly team: string;
  /** The date on which it was raised, in the person's time zone. */
  readonly since: string;
}

/** Everything that a reminder shows at the moment. */
export interface PromptState {
  readonly member: Id<'member'>;
  /** True when the person wants reminders, by this channel, and still has this Slack account or an address. */
  readonly wanted: boolean;
  readonly lines: readonly PromptLine[];
  /** The person's time zone, or that of the first team that waits for them. */
  readonly timezone: string;
  /** The current date in that zone. */
  readonly today: string;
  /** The instant at which the person may get a message (ms): now, or at the end of their quiet hours. */
  readonly quietUntil: number;
}

/** The content of a reminder, with the blockers and the status in Slack that it asks about. */
export interface PromptContent extends PromptState {
  readonly blockers: readonly StillBlocked[];
  /** The emoji of a status that counts as being away; undefined for none. */
  readonly awayEmoji: string | undefined;
}

/** Returns the runs of a reminder for which the person can and should still post. */
export function listOpenLines(state: Pick<PromptState, 'lines'> | undefined): PromptLine[] {
  return state?.lines.filter((line) => line.state === 'open') ?? [];
}

/** The time (ms) after a message in which a new reason only edits it. An edit notifies no one. */
const togetherMs = 60_000;

/**
 * True when the person needs another message, because a new reason has come up since the current one. Each
 * reason counts once a day for all teams together.
 */
export function needsNewMessage({moments, sent}: Pick<Prompt, 'moments' | 'sent'>): boolean {
  return [...moments.values()].some((at) => at > sent + togetherMs);
}

/** Returns the latest reason to ask the person. */
export function findLatestMoment({moments}: Pick<Prompt, 'moments'>): PromptMoment {
  const [latest] = [...moments].toSorted(([, a], [, b]) => b - a);
  return latest?.[0] ?? 'opening';
}

/** Returns the instant (ms) at which the day's first reason to ask came up. A moved reminder has none of its own. */
export function findFirstMoment({moments, notBefore}: Pick<Prompt, 'moments' | 'notBefore'>): number {
  return moments.size === 0 ? notBefore : Math.min(...moments.values());
}

/** Returns the time (ms) of the next repetition, if any. A snooze counts even in quiet hours. */
export function findNextRepeatTime(prompt: Prompt, {quietUntil}: PromptState): number | undefined {
  if (prompt.snoozed !== undefined) return prompt.snoozed;
  const isWanted = prompt.failed === undefined && needsNewMessage(prompt);
  return isWanted ? Math.max(prompt.notBefore, quietUntil) : undefined;
}

/** Returns the earliest time (ms) of the first message of a reminder. */
export function findFirstSendTime({notBefore, snoozed}: Prompt, {quietUntil}: PromptState): number {
  // A member who snoozed a reminder wants it at that time, even in their quiet hours.
  return Math.max(notBefore, snoozed ?? quietUntil);
}

export const snoozeMinutes = [15, 30, 60] as const;

/** A snoozed reminder comes back at least this long before the first of its runs closes. */
const lastCallMs = 5 * 60_000;
const shortestMs = 60_000;

/** Returns the snoozes (in minutes) that leave enough time to post. */
export function listAllowedSnoozes(now: number, lines: readonly PromptLine[]): number[] {
  return snoozeMinutes.filter((minutes) => findEndOfSnooze(now, minutes, lines) === now + minutes * 60_000);
}

/**
 * Returns the instant (ms) at which a snoozed reminder comes back, with enough time left to post. Undefined
 * when it is too late for a snooze.
 */
export function findEndOfSnooze(
  now: number,
  minutes: number,
  lines: readonly PromptLine[],
): number | undefined {
  const closings = lines.filter(({state}) => state === 'open').map(({closesAt}) => closesAt);
  const until = Math.min(now + minutes * 60_000, Math.min(...closings) - lastCallMs);
  return closings.length > 0 && until - now >= shortestMs ? until : undefined;
}

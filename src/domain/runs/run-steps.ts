import {suffixOf, type Id} from '../core/ids.js';
import type {PromptMoment} from '../prompts/prompt.js';
import {graceMs, type Run} from './run.js';
import {type PromptAt, type Schedule, type Window, runWindowOf} from '../schedules/schedule.js';
import type {Zones} from '../core/zones.js';

/** The times of a run (ms) over all time zones of its people. */
export interface RunSpan {
  /** `opens`: the opening in the first time zone. `opensLast`: the opening in the last one. */
  readonly opens: number;
  readonly opensLast: number;
  readonly closes: number;
}

/** Returns the times of a run over all its time zones. `timezones` has at least one entry. */
export function computeRunSpan(
  schedule: Schedule,
  date: string,
  timezones: readonly string[],
  zones: Zones,
): RunSpan {
  const windows = timezones.map((timezone) => runWindowOf(schedule, date, timezone, zones));
  return {
    opens: Math.min(...windows.map(({opens}) => opens)),
    opensLast: Math.max(...windows.map(({opens}) => opens)),
    closes: Math.max(...windows.map(({closes}) => closes)),
  };
}

/** People with the same opening, reminder and closing times in a run. */
export interface RunGroup extends Window {
  readonly members: readonly Id<'member'>[];
}

/** The fields of a run that determine when it is open for each person. */
type RunTiming = Pick<Run, 'date' | 'timezone' | 'schedule' | 'opens_at' | 'closes_at' | 'participants'>;

export function groupParticipantsByTimes(run: RunTiming, zones: Zones): RunGroup[] {
  const {schedule, participants, timezone} = run;
  const whole = {opens: Date.parse(run.opens_at), closes: Date.parse(run.closes_at), reminders: []};
  const windows = new Map<string, Window>();
  const groups = new Map<string, {window: Window; members: Id<'member'>[]}>();
  for (const {member, timezone: own} of participants) {
    const zone = own ?? timezone;
    const window =
      windows.get(zone) ?? (schedule === null ? whole : runWindowOf(schedule, run.date, zone, zones));
    windows.set(zone, window);
    const name = `${window.opens}-${window.closes}`;
    const group = groups.get(name) ?? {window, members: []};
    groups.set(name, group);
    group.members.push(member);
  }
  return [...groups.values()].map(({window, members}) => ({...window, members}));
}

/** A reminder or the opening of a run, for the people who get it at the same instant. */
export interface RunReminder {
  readonly moment: PromptMoment;
  /** The minutes before closing. Null for an opening, or for a reminder that a person requested. */
  readonly minutes: number | null;
  /** The instant at which the reminder is due (ms). */
  readonly at: number;
  readonly group: RunGroup;
  /** The step that is marked as taken when all of these people have been reminded. */
  readonly step: string;
}

/** Returns a run's opening, its schedule's reminders, and a reminder requested at `asked` (ms). */
export function listRunReminders(run: RunTiming, asked: number | undefined, zones: Zones): RunReminder[] {
  return groupParticipantsByTimes(run, zones).flatMap((group) => {
    const name = `${group.opens}-${group.closes}`;
    const opening = {moment: 'opening', minutes: null, at: group.opens} as const;
    const scheduled = (run.schedule?.reminders ?? []).map((minutes, i) => ({
      moment: 'before_closing' as const,
      minutes,
      at: group.reminders[i] ?? group.closes,
      group,
      step: `reminded:${minutes}:${name}`,
    }));
    const all = [{...opening, group, step: `reminded:opening:${name}`}, ...scheduled];
    if (asked === undefined || asked < group.opens || asked >= group.closes) return all;
    return [...all, {moment: 'asked', minutes: null, at: asked, group, step: `reminded:${asked}:${name}`}];
  });
}

/**
 * True when a reminder is for people who want to be asked at these times. An opening and a reminder that are
 * due at the same instant count as one.
 */
export function isReminderFor(reminder: RunReminder, at: PromptAt, due: readonly RunReminder[]): boolean {
  const {moment, group} = reminder;
  if (moment === 'asked') return true;
  const isLater = (one: RunReminder) => one.moment === 'before_closing' && one.at > group.opens;
  if (moment === 'before_closing') return at === 'before_closing' || (at === 'both' && isLater(reminder));
  return at === 'opening' || (at === 'both' && !due.some((one) => one.group === group && isLater(one)));
}

export function formatStepOfMember({step}: RunReminder, member: Id<'member'>): string {
  return `${step}:${suffixOf(member)}`;
}

/** The step of a requested reminder. Unlike other steps, it may be taken repeatedly. */
export const askedStep = 'asked';

/** The reminders of a run that must be sent, or recorded as missed, at an instant. */
export interface DueReminders {
  /** Reminders that are not sent any more: they are far too late, or a later one is due as well. */
  readonly overtaken: readonly RunReminder[];
  /** Reminders to send now. Each person gets at most one of the schedule, and one that was requested. */
  readonly due: readonly RunReminder[];
  /** The instant at which the next reminder is due (ms). */
  readonly next: number | undefined;
}

/** Sorts the reminders of a run into due, outdated and future ones. `open`: those not sent yet. */
export function findDueReminders(open: readonly RunReminder[], now: number): DueReminders {
  const ripe = open.filter(({at}) => at <= now);
  const later = open.filter(({at}) => at > now).map(({at}) => at);
  const overtaken = ripe.filter(
    (one) =>
      one.group.closes <= now ||
      now - one.at >= graceMs ||
      ripe.some((other) => isReminderSupersededBy(one, other)),
  );
  return {
    overtaken,
    due: ripe.filter((one) => !overtaken.includes(one)),
    next: later.length === 0 ? undefined : Math.min(...later),
  };
}

/**
 * True when a due reminder is not sent because another one is. Only the reminder nearest to closing is sent,
 * and a reminder that a person requested, since that person is told that it is sent.
 */
function isReminderSupersededBy(one: RunReminder, by: RunReminder): boolean {
  if (one.group !== by.group || by.minutes === null) return false;
  return one.minutes !== null && by.minutes < one.minutes;
}

/**
 * Returns the reminders that are recorded as missed. They belong to times at which the team wants reminders,
 * and nothing else is sent for the same instant.
 */
export function listMissedReminders({overtaken, due}: DueReminders, promptAt: PromptAt): RunReminder[] {
  const isSent = ({group, at}: RunReminder) => due.some((one) => one.group === group && one.at === at);
  return overtaken.filter(
    (one) => one.moment !== 'asked' && (promptAt === 'both' || promptAt === one.moment) && !isSent(one),
  );
}

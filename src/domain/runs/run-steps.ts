import {suffixOf, type Id} from '../core/ids.js';
import type {PromptMoment} from '../prompts/prompt.js';
import {graceMs, type Run} from './run.js';
import {type PromptAt, type Schedule, type Window, runWindowOf} from '../schedules/schedule.js';
import type {Zones} from '../core/zones.js';

/** The run of one date over all time zones of its people; in ms. */
export interface RunSpan {
  /** For the first zone, and for the last. */
  readonly opens: number;
  readonly opensLast: number;
  readonly closes: number;
}

/** `timezones` has at least one. */
export function runSpanOf(
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

/** People with the same instants for the opening, the reminders and the closing of a run. */
export interface RunGroup extends Window {
  /** Ids. */
  readonly members: readonly Id<'member'>[];
}

/** The parts of a run that determine when it is open for each person. */
type RunTiming = Pick<Run, 'date' | 'timezone' | 'schedule' | 'opens_at' | 'closes_at' | 'participants'>;

export function timeZoneGroupsOf(run: RunTiming, zones: Zones): RunGroup[] {
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

/** One reminder of a run, or its opening, for the people who get it at the same instant. */
export interface RunReminder {
  readonly moment: PromptMoment;
  /** Minutes before closing; null for an opening, and for a reminder that a person asked for. */
  readonly minutes: number | null;
  /** When it is due (ms). */
  readonly at: number;
  readonly group: RunGroup;
  /** The step that is taken when all of them have been reminded. */
  readonly step: string;
}

/** The openings, the reminders of the schedule, and the one that a person asked for at an instant (ms). */
export function remindersOf(run: RunTiming, asked: number | undefined, zones: Zones): RunReminder[] {
  return timeZoneGroupsOf(run, zones).flatMap((group) => {
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
 * True when a reminder is for people who chose these times. An opening and a reminder that are `due` together
 * are one.
 */
export function isReminderFor(reminder: RunReminder, at: PromptAt, due: readonly RunReminder[]): boolean {
  const {moment, group} = reminder;
  if (moment === 'asked') return true;
  const isLater = (one: RunReminder) => one.moment === 'before_closing' && one.at > group.opens;
  if (moment === 'before_closing') return at === 'before_closing' || (at === 'both' && isLater(reminder));
  return at === 'opening' || (at === 'both' && !due.some((one) => one.group === group && isLater(one)));
}

/** The step of reminding one person. */
export function stepOfMember({step}: RunReminder, member: Id<'member'>): string {
  return `${step}:${suffixOf(member)}`;
}

/** The step of asking for a reminder: taken again each time. */
export const askedStep = 'asked';

/** The reminders of a run that need something done at an instant. */
export interface DueReminders {
  /** Reminders that are no longer sent: far too late, or overtaken by another that is due. */
  readonly overtaken: readonly RunReminder[];
  /** Reminders to send now: at most one of the schedule for each person, and one that was asked for. */
  readonly due: readonly RunReminder[];
  /** When the next one will be due (ms). */
  readonly next: number | undefined;
}

/** `open`: the reminders that have not been taken. */
export function dueReminders(open: readonly RunReminder[], now: number): DueReminders {
  const ripe = open.filter(({at}) => at <= now);
  const later = open.filter(({at}) => at > now).map(({at}) => at);
  const overtaken = ripe.filter(
    (one) =>
      one.group.closes <= now || now - one.at >= graceMs || ripe.some((other) => isSupersededBy(one, other)),
  );
  return {
    overtaken,
    due: ripe.filter((one) => !overtaken.includes(one)),
    next: later.length === 0 ? undefined : Math.min(...later),
  };
}

/**
 * Among several due reminders the one nearest to closing is sent. One that a person asked for is sent too,
 * since they are notified when that is done.
 */
function isSupersededBy(one: RunReminder, by: RunReminder): boolean {
  if (one.group !== by.group || by.minutes === null) return false;
  return one.minutes !== null && by.minutes < one.minutes;
}

/**
 * The reminders that are recorded as missed: at times at which the team asks, and not at the very instant of
 * one that is sent.
 */
export function missedReminders({overtaken, due}: DueReminders, promptAt: PromptAt): RunReminder[] {
  const isSent = ({group, at}: RunReminder) => due.some((one) => one.group === group && one.at === at);
  return overtaken.filter(
    (one) => one.moment !== 'asked' && (promptAt === 'both' || promptAt === one.moment) && !isSent(one),
  );
}

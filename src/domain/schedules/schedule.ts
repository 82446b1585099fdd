import {z} from 'zod';
import {addDays, findWeekday, type Weekday, weekdays} from '../core/dates.js';
import {limits} from '../core/limits.js';
import {clockTime, date, type Infer, oneOf, open} from '../core/schemas.js';
import {parseMinuteOfDay, type Zones} from '../core/zones.js';

const day = oneOf(weekdays);

/** The default reminder, in minutes before closing. */
const usualReminder = 30;

const closes = clockTime.meta({
  description:
    'The closing time. A time before `opens` is on the next day: a run can cross midnight. It cannot equal `opens`.',
  examples: ['11:00'],
});

const minutesBefore = z
  .int()
  .min(1, 'must be at least 1 minute before closing')
  .max(1_439, 'must be less than a day before closing');

const reminders = z
  .array(minutesBefore)
  .max(limits.remindersPerRun, `has at most ${limits.remindersPerRun} reminders`)
  .refine((minutes) => new Set(minutes).size === minutes.length, 'has the same minute twice')
  .meta({
    uniqueItems: true,
    description: 'Minutes before closing at which those who have not posted are reminded.',
    examples: [[60, 15]],
  });

const clock = z.enum(['team', 'member'], 'must be "team" or "member"').meta({
  description:
    "The time zone of the times. `team`: the team's zone. `member`: each member's own zone, or the team's if they have none.",
});

/** The last accepted date. It leaves room for later runs, since dates after 9999 do not fit `YYYY-MM-DD`. */
const lastDate = '8999-12-31';

export const scheduleDate = date.refine((value) => value <= lastDate, `must not be after ${lastDate}`);

const startsOn = scheduleDate.meta({description: 'The first date. Weeks are counted from its week.'});

const times = {
  opens: clockTime.meta({description: 'The opening time, on the date of the run.'}),
  closes,
  clock,
};

const weekly = {
  frequency: z.literal('weekly'),
  interval: z
    .int()
    .min(1, 'must be at least 1 week')
    .max(limits.scheduleInterval, `must be at most ${limits.scheduleInterval} weeks`)
    .meta({description: 'The number of weeks between runs, counted from the week of `starts_on`.'}),
  days: z
    .array(day)
    .min(1, 'has at least one day')
    .max(weekdays.length, `has at most ${weekdays.length} days`)
    .refine((days) => new Set(days).size === days.length, 'has the same day twice')
    .meta({uniqueItems: true, examples: [['mon', 'tue', 'wed', 'thu', 'fri']]}),
};

const nth = [1, 2, 3, 4, -1] as const;
const monthly = {
  frequency: z.literal('monthly'),
  nth: z
    .literal(nth, 'must be 1, 2, 3, 4 or -1')
    .meta({description: 'Which of these weekdays in each month: 1 is the first, and -1 is the last.'}),
  day,
};

const shown = {...times, reminders: z.array(z.int()), starts_on: startsOn};

export const scheduleSchema = z
  .discriminatedUnion('frequency', [
    z.object({...weekly, days: z.array(open<Weekday>()), ...shown}),
    z.object({...monthly, ...shown}),
  ])
  .meta({
    id: 'Schedule',
    type: 'object',
    description: "When a team's runs open, remind and close, in local time.",
  });

const given = {
  ...times,
  clock: clock.optional().meta({
    description: "The time zone of the times: the team's, or each member's own. The default is `team`.",
  }),
  reminders: reminders.optional().meta({
    description: `The minutes before closing at which members who have not posted are reminded. The default is ${usualReminder}, or none if a run is open for less than that.`,
  }),
  starts_on: startsOn
    .optional()
    .meta({description: "The first date. The default is today in the team's zone."}),
};

const timesOf = z.object({opens: clockTime, closes: clockTime});

/** True if the times can be compared, even if something else is wrong. */
function hasValidTimes({value}: {value: unknown}): boolean {
  return timesOf.safeParse(value).success;
}

export const newScheduleSchema = z
  .discriminatedUnion('frequency', [
    z.strictObject({...weekly, interval: weekly.interval.optional(), ...given}),
    z.strictObject({...monthly, ...given}),
  ])
  .superRefine(
    (schedule, context) => {
      const longest = countMinutesRunIsOpen(schedule);
      const {reminders: asked} = schedule;
      const tooEarly = Array.isArray(asked) ? asked.findIndex((minutes) => minutes > longest) : -1;
      if (schedule.opens === schedule.closes) {
        context.addIssue({code: 'custom', path: ['closes'], message: 'must differ from `opens`'});
      } else if (tooEarly >= 0) {
        const message = `must be at most ${longest} minutes before closing, when the run opens`;
        context.addIssue({code: 'custom', path: ['reminders', tooEarly], message});
      }
    },
    {when: hasValidTimes},
  )
  .meta({id: 'NewSchedule', type: 'object', description: 'The fields of a new schedule.'});

/** The times at which a team's runs open, remind and close, as a subset of RFC 5545. All times are local. */
export type Schedule = Infer<typeof scheduleSchema>;

/** A schedule in a request. */
export type NewSchedule = Infer<typeof newScheduleSchema>;

/** Returns the schedule with defaults for missing fields. `today` is in the team's time zone. */
export function completeSchedule(given: NewSchedule, today: string): Schedule {
  const {opens, closes, reminders = listUsualReminders(given), clock = 'team', starts_on = today} = given;
  const times = {opens, closes, reminders: reminders.toSorted((a, b) => b - a), clock, starts_on};
  if (given.frequency === 'monthly') return {frequency: 'monthly', nth: given.nth, day: given.day, ...times};
  const days = weekdays.filter((day) => given.days.includes(day));
  return {frequency: 'weekly', interval: given.interval ?? 1, days, ...times};
}

/** The schedule that forms suggest for a team without one. The fields that it leaves out have their defaults. */
export const suggestedSchedule = {
  frequency: 'weekly',
  days: ['mon', 'tue', 'wed', 'thu', 'fri'],
  opens: '09:00',
  closes: '11:00',
} as const satisfies NewSchedule;

/** Returns the default reminders. A run that is open for less time has none. */
export function listUsualReminders(times: Pick<Schedule, 'opens' | 'closes'>): readonly number[] {
  return countMinutesRunIsOpen(times) < usualReminder ? [] : [usualReminder];
}

/** Returns for how many minutes a run is open. 0, which is not allowed: it closes as it opens. */
export function countMinutesRunIsOpen({opens, closes}: Pick<Schedule, 'opens' | 'closes'>): number {
  return (parseMinuteOfDay(closes) - parseMinuteOfDay(opens) + 1_440) % 1_440;
}

export const latePolicySchema = z
  .discriminatedUnion('accept', [
    z.strictObject({accept: z.literal('always')}),
    z.strictObject({accept: z.literal('never')}),
    z.strictObject({
      accept: z.literal('until'),
      minutes: z
        .int()
        .min(1, 'must be at least 1 minute')
        .max(limits.lateMinutes, `must be at most ${limits.lateMinutes} minutes`)
        .meta({description: 'The number of minutes after closing.', examples: [30]}),
    }),
  ])
  .meta({
    id: 'LatePolicy',
    type: 'object',
    description: 'Whether a closed run accepts standups. They are marked late.',
    examples: [{accept: 'until', minutes: 30}],
  });

/** The time for which a closed run still accepts late standups. */
export type LatePolicy = Infer<typeof latePolicySchema>;

export const promptTimes = ['opening', 'before_closing', 'both'] as const;

export const promptAt = oneOf(promptTimes).meta({
  description:
    'When members are asked for their standup in Slack: `opening`, when the run opens; `before_closing`, at the `reminders` of the schedule; `both`. A member can choose their own setting.',
});

export type PromptAt = Infer<typeof promptAt>;

/** The instants (ms) at which a run opens, reminds and closes for people in the same time zone. */
export interface Window {
  readonly opens: number;
  readonly closes: number;
  /** The reminders in the order of the schedule. None is before the opening. */
  readonly reminders: readonly number[];
}

/** Returns the instants (ms) at which a person who chose these times is asked in a run. */
export function listPromptInstants({opens, reminders}: Window, at: PromptAt): readonly number[] {
  if (at === 'before_closing') return reminders;
  return at === 'opening' ? [opens] : [opens, ...reminders.filter((due) => due > opens)];
}

export function isRunDay(schedule: Schedule, date: string): boolean {
  if (date < schedule.starts_on) return false;
  const day = findWeekday(date);
  if (schedule.frequency === 'monthly')
    return day === schedule.day && isNthWeekdayOfMonth(date, schedule.nth);
  if (!schedule.days.includes(day)) return false;
  const weeks = (computeMondayDayNumber(date) - computeMondayDayNumber(schedule.starts_on)) / 7;
  return weeks % schedule.interval === 0;
}

/** Returns the first run date on or after `from`. It is always less than two years ahead. */
export function findNextRunDay(schedule: Schedule, from: string): string {
  let date = from < schedule.starts_on ? schedule.starts_on : from;
  while (!isRunDay(schedule, date)) date = addDays(date, 1);
  return date;
}

/** Returns the times of a date's run in one time zone. */
export function runWindowOf(schedule: Schedule, date: string, timezone: string, zones: Zones): Window {
  const minutes = parseMinuteOfDay(schedule.closes) - parseMinuteOfDay(schedule.opens);
  const overnight = minutes <= 0;
  const opens = zones.instantOf(timezone, date, schedule.opens);
  const closing = zones.instantOf(timezone, overnight ? addDays(date, 1) : date, schedule.closes);
  // A clock change may skip both times, which would leave no time for the run.
  const closes = closing > opens ? closing : opens + minutes * minuteMs;
  return {
    opens,
    closes,
    reminders: schedule.reminders.map((minutes) => Math.max(opens, closes - minutes * minuteMs)),
  };
}

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** Returns the Monday of a date's week, in days since the epoch. */
function computeMondayDayNumber(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / dayMs - weekdays.indexOf(findWeekday(date));
}

function isNthWeekdayOfMonth(date: string, nth: number): boolean {
  const month = date.slice(0, 7);
  if (nth === -1) return !addDays(date, 7).startsWith(month);
  return Math.ceil(Number(date.slice(8)) / 7) === nth;
}

import type {NewSchedule, Team, TeamChange} from '../api/schema.ts';
import {dayHours} from './clocks.ts';
import type {Fact} from './section.tsx';
import {formatCity, formatDayLong, formatHourOfDay, formatList, formatTime} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {newSchedule} from './new-team.ts';
import type {SectionOf} from './use-section.ts';

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];
export const nths = ['1', '2', '3', '4', '-1'] as const;
export type Nth = (typeof nths)[number];

/** Form fields of a schedule. A field that its frequency does not use keeps its value for a change back. */
export interface ScheduleDraft {
  readonly kind: 'none' | 'weekly' | 'monthly';
  readonly interval: number;
  readonly days: readonly Weekday[];
  readonly nth: Nth;
  readonly day: Weekday;
  readonly opens: string;
  readonly closes: string;
  readonly clock: 'team' | 'member';
  readonly reminders: readonly number[];
  /** First day of the schedule; null if the schedule starts on the day on which it is saved. */
  readonly startsOn: string | null;
  readonly promptAt: Team['prompt_at'];
  readonly paused: boolean;
}

const first = {
  ...newSchedule,
  nth: '1',
  day: 'mon',
  startsOn: null,
} as const satisfies Partial<ScheduleDraft>;

export const scheduleSection: SectionOf<ScheduleDraft> = {
  name: 'schedule',
  read: ({schedule, prompt_at: promptAt, paused}) => {
    const own = {promptAt, paused};
    if (schedule === null) return {kind: 'none', ...first, ...own};
    const {opens, closes, clock, reminders, starts_on: startsOn} = schedule;
    const times = {...first, opens, closes, clock, reminders, startsOn, ...own};
    return schedule.frequency === 'weekly'
      ? {kind: 'weekly', ...times, interval: schedule.interval, days: sortWeekdays(schedule.days)}
      : {kind: 'monthly', ...times, nth: toNthChoice(schedule.nth), day: schedule.day};
  },
  write: (draft): TeamChange => ({
    schedule: toSchedule(draft),
    prompt_at: draft.promptAt,
    paused: draft.paused,
  }),
};

/** Converts a draft to the API's schedule; null for no schedule. */
export function toSchedule(draft: ScheduleDraft): NewSchedule | null {
  const {kind, interval, days, nth, day, opens, closes, clock, reminders, startsOn} = draft;
  const times = {opens, closes, clock, reminders: [...reminders], ...(startsOn && {starts_on: startsOn})};
  if (kind === 'none') return null;
  return kind === 'weekly'
    ? {frequency: 'weekly', interval, days: [...days], ...times}
    : {frequency: 'monthly', nth: parseNumber(nth), day, ...times};
}

/** Describes the schedule for people who may only read it. */
export function describeSchedule(draft: ScheduleDraft, timezone: string): readonly Fact[] {
  const t = texts.team.schedule;
  const paused: readonly Fact[] = draft.paused ? [[t.facts.paused, texts.team.yes]] : [];
  if (draft.kind === 'none') return [[t.facts.when, t.kinds.none], ...paused];
  const named = (day: Weekday): string => t.weekdays[day];
  return [
    [
      t.facts.when,
      draft.kind === 'weekly'
        ? t.facts.weekly({days: formatList(draft.days.map(named)), interval: draft.interval})
        : t.facts.monthly({nth: t.nths[draft.nth], day: named(draft.day)}),
    ],
    [
      t.facts.open,
      t.facts.span({
        opens: formatClockTime(draft.opens),
        closes: formatTimeOnDay(draft.closes, draft.closes <= draft.opens ? 1 : 0),
      }),
    ],
    [t.clock, draft.clock === 'team' ? t.clocks.team({zone: formatCity(timezone)}) : t.clocks.member],
    [t.reminders, draft.reminders.map((minutes) => t.before({minutes})).join('\n') || t.noReminders],
    [t.promptAt, t.promptTimes[draft.promptAt]],
    ...(draft.startsOn === null ? [] : [[t.startsOn, formatDayLong(draft.startsOn)] as const]),
    ...paused,
  ];
}

/** Formats a time of day by the viewer's locale: `09:00` or `9:00 AM`. */
export function formatClockTime(time: string): string {
  return /^\d\d:\d\d$/.test(time) ? formatTime(`1970-01-01T${time}Z`, 'UTC') : time;
}

/** Formats a time that is `days` days after the date of its run. */
export function formatTimeOnDay(time: string, days: number): string {
  const {dayBefore, dayAfter} = texts.team.preview;
  if (days === 0) return formatClockTime(time);
  return (days < 0 ? dayBefore : dayAfter)({time: formatClockTime(time)});
}

/** Describes times outside the usual hours, such as `outside 7 AM to 8 PM`. */
export function describeOddHours(): string {
  return texts.team.odd({from: formatHourOfDay(dayHours.from), to: formatHourOfDay(dayHours.to)});
}

export function sortWeekdays(days: readonly string[]): readonly Weekday[] {
  return weekdays.filter((day) => days.includes(day));
}

function toNthChoice(nth: number): Nth {
  return nths.find((one) => Number(one) === nth) ?? '1';
}

function parseNumber(nth: Nth): 1 | 2 | 3 | 4 | -1 {
  const numbers = {'1': 1, '2': 2, '3': 3, '4': 4, '-1': -1} as const;
  return numbers[nth];
}

import {addDays, toInstant} from '../core/dates.js';
import {
  listPromptInstants,
  findNextRunDay,
  type PromptAt,
  type Schedule,
  type Window,
  runWindowOf,
} from './schedule.js';
import {findPromptTime, type ReminderChoice} from '../workspaces/workspace.js';
import type {Zones} from '../core/zones.js';
import type {Id} from '../core/ids.js';

/** The future runs of a team by its schedule. */
export interface SchedulePreview {
  readonly object: 'schedule_preview';
  readonly team: string;
  readonly team_id: Id<'team'>;
  readonly timezone: string;
  /** The reason why there are no future runs; null if there are some. */
  readonly reason: 'no_schedule' | 'paused' | null;
  /** The runs, the earliest first. */
  readonly runs: readonly PreviewedRun[];
}

export interface PreviewedRun extends PreviewedWindow {
  readonly date: string;
  readonly members: readonly PreviewedMember[];
}

export interface PreviewedMember extends PreviewedWindow {
  readonly id: Id<'member'>;
  readonly name: string;
  /** The person's time zone, or the team's for people without one. */
  readonly timezone: string;
}

export interface PreviewedWindow {
  /** The instants of opening and closing. */
  readonly opens_at: string;
  readonly closes_at: string;
  readonly reminders_at: readonly string[];
  /**
   * The instants at which people are asked in Slack: at the opening, at reminders, or at both. The team and
   * each member can choose.
   */
  readonly asked_at: readonly string[];
  /** The same times on the person's clock, such as `2026-11-23T09:30`. */
  readonly local: {readonly opens: string; readonly closes: string; readonly reminders: readonly string[]};
}

/** A person in a future run. A null `timezone` means the team's. */
export interface PreviewedPerson {
  readonly id: Id<'member'>;
  readonly name: string;
  readonly timezone: string | null;
  readonly reminders: Pick<ReminderChoice, 'enabled' | 'prompt_at'>;
}

/** The largest number of people in a preview, counted for each run. Large teams get fewer runs. */
const mostLines = 5_000;

/**
 * Yields the runs of a schedule: those from the date `from` on, or without `from` those that still open after
 * `now` (ms) for someone. People whose time for a run is over are left out. If the schedule uses each
 * member's time zone, a run opens with its first person and closes with its last. Times are shown in each
 * person's own zone. Runs come one at a time, so that the caller can let other work run in between.
 */
export function* generateRunPreviews(
  schedule: Schedule,
  people: readonly PreviewedPerson[],
  asked: {
    readonly timezone: string;
    /** The times of a run at which the team wants its members to be asked. */
    readonly prompt_at: PromptAt;
    readonly from?: string | undefined;
    /** Dates that already have a run, and get no other. */
    readonly taken?: ReadonlySet<string>;
    readonly now: number;
    readonly limit: number;
  },
  zones: Zones,
): Generator<PreviewedRun, void> {
  const {timezone, from, now} = asked;
  const limit = Math.max(1, Math.min(asked.limit, Math.floor(mostLines / Math.max(1, people.length))));
  const clocksOf = (person: PreviewedPerson) =>
    schedule.clock === 'team' ? timezone : (person.timezone ?? timezone);
  const timesOf = (person: PreviewedPerson, window: Window | undefined): readonly number[] =>
    window === undefined || !person.reminders.enabled
      ? []
      : listPromptInstants(window, findPromptTime(person, asked));
  let made = 0;
  // Far west of UTC, a run opens on the day after its date. One more day is added to be safe.
  let date = from ?? addDays(zones.dayIn('UTC', now), -2);
  while (made < limit) {
    date = findNextRunDay(schedule, date);
    const windows = new Map<string, Window>();
    for (const clocks of people.length === 0 ? [timezone] : new Set(people.map(clocksOf))) {
      windows.set(clocks, runWindowOf(schedule, date, clocks, zones));
    }
    if (
      from !== undefined ||
      (isRunStillAhead([...windows.values()], now) && asked.taken?.has(date) !== true)
    ) {
      // A person is left out of a run that is already over for them when they join, or when the schedule is
      // made.
      const counting = new Map([...windows].filter(([, {closes}]) => from !== undefined || closes > now));
      // Most people have the same time zone and reminder times, so their results are shared.
      const shown = new Map<string, PreviewedWindow>();
      const showTo = (person: PreviewedPerson, window: Window, own: string): PreviewedWindow => {
        const times = timesOf(person, window);
        const alike = `${clocksOf(person)} ${own} ${times.join()}`;
        const kept = shown.get(alike) ?? createPreviewInZone(window, times, own, zones);
        shown.set(alike, kept);
        return kept;
      };
      const members = people.flatMap((person) => {
        const window = counting.get(clocksOf(person));
        const own = person.timezone ?? timezone;
        return window === undefined
          ? []
          : [
              {
                id: person.id,
                name: person.name,
                timezone: own,
                ...showTo(person, window, own),
              },
            ];
      });
      const span = mergeWindows([...counting.values()]);
      const times =
        people.length === 0
          ? listPromptInstants(span, asked.prompt_at)
          : people.flatMap((person) => timesOf(person, counting.get(clocksOf(person))));
      made += 1;
      yield {date, ...createPreviewInZone(span, [...new Set(times)].toSorted(), timezone, zones), members};
    }
    date = addDays(date, 1);
  }
}

/**
 * True while a run that does not exist yet can still open: its opening for the last person has not passed.
 */
function isRunStillAhead(windows: readonly Window[], now: number): boolean {
  return windows.some(({opens}) => opens > now);
}

/** Returns the time from the first opening to the last closing, with all reminders. */
function mergeWindows(windows: readonly Window[]): Window {
  return {
    opens: Math.min(...windows.map(({opens}) => opens)),
    closes: Math.max(...windows.map(({closes}) => closes)),
    reminders: [...new Set(windows.flatMap(({reminders}) => reminders))].toSorted((a, b) => a - b),
  };
}

function createPreviewInZone(
  {opens, closes, reminders}: Window,
  asked: readonly number[],
  timezone: string,
  zones: Zones,
): PreviewedWindow {
  const local = (ms: number): string => {
    const {date, time} = zones.clockAt(timezone, ms);
    return `${date}T${time}`;
  };
  return {
    opens_at: toInstant(opens),
    closes_at: toInstant(closes),
    reminders_at: reminders.map(toInstant),
    asked_at: asked.map(toInstant),
    local: {opens: local(opens), closes: local(closes), reminders: reminders.map(local)},
  };
}

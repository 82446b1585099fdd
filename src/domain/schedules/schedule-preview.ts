import {addDays, toInstant} from '../core/dates.js';
import {
  promptInstants,
  nextRunDay,
  type PromptAt,
  type Schedule,
  type Window,
  runWindowOf,
} from './schedule.js';
import {promptTimeOf, type ReminderChoice} from '../workspaces/workspace.js';
import type {Zones} from '../core/zones.js';
import type {Id} from '../core/ids.js';

/** The runs of a team that are to come, by its schedule. */
export interface SchedulePreview {
  readonly object: 'schedule_preview';
  readonly team: string;
  readonly team_id: Id<'team'>;
  readonly timezone: string;
  /** The reason why no run is to come; null when there are some. */
  readonly reason: 'no_schedule' | 'paused' | null;
  /** The earliest first. */
  readonly runs: readonly PreviewedRun[];
}

export interface PreviewedRun extends PreviewedWindow {
  readonly date: string;
  readonly members: readonly PreviewedMember[];
}

export interface PreviewedMember extends PreviewedWindow {
  readonly id: Id<'member'>;
  readonly name: string;
  /** Their own zone, or the team's for people who have none. */
  readonly timezone: string;
}

export interface PreviewedWindow {
  /** Instants. */
  readonly opens_at: string;
  readonly closes_at: string;
  readonly reminders_at: readonly string[];
  /**
   * The instants at which people are asked in Slack: the opening, the reminders, or both, as the team and
   * each member have chosen.
   */
  readonly asked_at: readonly string[];
  /** The same as wall-clock times: `2026-11-23T09:30`. */
  readonly local: {readonly opens: string; readonly closes: string; readonly reminders: readonly string[]};
}

/** A person that a run would concern. A null `timezone` means the team's. */
export interface PreviewedPerson {
  readonly id: Id<'member'>;
  readonly name: string;
  readonly timezone: string | null;
  readonly reminders: Pick<ReminderChoice, 'enabled' | 'prompt_at'>;
}

/** A preview names at most so many people, counted for each run: a large team gets fewer runs. */
const mostLines = 5_000;

/**
 * The runs of a schedule. With `from` these are the runs of that date and later. Without it they are the runs
 * that are still to open after `now` (ms) for at least the last of their people; people whose own time for
 * the run is over are left out. A run opens with the first of its people and closes with the last where they
 * go by their own clocks. Each person's times are always shown in their own zone. It yields one run at a
 * time, since all runs of a large team take long: the caller lets other work run in between.
 */
export function* previewRuns(
  schedule: Schedule,
  people: readonly PreviewedPerson[],
  asked: {
    readonly timezone: string;
    /** When the team asks. */
    readonly prompt_at: PromptAt;
    readonly from?: string | undefined;
    /** Dates that already have a run, however it was opened: they get no other. */
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
      : promptInstants(window, promptTimeOf(person, asked));
  let made = 0;
  // Far west of UTC a run opens there on the day after its date; one day more to be safe.
  let date = from ?? addDays(zones.dayIn('UTC', now), -2);
  while (made < limit) {
    date = nextRunDay(schedule, date);
    const windows = new Map<string, Window>();
    for (const clocks of people.length === 0 ? [timezone] : new Set(people.map(clocksOf))) {
      windows.set(clocks, runWindowOf(schedule, date, clocks, zones));
    }
    if (from !== undefined || (isStillAhead([...windows.values()], now) && asked.taken?.has(date) !== true)) {
      // A run that is over by a person's clocks when they join it, or when the schedule is made, is not
      // theirs.
      const counting = new Map([...windows].filter(([, {closes}]) => from !== undefined || closes > now));
      // Most people share their clocks and the times at which they are asked.
      const shown = new Map<string, PreviewedWindow>();
      const showTo = (person: PreviewedPerson, window: Window, own: string): PreviewedWindow => {
        const times = timesOf(person, window);
        const alike = `${clocksOf(person)} ${own} ${times.join()}`;
        const kept = shown.get(alike) ?? previewInZone(window, times, own, zones);
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
          ? promptInstants(span, asked.prompt_at)
          : people.flatMap((person) => timesOf(person, counting.get(clocksOf(person))));
      made += 1;
      yield {date, ...previewInZone(span, [...new Set(times)].toSorted(), timezone, zones), members};
    }
    date = addDays(date, 1);
  }
}

/**
 * A run that does not exist yet will open at once, until it is past its opening for the last of its people.
 */
function isStillAhead(windows: readonly Window[], now: number): boolean {
  return windows.some(({opens}) => opens > now);
}

/** From the first opening to the last closing, with all instants of reminders. */
function mergeWindows(windows: readonly Window[]): Window {
  return {
    opens: Math.min(...windows.map(({opens}) => opens)),
    closes: Math.max(...windows.map(({closes}) => closes)),
    reminders: [...new Set(windows.flatMap(({reminders}) => reminders))].toSorted((a, b) => a - b),
  };
}

function previewInZone(
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

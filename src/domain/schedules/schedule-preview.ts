import {addDays, toInstant} from '../core/dates.js';
import {askedTimes, nextRunDay, type PromptAt, type Schedule, type Window, windowOf} from './schedule.js';
import {promptTimeOf, type ReminderChoice} from '../workspaces/workspace.js';
import type {Zones} from '../core/zones.js';
import type {Id} from '../core/ids.js';

/** The runs of a team that are to come, as its schedule has them. */
export interface SchedulePreview {
  readonly object: 'schedule_preview';
  readonly team: string;
  readonly team_id: Id<'team'>;
  readonly timezone: string;
  /** Why there is no run to come; null when there are some. */
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
  /** Theirs; the team's for those who have none. */
  readonly timezone: string;
}

export interface PreviewedWindow {
  /** Instants. */
  readonly opens_at: string;
  readonly closes_at: string;
  readonly reminders_at: readonly string[];
  /**
   * When somebody is asked in Slack: at the opening, at the reminders, or at both, as the team and each
   * member say.
   */
  readonly asked_at: readonly string[];
  /** The same by the clocks on the wall: `2026-11-23T09:30`. */
  readonly local: {readonly opens: string; readonly closes: string; readonly reminders: readonly string[]};
}

/** Somebody whom a run would concern; null: they go by the team's clocks. */
export interface PreviewedPerson {
  readonly id: Id<'member'>;
  readonly name: string;
  readonly timezone: string | null;
  readonly reminders: Pick<ReminderChoice, 'enabled' | 'prompt_at'>;
}

/** A preview names at most so many people, those of each run counted: of a large team it has fewer runs. */
const mostLines = 5_000;

/**
 * The runs of a schedule: those of dates from `from` on, or without it those that are to open after `now`
 * (ms), for the last of their people at least and with those for whom they are not over. A run opens with
 * the first of its people and closes with the last where they go by their own clocks; each is shown by
 * their own clocks in any case. One at a time, since all of a large team take long: who asks lets others go on
 * in between.
 */
export function* previewRuns(
  schedule: Schedule,
  people: readonly PreviewedPerson[],
  asked: {
    readonly timezone: string;
    /** When the team asks. */
    readonly prompt_at: PromptAt;
    readonly from?: string | undefined;
    /** Dates that have a run already, whatever opened it: there is no other. */
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
    window === undefined || !person.reminders.enabled ? [] : askedTimes(window, promptTimeOf(person, asked));
  let made = 0;
  // Far west of UTC a run opens there on the day after its date; one day more to be safe.
  let date = from ?? addDays(zones.dayIn('UTC', now), -2);
  while (made < limit) {
    date = nextRunDay(schedule, date);
    const windows = new Map<string, Window>();
    for (const clocks of people.length === 0 ? [timezone] : new Set(people.map(clocksOf))) {
      windows.set(clocks, windowOf(schedule, date, clocks, zones));
    }
    if (from !== undefined || (isToCome([...windows.values()], now) && asked.taken?.has(date) !== true)) {
      // Who joins a run, or gets a schedule, when it is over by their clocks is not in it.
      const counting = new Map([...windows].filter(([, {closes}]) => from !== undefined || closes > now));
      // Most people share their clocks, and when they are asked.
      const shown = new Map<string, PreviewedWindow>();
      const showTo = (person: PreviewedPerson, window: Window, own: string): PreviewedWindow => {
        const times = timesOf(person, window);
        const alike = `${clocksOf(person)} ${own} ${times.join()}`;
        const kept = shown.get(alike) ?? shownBy(window, times, own, zones);
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
      const span = spanOf([...counting.values()]);
      const times =
        people.length === 0
          ? askedTimes(span, asked.prompt_at)
          : people.flatMap((person) => timesOf(person, counting.get(clocksOf(person))));
      made += 1;
      yield {date, ...shownBy(span, [...new Set(times)].toSorted(), timezone, zones), members};
    }
    date = addDays(date, 1);
  }
}

/** Until it has opened for the last of its people a run that is not there yet will be, at once. */
function isToCome(windows: readonly Window[], now: number): boolean {
  return windows.some(({opens}) => opens > now);
}

/** From the first opening to the last closing, with every instant at which somebody is reminded. */
function spanOf(windows: readonly Window[]): Window {
  return {
    opens: Math.min(...windows.map(({opens}) => opens)),
    closes: Math.max(...windows.map(({closes}) => closes)),
    reminders: [...new Set(windows.flatMap(({reminders}) => reminders))].toSorted((a, b) => a - b),
  };
}

function shownBy(
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

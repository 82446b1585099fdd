import {z} from 'zod';
import {date, id, type Infer, instant, open} from '../core/schemas.js';
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

const localTime = z.string().meta({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}$',
  examples: ['2026-11-23T09:30'],
  description: 'The local date and time.',
});

const window = {
  opens_at: instant,
  closes_at: instant,
  reminders_at: z.array(instant).meta({description: 'The times of the reminders of the schedule.'}),
  asked_at: z.array(instant).meta({
    description:
      'When the member is asked in Slack: at the opening, at the reminders, or at both, by the settings of the team (`prompt_at`) and the member. Empty for members with reminders off.',
  }),
  local: z.object({
    opens: localTime,
    closes: localTime.meta({...localTime.meta(), examples: ['2026-11-23T11:00']}),
    reminders: z.array(localTime),
  }),
};

const previewedMemberSchema = z
  .object({
    id: id('member'),
    name: z.string(),
    timezone: z.string().meta({description: "The time zone of the member, or the team's if they have none."}),
    ...window,
  })
  .meta({
    id: 'PreviewedMember',
    description:
      "The times of a run for one of the team's members. The instants differ between members if the schedule uses their own zones.",
  });

const previewedRunSchema = z
  .object({
    date,
    ...window,
    members: z.array(previewedMemberSchema).meta({description: 'The members, by name.'}),
  })
  .meta({
    id: 'PreviewedRun',
    description:
      "A future run, from its opening for the first to its closing for the last of its members. `local` is in the team's zone.",
  });

export const schedulePreviewSchema = z
  .object({
    object: z.literal('schedule_preview'),
    team: z.string(),
    team_id: id('team'),
    timezone: z.string(),
    reason: open<'no_schedule' | 'paused'>()
      .nullable()
      .meta({
        examples: [null],
        description: 'Why there is no run: `no_schedule` or `paused`. Null if there are runs.',
      }),
    runs: z.array(previewedRunSchema).meta({description: 'The dates, the earliest first.'}),
  })
  .meta({
    id: 'SchedulePreview',
    description: 'The next runs of a team. They are computed for each request and not stored.',
  });

/** The future runs of a team by its schedule. */
export type SchedulePreview = Infer<typeof schedulePreviewSchema>;

export type PreviewedRun = SchedulePreview['runs'][number];
export type PreviewedMember = PreviewedRun['members'][number];
export type PreviewedWindow = Pick<PreviewedRun, keyof typeof window>;

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

/** True while a run that does not exist yet can still open for at least one person. */
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

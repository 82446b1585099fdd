import type {PreviewedRun, Schema} from '../api/schema.ts';
import {daysBetween} from '../parts/days.ts';
import {computeUtcOffset} from '../parts/utc-offset.ts';

/** The times of a run by the clocks of one time zone. */
export interface ClockLine {
  readonly zone: string;
  /** Local opening time, such as `09:00`. */
  readonly opens: string;
  readonly closes: string;
  /** Days from the run's date to the local date of the opening. `closesOn`: the same for the closing. */
  readonly opensOn: number;
  readonly closesOn: number;
  readonly reminders: readonly string[];
  readonly names: readonly string[];
  /** Whether the run opens or closes outside `dayHours` in this zone. */
  readonly isOdd: boolean;
}

/** Consecutive runs with the same local times in every zone. */
export interface ClockPhase {
  readonly kind: 'phase';
  readonly dates: readonly string[];
  readonly clocks: readonly ClockLine[];
}

/** A clock change that falls between two runs, and the local times that change with it in other zones. */
export interface ClockChange {
  readonly kind: 'change';
  readonly date: string;
  /** Size of the clock change in minutes; negative means back. */
  readonly minutes: number;
  readonly zones: readonly string[];
  readonly effects: readonly ClockEffect[];
}

export interface ClockEffect {
  readonly zone: string;
  readonly names: readonly string[];
  /** The local opening times before and after the clock change. */
  readonly before: string;
  readonly after: string;
}

/** The full hours between which most people work. */
export const dayHours = {from: 7, to: 20};

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** The first clock change of a zone between two instants (ms). */
export function findClockChange(
  zone: string,
  from: number,
  until: number,
): {readonly at: number; readonly minutes: number} | undefined {
  const offset = computeUtcOffset(zone, from);
  let before = from;
  // The offset stays changed for weeks, so steps of a week find every clock change.
  for (let at = Math.min(from + 7 * dayMs, until); ; at = Math.min(at + 7 * dayMs, until)) {
    if (computeUtcOffset(zone, at) !== offset) {
      let after = at;
      while (after - before > minuteMs) {
        const middle = Math.floor((before + after) / 2);
        if (computeUtcOffset(zone, middle) === offset) before = middle;
        else after = middle;
      }
      const instant = Math.floor(after / minuteMs) * minuteMs;
      return {at: instant, minutes: (computeUtcOffset(zone, after) - offset) / minuteMs};
    }
    before = at;
    if (at >= until) return undefined;
  }
}

/** The clock changes of all zones within a year, in order. */
export function listUpcomingClockChanges(
  zones: Iterable<string>,
  now: number,
): readonly {readonly date: string; readonly zones: readonly string[]; readonly minutes: number}[] {
  const found = [...new Set(zones)].flatMap((zone) => {
    const changes: FoundChange[] = [];
    const until = now + 366 * dayMs;
    for (let from = now; ; ) {
      const change = findClockChange(zone, from, until);
      if (change === undefined) return changes;
      changes.push({zone, minutes: change.minutes, date: dateInZoneAt(zone, change.at)});
      from = change.at;
    }
  });
  return groupClockChanges(found).toSorted((a, b) => a.date.localeCompare(b.date));
}

/** Divides previewed runs into phases with the same local times, separated by clock changes. */
export function splitIntoClockPhases({
  timezone,
  runs,
}: Pick<Schema<'SchedulePreview'>, 'timezone' | 'runs'>): readonly (ClockPhase | ClockChange)[] {
  const story: (ClockPhase | ClockChange)[] = [];
  let last: {run: PreviewedRun; phase: ClockPhase} | undefined;
  for (const run of runs) {
    const clocks = listClockLines(run, timezone);
    const changes = last === undefined ? [] : findClockEffects(last.run, run, last.phase.clocks, clocks);
    story.push(...changes);
    const isSame =
      last !== undefined &&
      changes.length === 0 &&
      buildLocalTimesKey(last.phase.clocks) === buildLocalTimesKey(clocks);
    const dates = isSame && last !== undefined ? [...last.phase.dates, run.date] : [run.date];
    const phase: ClockPhase = {kind: 'phase', dates, clocks};
    if (isSame) story.pop();
    story.push(phase);
    last = {run, phase};
  }
  return story;
}

/** The local times of a run in each zone: the team's zone first, then by local time. */
export function listClockLines(run: PreviewedRun, timezone: string): readonly ClockLine[] {
  const byZone = new Map<string, {names: string[]; local: PreviewedRun['local']}>();
  if (run.members.length === 0) byZone.set(timezone, {names: [], local: run.local});
  for (const {name, timezone: zone, local} of run.members) {
    const entry = byZone.get(zone);
    if (entry === undefined) byZone.set(zone, {names: [name], local});
    else entry.names.push(name);
  }
  const lines = [...byZone].map(([zone, {names, local}]) => toClockLine(run.date, zone, names, local));
  const rank = ({zone}: ClockLine): number => (zone === timezone ? 0 : 1);
  return lines.toSorted(
    (a, b) => rank(a) - rank(b) || a.opensOn - b.opensOn || a.opens.localeCompare(b.opens),
  );
}

function toClockLine(
  date: string,
  zone: string,
  names: readonly string[],
  local: PreviewedRun['local'],
): ClockLine {
  const [opens, closes] = [local.opens.slice(11), local.closes.slice(11)];
  const opensOn = daysBetween(date, local.opens.slice(0, 10));
  const closesOn = daysBetween(date, local.closes.slice(0, 10));
  const reminders = local.reminders.map((at) => at.slice(11));
  const isOdd =
    opens < localTimeAt(dayHours.from) || closes > localTimeAt(dayHours.to) || opensOn !== closesOn;
  return {zone, opens, closes, opensOn, closesOn, reminders, names, isOdd};
}

function findClockEffects(
  before: PreviewedRun,
  after: PreviewedRun,
  old: readonly ClockLine[],
  now: readonly ClockLine[],
): readonly ClockChange[] {
  const [from, until] = [Date.parse(before.opens_at), Date.parse(after.opens_at)];
  const found = now.flatMap(({zone}) => {
    const change = findClockChange(zone, from, until);
    return change === undefined ? [] : [{zone, minutes: change.minutes, date: dateInZoneAt(zone, change.at)}];
  });
  const changes = groupClockChanges(found).toSorted((a, b) => a.date.localeCompare(b.date));
  const effects = now.flatMap(({zone, names, opens}): ClockEffect[] => {
    const earlier = old.find((line) => line.zone === zone);
    return earlier === undefined || earlier.opens === opens || names.length === 0
      ? []
      : [{zone, names, before: earlier.opens, after: opens}];
  });
  // If several clock changes lie between two runs, show the effects of all of them at the last one.
  return changes.map((change, index) => ({
    kind: 'change',
    ...change,
    effects: index === changes.length - 1 ? effects : [],
  }));
}

interface FoundChange {
  readonly zone: string;
  readonly minutes: number;
  readonly date: string;
}

function groupClockChanges(found: readonly FoundChange[]) {
  const groups = new Map<string, {date: string; minutes: number; zones: string[]}>();
  for (const {zone, minutes, date} of found) {
    const key = `${date} ${minutes}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, {date, minutes, zones: [zone]});
    else group.zones.push(zone);
  }
  return [...groups.values()];
}

function buildLocalTimesKey(clocks: readonly ClockLine[]): string {
  return JSON.stringify(clocks);
}

function dateInZoneAt(zone: string, at: number): string {
  return new Date(at + computeUtcOffset(zone, at)).toISOString().slice(0, 10);
}

const localTimeAt = (hours: number): string => `${String(hours).padStart(2, '0')}:00`;

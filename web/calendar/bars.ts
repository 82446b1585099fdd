import type {Absence, Member} from '../api/schema.ts';
import {doRangesOverlap} from './dates.ts';
import type {Holiday} from './queries.ts';

/** A bar in the row of a person: an absence or a holiday. */
export interface Bar {
  readonly key: string;
  /** The status of a day: away, skipped or holiday. */
  readonly status: string;
  readonly text: string | null;
  /** First and last column of the bar, counted from 0. */
  readonly first: number;
  readonly last: number;
  /** The bar starts before the days shown, or continues after them. */
  readonly isOpenBefore: boolean;
  readonly isOpenAfter: boolean;
  /** Row of the bar, counted from 0; overlapping bars of a person are stacked. */
  readonly row: number;
  readonly absence?: Absence;
}

export interface PersonBars {
  readonly person: Member;
  readonly bars: readonly Bar[];
  readonly rowCount: number;
}

/** Priority on a day with several entries: an absence is above a skip, and a skip above a holiday. */
const ranks: Readonly<Record<string, number>> = {away: 0, skipped: 1, holiday: 2};

/** Bars for the days off of each person within the days shown. */
export function buildDayOffBars(
  people: readonly Member[],
  absences: readonly Absence[],
  holidaysOf: ReadonlyMap<string, readonly Holiday[]>,
  days: readonly string[],
): readonly PersonBars[] {
  const columns = new Map(days.map((day, i) => [day, i]));
  const byPerson = Map.groupBy(absences, ({member}) => member.id);
  return people.map((person) => {
    const own = (byPerson.get(person.id) ?? []).flatMap((absence) => buildDayOffBar(absence, days, columns));
    const holidays = (holidaysOf.get(person.id) ?? []).flatMap(({from, until, name}) => {
      const [first, last] = [columns.get(from), columns.get(until)];
      if (first === undefined || last === undefined) return [];
      const open = {isOpenBefore: false, isOpenAfter: false};
      return [{key: from, status: 'holiday', text: name, first, last, ...open}];
    });
    return {person, ...stackOverlappingBars([...own, ...holidays])};
  });
}

function buildDayOffBar(
  absence: Absence,
  days: readonly string[],
  columns: ReadonlyMap<string, number>,
): Omit<Bar, 'row'>[] {
  const {id, kind, from, until, reason: text} = absence;
  const [start = '', end = ''] = [days[0], days.at(-1)];
  if (!doRangesOverlap({from, until}, {from: start, until: end})) return [];
  const first = columns.get(from) ?? 0;
  const last = (until === null ? undefined : columns.get(until)) ?? days.length - 1;
  const open = {isOpenBefore: from < start, isOpenAfter: until === null || until > end};
  return [{key: id, status: findStatusOfDayOff(kind), text, first, last, ...open, absence}];
}

export function findStatusOfDayOff(kind: string): string {
  return kind === 'skip' ? 'skipped' : kind;
}

/** Puts each bar into the first row in which no other bar overlaps it. */
function stackOverlappingBars(bars: readonly Omit<Bar, 'row'>[]): {bars: Bar[]; rowCount: number} {
  const inOrder = bars.toSorted(
    (a, b) => (ranks[a.status] ?? 0) - (ranks[b.status] ?? 0) || a.first - b.first || b.last - a.last,
  );
  const used: boolean[][] = [];
  const stacked = inOrder.map((bar) => {
    const free = used.findIndex((row) => !row.slice(bar.first, bar.last + 1).some(Boolean));
    const row = free === -1 ? used.length : free;
    const days = (used[row] ??= []);
    for (let day = bar.first; day <= bar.last; day += 1) days[day] = true;
    return {...bar, row};
  });
  return {bars: stacked.toSorted((a, b) => a.first - b.first), rowCount: Math.max(1, used.length)};
}

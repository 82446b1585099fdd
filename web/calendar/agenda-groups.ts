import type {Absence} from '../api/schema.ts';
import {formatSpan} from '../texts/format.ts';
import type {PersonBars} from './bars.ts';

/** An entry of the list: an absence, or a holiday with everyone who has it. */
export interface Thing {
  readonly key: string;
  readonly status: string;
  readonly text: string | null;
  readonly span: string;
  readonly people: readonly {readonly id: string; readonly name: string}[];
  readonly absence?: Absence;
}

/** Groups a month's entries by first day. Entries from before the month come first, without a day. */
export function groupByFirstDay(
  rows: readonly PersonBars[],
  days: readonly string[],
): {readonly day: string | undefined; readonly things: readonly Thing[]}[] {
  const groups = new Map<string | undefined, Map<string, Thing>>();
  for (const {person, bars} of rows) {
    for (const bar of bars) {
      const day = bar.isOpenBefore ? undefined : days[bar.first];
      const group = groups.get(day) ?? new Map<string, Thing>();
      groups.set(day, group);
      const key = bar.absence?.id ?? `${bar.text} ${bar.last}`;
      const people = [...(group.get(key)?.people ?? []), {id: person.id, name: person.name}];
      const span =
        bar.absence === undefined
          ? formatSpan(day ?? '', days[bar.last] ?? '')
          : formatSpan(bar.absence.from, bar.absence.until);
      const {status, text, absence} = bar;
      group.set(key, {key, status, text, span, people, ...(absence && {absence})});
    }
  }
  return [...groups]
    .toSorted(([a = ''], [b = '']) => a.localeCompare(b))
    .map(([day, things]) => ({day, things: [...things.values()]}));
}

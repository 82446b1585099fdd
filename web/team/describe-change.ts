import {formatCity, formatDay, formatList, type Instant} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import type {ClockChange} from './clocks.ts';
import {formatClockTime} from './schedule-draft.ts';

const namesShown = 5;

function describeSpan(minutes: number): string {
  const {span} = texts.team.preview;
  return minutes % 60 === 0 ? span.hours({count: minutes / 60}) : span.minutes({count: minutes});
}

/** Lists the first few names, and says how many more there are. */
export function describeNames(names: readonly string[]): string {
  const shown = names.slice(0, namesShown);
  const more = names.length - shown.length;
  return texts.team.preview.names({names: more === 0 ? formatList(shown) : shown.join(', '), more});
}

/** Describes a clock change, then its effects. Names the year only if it differs from the current year. */
export function describeChange(
  {date, minutes, zones, effects}: ClockChange,
  now: Instant = Date.now(),
): readonly string[] {
  const t = texts.team.preview;
  const day = formatDay(date, {weekday: 'long', now});
  const what = (minutes < 0 ? t.back : t.forward)({
    day,
    cities: formatList(zones.map(formatCity)),
    span: describeSpan(Math.abs(minutes)),
  });
  if (effects.length === 0) return [what, t.noEffect];
  return [
    what,
    ...effects.map(({zone, names, before, after}) => {
      const people = describeNames(names);
      return t.effect({
        city: formatCity(zone),
        names: people,
        before: formatClockTime(before),
        after: formatClockTime(after),
      });
    }),
  ];
}

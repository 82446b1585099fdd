import {formatDay, type Instant, cityOf} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import type {ClockChange} from './clocks.ts';
import {formatClockTime} from './schedule-draft.ts';

const namesShown = 5;

/** Describes a clock change, then its effects. Names the year only if it differs from the current year. */
export function describeChange(
  {date, minutes, zones, effects}: ClockChange,
  now: Instant = Date.now(),
): readonly string[] {
  const t = texts.team.preview;
  const day = formatDay(date, {weekday: 'long', now});
  const what = (minutes < 0 ? t.back : t.forward)(day, zones.map(cityOf), minutes);
  if (effects.length === 0) return [what, t.noEffect];
  return [
    what,
    ...effects.map(({zone, names, before, after}) => {
      const people = t.names(names.slice(0, namesShown), Math.max(0, names.length - namesShown));
      return t.effect(cityOf(zone), people, formatClockTime(before), formatClockTime(after));
    }),
  ];
}

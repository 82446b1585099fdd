import {formatDay} from '../words/format.ts';
import {words} from '../words/words.ts';
import type {ClockChange} from './clocks.ts';
import {placeOf, sayTime} from './schedule-draft.ts';

const namesShown = 5;

/** Clocks that change, in words: what happens, then what it does to whom. */
export function tellChange({date, minutes, zones, effects}: ClockChange): readonly string[] {
  const t = words.team.preview;
  const day = formatDay(date, {weekday: 'long'});
  const what = (minutes < 0 ? t.back : t.forward)(day, zones.map(placeOf), minutes);
  if (effects.length === 0) return [what, t.noEffect];
  return [
    what,
    ...effects.map(({zone, names, before, after}) => {
      const who = t.names(names.slice(0, namesShown), Math.max(0, names.length - namesShown));
      return t.effect(placeOf(zone), who, sayTime(before), sayTime(after));
    }),
  ];
}

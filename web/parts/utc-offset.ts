import {isZone} from '../texts/format.ts';

const clocks = new Map<string, Intl.DateTimeFormat>();

/** The UTC offset of a zone at an instant, in ms; 0 for an unknown zone. */
export function computeUtcOffset(zone: string, instant: number): number {
  let clock = clocks.get(zone);
  if (clock === undefined) {
    clock = new Intl.DateTimeFormat('en', {
      timeZone: isZone(zone) ? zone : 'UTC',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    });
    clocks.set(zone, clock);
  }
  const parts = Object.fromEntries(
    clock.formatToParts(instant).map(({type, value}) => [type, Number(value)]),
  );
  const {year = 0, month = 1, day = 1, hour: hours = 0, minute = 0} = parts;
  const minutes = Math.floor(instant / 60_000) * 60_000;
  return Date.UTC(year, month - 1, day, hours, minute) - minutes;
}

import {formatZone, isZone} from '../texts/format.ts';
import type {Option} from './option.tsx';

let zones: readonly Option[] | undefined;

/** The browser's time zone; UTC if the browser does not know its zone (`Etc/Unknown`). */
export function findBrowserZone(): string {
  const {timeZone} = new Intl.DateTimeFormat().resolvedOptions();
  return isZone(timeZone) && timeZone !== 'Etc/Unknown' ? timeZone : 'UTC';
}

/** Lists all time zones that the browser knows, and the chosen zone. */
export function listZones(chosen: string | null): readonly Option[] {
  zones ??= Intl.supportedValuesOf('timeZone').map(toZoneOption);
  return chosen === null || zones.some(({id}) => id === chosen) ? zones : [toZoneOption(chosen), ...zones];
}

function toZoneOption(zone: string): Option {
  return {id: zone, label: zone.replaceAll('_', ' '), hint: formatZone(zone)};
}

import {formatZone} from '../words/format.ts';
import type {Option} from './option.tsx';

let zones: readonly Option[] | undefined;

/** All that this browser knows, and the one that is chosen. */
export function listZones(chosen: string | null): readonly Option[] {
  zones ??= Intl.supportedValuesOf('timeZone').map(toOption);
  return chosen === null || zones.some(({id}) => id === chosen) ? zones : [toOption(chosen), ...zones];
}

function toOption(zone: string): Option {
  return {id: zone, label: zone.replaceAll('_', ' '), hint: formatZone(zone)};
}

import {foldText} from '../../../domain/core/text.js';
import {slackLimits} from '../blocks/names.js';
import {option} from '../blocks/shapes.js';

/** One entry of the menu of time zones; `value` is an IANA name. */
export interface ZoneOption {
  readonly text: {readonly type: 'plain_text'; readonly text: string};
  readonly value: string;
}

export interface ZoneSearch {
  /**
   * At most 100, the likeliest first. For an empty search: the person's own zone, then the nearest by offset.
   */
  search: (typed: string, own: string | undefined) => ZoneOption[];
  present: (zone: string, city?: string) => ZoneOption;
}

/** Zones that the platform's data still lists under an earlier name. */
const renamed: Record<string, string> = {
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Godthab': 'America/Nuuk',
  'Europe/Kiev': 'Europe/Kyiv',
};

/** Big cities that are not the name of a zone. */
const moreCities: Record<string, readonly string[]> = {
  'America/Los_Angeles': ['San Francisco', 'Seattle', 'San Diego', 'Portland', 'Las Vegas'],
  'America/Denver': ['Salt Lake City'],
  'America/Chicago': ['Dallas', 'Houston', 'Austin', 'Minneapolis'],
  'America/New_York': ['Boston', 'Washington', 'Miami', 'Atlanta', 'Philadelphia'],
  'America/Toronto': ['Montreal', 'Ottawa'],
  'America/Sao_Paulo': ['Rio de Janeiro', 'Brasilia'],
  'Europe/London': ['Manchester', 'Edinburgh'],
  'Europe/Berlin': ['Munich', 'Hamburg', 'Frankfurt', 'Cologne'],
  'Europe/Paris': ['Lyon', 'Marseille'],
  'Europe/Madrid': ['Barcelona'],
  'Europe/Rome': ['Milan'],
  'Europe/Zurich': ['Geneva', 'Bern'],
  'Europe/Warsaw': ['Krakow', 'Wroclaw'],
  'Europe/Istanbul': ['Ankara'],
  'Asia/Kolkata': ['Mumbai', 'Delhi', 'Bengaluru', 'Bangalore', 'Hyderabad', 'Chennai', 'Pune'],
  'Asia/Shanghai': ['Beijing', 'Shenzhen', 'Guangzhou'],
  'Asia/Tokyo': ['Osaka', 'Kyoto'],
  'Asia/Ho_Chi_Minh': ['Hanoi'],
  'Asia/Dubai': ['Abu Dhabi'],
  'Asia/Jerusalem': ['Tel Aviv'],
  'Africa/Johannesburg': ['Cape Town'],
  'Australia/Sydney': ['Canberra'],
  'Pacific/Auckland': ['Wellington'],
};

interface City {
  readonly city: string;
  readonly zone: string;
  /** The folded text for searches. */
  readonly key: string;
  readonly zoneKey: string;
}

const hourMs = 3_600_000;
/** Longer than any city's name: a typed text may be of any length, and every word of it is searched for. */
const typedAtMost = 100;

/**
 * The zones of the platform's data, under the cities that people know them by. The offsets are read once an
 * hour, which takes about 70 ms, on the first search: `now` is wall time in ms.
 */
export function createZoneSearch(now: () => number): ZoneSearch {
  let cities: readonly City[] | undefined;
  let offsets = new Map<string, number>();
  let readAt = Number.NaN;

  function listCities(): readonly City[] {
    cities ??= [...Intl.supportedValuesOf('timeZone'), 'UTC'].flatMap((listed) => {
      const zone = renamed[listed] ?? listed;
      return [cityOf(zone), ...(moreCities[zone] ?? [])].map((city) => ({
        city,
        zone,
        key: normalizeForSearch(city),
        zoneKey: normalizeForSearch(zone),
      }));
    });
    return cities;
  }

  /** Minutes ahead of UTC. */
  function offsetOf(zone: string): number {
    const hour = Math.floor(now() / hourMs);
    if (hour !== readAt) {
      offsets = new Map();
      readAt = hour;
    }
    const name = zone.toLowerCase();
    let offset = offsets.get(name);
    if (offset === undefined) {
      offset = readOffset(zone, now());
      offsets.set(name, offset);
    }
    return offset;
  }

  function present(zone: string, city: string = cityOf(zone)): ZoneOption {
    const text = [city, formatOffset(offsetOf(zone)), ...(zone === city ? [] : [zone])].join(' · ');
    return option(zone, text);
  }

  function findNearestCities(own: string | undefined): City[] {
    const from = offsetOf(own ?? 'UTC');
    const distance = ({zone}: City) => Math.abs(offsetOf(zone) - from);
    const named = listCities().filter(({city, zone}) => city === cityOf(zone));
    const others = named.filter(({zone}) => zone !== own);
    return [
      ...(own === undefined ? [] : [{city: cityOf(own), zone: own, key: '', zoneKey: ''}]),
      ...others.toSorted((a, b) => distance(a) - distance(b) || a.key.localeCompare(b.key)),
    ];
  }

  function find(typed: string): City[] {
    const offset = parseOffset(typed);
    if (offset !== undefined) return listCities().filter(({zone}) => offsetOf(zone) === offset);
    const wanted = normalizeForSearch(typed);
    const words = wanted.split(' ');
    const ranked = listCities()
      .filter(({key, zoneKey}) => words.every((word) => key.includes(word) || zoneKey.includes(word)))
      .map((city) => ({city, rank: city.key.startsWith(wanted) ? 0 : city.key.includes(wanted) ? 1 : 2}));
    return ranked
      .toSorted((a, b) => a.rank - b.rank || a.city.key.localeCompare(b.city.key))
      .map(({city}) => city);
  }

  return {
    present,
    search(given, own) {
      const typed = given.slice(0, typedAtMost);
      const found =
        normalizeForSearch(typed) === '' && parseOffset(typed) === undefined
          ? findNearestCities(own)
          : find(typed);
      return found.slice(0, slackLimits.options).map(({zone, city}) => present(zone, city));
    },
  };
}

/** The city in a zone's name: `America/Argentina/Buenos_Aires` is `Buenos Aires`. */
function cityOf(zone: string): string {
  return zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ');
}

/** Only letters and digits, without marks, in lower case. */
function normalizeForSearch(text: string): string {
  return foldText(text)
    .replaceAll(/[^\p{L}\p{N}+]+/gu, ' ')
    .trim();
}

const offsetPattern = /^(?:(?:utc|gmt)\s*)?([+\-−])\s*(\d{1,2})(?::?(\d{2}))?$|^(\d{1,2}):(\d{2})$/i;

/** Parses `+5:30`, `UTC-3`, `0530` after a sign: minutes ahead of UTC; undefined for anything else. */
function parseOffset(typed: string): number | undefined {
  const found = offsetPattern.exec(typed.trim());
  if (found === null) return undefined;
  const [, sign, hours, minutes, bareHours, bareMinutes] = found;
  const size = Number(hours ?? bareHours) * 60 + Number(minutes ?? bareMinutes ?? 0);
  return sign === undefined || sign === '+' ? size : -size;
}

function readOffset(zone: string, ms: number): number {
  const parts = new Intl.DateTimeFormat('en-US', {timeZone: zone, timeZoneName: 'longOffset'}).formatToParts(
    ms,
  );
  const name = parts.find(({type}) => type === 'timeZoneName')?.value ?? '';
  return parseOffset(name) ?? 0;
}

/** `UTC+5:30`. */
function formatOffset(minutes: number): string {
  const size = Math.abs(minutes);
  const sign = minutes < 0 ? '−' : '+';
  return `UTC${sign}${Math.floor(size / 60)}:${String(size % 60).padStart(2, '0')}`;
}

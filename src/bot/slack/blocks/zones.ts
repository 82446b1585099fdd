import {foldText} from '../../../domain/core/text.js';
import {slackLimits} from './names.js';
import {option} from './shapes.js';

/** One entry in the list of time zones. `value`: an IANA name. */
export interface ZoneOption {
  readonly text: {readonly type: 'plain_text'; readonly text: string};
  readonly value: string;
}

/** Time zones that the platform's data still lists under an earlier name. */
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

/** Big cities that are not the name of a time zone, by the zone to which they belong. */
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
  /** The normalised text for searches. */
  readonly key: string;
  readonly zoneKey: string;
}

const hourMs = 3_600_000;
/** The maximum length of a typed search, longer than any city's name: each word of it is searched. */
const typedAtMost = 100;

/** Searches time zones by city. It reads the offsets, in about 70 ms, once an hour. `now`: Unix ms. */
export function createZoneSearch(now: () => number) {
  let cities: readonly City[] | undefined;
  let offsets = new Map<string, number>();
  let readAt = Number.NaN;

  function listCities(): readonly City[] {
    cities ??= [...Intl.supportedValuesOf('timeZone'), 'UTC'].flatMap((listed) => {
      const zone = renamed[listed] ?? listed;
      return [readCityName(zone), ...(moreCities[zone] ?? [])].map((city) => ({
        city,
        zone,
        key: normalizeForSearch(city),
        zoneKey: normalizeForSearch(zone),
      }));
    });
    return cities;
  }

  /** Returns the offset of a time zone in minutes ahead of UTC. */
  function findZoneOffset(zone: string): number {
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

  function present(zone: string, city: string = readCityName(zone)): ZoneOption {
    const text = [city, formatOffset(findZoneOffset(zone)), ...(zone === city ? [] : [zone])].join(' · ');
    return option(zone, text);
  }

  function findNearestCities(own: string | undefined): City[] {
    const from = findZoneOffset(own ?? 'UTC');
    const distance = ({zone}: City) => Math.abs(findZoneOffset(zone) - from);
    const named = listCities().filter(({city, zone}) => city === readCityName(zone));
    const others = named.filter(({zone}) => zone !== own);
    return [
      ...(own === undefined ? [] : [{city: readCityName(own), zone: own, key: '', zoneKey: ''}]),
      ...others.toSorted((a, b) => distance(a) - distance(b) || a.key.localeCompare(b.key)),
    ];
  }

  function findZones(typed: string): City[] {
    const offset = parseOffset(typed);
    if (offset !== undefined) return listCities().filter(({zone}) => findZoneOffset(zone) === offset);
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
    /** Returns at most 100 zones, the likeliest first. Empty search: the person's own, then the nearest. */
    search(given: string, own: string | undefined): ZoneOption[] {
      const typed = given.slice(0, typedAtMost);
      const found =
        normalizeForSearch(typed) === '' && parseOffset(typed) === undefined
          ? findNearestCities(own)
          : findZones(typed);
      return found.slice(0, slackLimits.options).map(({zone, city}) => present(zone, city));
    },
  };
}

/** Returns the city in a time zone's name: `America/Argentina/Buenos_Aires` gives `Buenos Aires`. */
function readCityName(zone: string): string {
  return zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ');
}

/** Reduces a text to letters and digits in lower case, without accents. */
function normalizeForSearch(text: string): string {
  return foldText(text)
    .replaceAll(/[^\p{L}\p{N}+]+/gu, ' ')
    .trim();
}

const offsetPattern = /^(?:(?:utc|gmt)\s*)?([+\-−])\s*(\d{1,2})(?::?(\d{2}))?$|^(\d{1,2}):(\d{2})$/i;

/** Parses an offset such as `+5:30`, `UTC-3` or `+0530`: minutes ahead of UTC; undefined for others. */
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

function formatOffset(minutes: number): string {
  const size = Math.abs(minutes);
  const sign = minutes < 0 ? '−' : '+';
  return `UTC${sign}${Math.floor(size / 60)}:${String(size % 60).padStart(2, '0')}`;
}

import {isCalendarDate} from '../../domain/core/dates.js';

/** The announced end of an operation. There are at least twelve months between announcement and end. */
export interface Deprecation {
  /** The day of the announcement, `YYYY-MM-DD` in UTC. */
  readonly since: string;
  /** The day from which the operation is answered with 410. */
  readonly sunset: string;
  /** The URL or path of a page about the replacement. */
  readonly link: string;
}

/** Returns the error in an announcement; undefined when it follows the rules. */
export function findDeprecationError({since, sunset, link}: Deprecation): string | undefined {
  const [from, until] = [parseStartOfDay(since), parseStartOfDay(sunset)];
  if (Number.isNaN(from) || Number.isNaN(until)) return 'since and sunset must be days, YYYY-MM-DD';
  if (link === '') return 'a link must say what to use instead';
  const earliest = new Date(from);
  earliest.setUTCFullYear(earliest.getUTCFullYear() + 1);
  return until < earliest.getTime() ? 'the sunset must be 12 months or more after since' : undefined;
}

/** Returns the sentence for an ended operation; undefined while it works. `now`: ms since the epoch. */
export function explainSunset(deprecated: Deprecation | undefined, now: number): string | undefined {
  if (deprecated === undefined || now < parseStartOfDay(deprecated.sunset)) return undefined;
  return `This operation has gone on ${deprecated.sunset}. What to use instead: ${deprecated.link}`;
}

/** Creates a deprecated operation's headers: `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and a link. */
export function createDeprecationHeaders(
  {since, sunset, link}: Deprecation,
  publicUrl: string,
): Record<string, string> {
  return {
    Deprecation: `@${parseStartOfDay(since) / 1_000}`,
    Sunset: new Date(parseStartOfDay(sunset)).toUTCString(),
    Link: `<${new URL(link, publicUrl).href}>; rel="deprecation"; type="text/html"`,
  };
}

/** Returns the first moment of a day in ms; NaN for a day that does not exist. */
function parseStartOfDay(day: string): number {
  return isCalendarDate(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
}

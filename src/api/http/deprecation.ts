import {isCalendarDate} from '../../domain/core/dates.js';

/**
 * The announced end of an operation. The policy binds it: at least twelve months lie between the two days.
 */
export interface Deprecation {
  /** Day of the announcement, `YYYY-MM-DD`: from its first moment (UTC) callers should move on. */
  readonly since: string;
  /** Day from which the operation is answered 410. */
  readonly sunset: string;
  /** Address or path of a page about the replacement. */
  readonly link: string;
}

/** The error in an announcement; undefined when it keeps the policy. */
export function findDeprecationError({since, sunset, link}: Deprecation): string | undefined {
  const [from, until] = [startOfDay(since), startOfDay(sunset)];
  if (Number.isNaN(from) || Number.isNaN(until)) return 'since and sunset must be days, YYYY-MM-DD';
  if (link === '') return 'a link must say what to use instead';
  const earliest = new Date(from);
  earliest.setUTCFullYear(earliest.getUTCFullYear() + 1);
  return until < earliest.getTime() ? 'the sunset must be 12 months or more after since' : undefined;
}

/** The sentence for an operation that has ended; undefined while it exists. `now` in ms since the epoch. */
export function sunsetDetail(deprecated: Deprecation | undefined, now: number): string | undefined {
  if (deprecated === undefined || now < startOfDay(deprecated.sunset)) return undefined;
  return `This operation has gone on ${deprecated.sunset}. What to use instead: ${deprecated.link}`;
}

/**
 * The headers of every answer of a deprecated operation: `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and a
 * link with `rel="deprecation"`.
 */
export function deprecationHeaders(
  {since, sunset, link}: Deprecation,
  publicUrl: string,
): Record<string, string> {
  return {
    Deprecation: `@${startOfDay(since) / 1_000}`,
    Sunset: new Date(startOfDay(sunset)).toUTCString(),
    Link: `<${new URL(link, publicUrl).href}>; rel="deprecation"; type="text/html"`,
  };
}

/** ms of the first moment of a day; not a number when there is no such day. */
function startOfDay(day: string): number {
  return isCalendarDate(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
}

import {isCalendarDate} from '../../domain/core/dates.js';

/** That an operation is on its way out. The announcement is bound to the policy: at least twelve months between the two days. */
export interface Deprecation {
  /** Day of the announcement, `YYYY-MM-DD`: from its first moment (UTC) callers should move on. */
  readonly since: string;
  /** Day from which the operation is answered 410. */
  readonly sunset: string;
  /** Address or path of what to use instead, and how. */
  readonly link: string;
}

/** What is wrong with an announcement; undefined when it keeps the policy. */
export function deprecationFault({since, sunset, link}: Deprecation): string | undefined {
  const [from, until] = [instantOf(since), instantOf(sunset)];
  if (Number.isNaN(from) || Number.isNaN(until)) return 'since and sunset must be days, YYYY-MM-DD';
  if (link === '') return 'a link must say what to use instead';
  const earliest = new Date(from);
  earliest.setUTCFullYear(earliest.getUTCFullYear() + 1);
  return until < earliest.getTime() ? 'the sunset must be 12 months or more after since' : undefined;
}

/** The sentence for an operation that has gone; undefined while it is there. `now` in ms since the epoch. */
export function sunsetDetail(deprecated: Deprecation | undefined, now: number): string | undefined {
  if (deprecated === undefined || now < instantOf(deprecated.sunset)) return undefined;
  return `This operation has gone on ${deprecated.sunset}. What to use instead: ${deprecated.link}`;
}

/**
 * The headers that every answer of a deprecated operation carries: `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and a link with
 * `rel="deprecation"`.
 */
export function deprecationHeaders(
  {since, sunset, link}: Deprecation,
  publicUrl: string,
): Record<string, string> {
  return {
    Deprecation: `@${instantOf(since) / 1_000}`,
    Sunset: new Date(instantOf(sunset)).toUTCString(),
    Link: `<${new URL(link, publicUrl).href}>; rel="deprecation"; type="text/html"`,
  };
}

/** ms of the first moment of a day; not a number when there is no such day. */
function instantOf(day: string): number {
  return isCalendarDate(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
}

import type {Instant} from './format.ts';
import {locale} from './texts.ts';

/** Formats a time with seconds, for frequent events: `11:00:05`, or `11:00:05 AM` by locale. */
export function formatClock(instant: Instant): string {
  return new Intl.DateTimeFormat(locale, exactClockOptions()).format(new Date(instant));
}

/** Formats an instant to the millisecond: `20 Nov 2026, 11:00:05.123 CET`, or with `AM` by locale. */
export function formatExact(instant: Instant): string {
  return new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    ...exactClockOptions(),
    fractionalSecondDigits: 3,
    timeZoneName: 'short',
  }).format(new Date(instant));
}

function exactClockOptions(): Intl.DateTimeFormatOptions {
  const {hour12} = new Intl.DateTimeFormat(locale, {hour: 'numeric'}).resolvedOptions();
  return {hour: hour12 === true ? 'numeric' : '2-digit', minute: '2-digit', second: '2-digit'};
}

import type {Instant} from './format.ts';
import {locale} from './words.ts';

/** `11:00:05`: for what happens several times a minute. */
export function formatClock(instant: Instant): string {
  return new Intl.DateTimeFormat(locale, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  }).format(new Date(instant));
}

/** `20 Nov 2026, 11:00:05.123 CET`. */
export function formatExact(instant: Instant): string {
  return new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    hourCycle: 'h23',
    timeZoneName: 'short',
  }).format(new Date(instant));
}

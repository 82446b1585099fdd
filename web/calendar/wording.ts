import {nameOfStatus} from '../parts/status-mark.tsx';
import {formatSpan} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {statusOf} from './bars.ts';
import type {Absence} from './queries.ts';

/** `Away`, `Not in the standup`; an unknown kind is shown as it is. */
export function nameOfKind(status: string): string {
  return status === 'skipped' ? texts.calendar.skipped : nameOfStatus(status);
}

/** `20–24 Nov`. */
export function formatAbsenceDays({from, until}: Pick<Absence, 'from' | 'until'>): string {
  return formatSpan(from, until);
}

/** `Away, 20–24 Nov, Vacation, only platform`. */
export function describeAbsence({kind, from, until, reason, team}: Absence): string {
  const parts = [nameOfKind(statusOf(kind)), formatSpan(from, until)];
  if (reason !== null) parts.push(reason);
  if (team !== null) parts.push(texts.calendar.onlyFor(team));
  return parts.join(', ');
}

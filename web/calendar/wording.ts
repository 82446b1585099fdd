import type {Absence} from '../api/schema.ts';
import {findStatusName} from '../parts/status-mark.tsx';
import {formatSpan} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {findStatusOfDayOff} from './bars.ts';

/** Names a kind of day off, such as `Away` or `Not in the standup`; an unknown kind is shown unchanged. */
export function nameDayOffKind(status: string): string {
  return status === 'skipped' ? texts.calendar.skipped : findStatusName(status);
}

/** Describes an absence, such as `Away, 20–24 Nov, Vacation, only platform`. */
export function describeAbsence({kind, from, until, reason, team}: Absence): string {
  const parts = [nameDayOffKind(findStatusOfDayOff(kind)), formatSpan(from, until)];
  if (reason !== null) parts.push(reason);
  if (team !== null) parts.push(texts.calendar.onlyFor({team}));
  return parts.join(', ');
}

import type {Schema} from '../api/schema.ts';
import {daysBetween} from '../parts/days.ts';
import type {Absence, Me} from './queries.ts';
import {runsWorkspace} from '../parts/rights.ts';
import {ledTeams} from './rights.ts';

/** The content of the sheet: an existing absence, or initial values for a new one. */
export type Opened =
  | {readonly absence: Absence}
  | {readonly person?: string; readonly from?: string; readonly until?: string};

/** The form fields of an absence. */
export interface AbsenceDraft {
  readonly person: string;
  readonly kind: 'away' | 'skip';
  readonly from: string | null;
  readonly until: string | null;
  readonly hasNoEnd: boolean;
  /** Slug; empty for all teams. */
  readonly team: string;
  readonly reason: string;
}

/** The service's limits: days of one absence, days back and ahead, characters of a reason. */
export const absenceLimits = {days: 366, back: 365, ahead: 731, reason: 200};

export function draftOf(absence: Absence): AbsenceDraft {
  const {member, kind, from, until, team, reason} = absence;
  return {
    person: member.id,
    kind: kind === 'skip' ? 'skip' : 'away',
    from,
    until,
    hasNoEnd: until === null,
    team: team ?? '',
    reason: reason ?? '',
  };
}

/** Validation errors found before the request is sent. */
export type Fault = 'missingDays' | 'tooLong';

export function faultOf({kind, from, until, hasNoEnd}: AbsenceDraft): Fault | undefined {
  if (from === null) return 'missingDays';
  if (kind === 'skip' || hasNoEnd) return undefined;
  if (until === null) return 'missingDays';
  return daysBetween(from, until) >= absenceLimits.days ? 'tooLong' : undefined;
}

type Given = Required<Omit<Schema<'NewAbsence'>, 'member'>>;

/** The absence as the API takes it. */
export function givenBy({kind, from, until, hasNoEnd, team, reason}: AbsenceDraft): Given {
  const first = from ?? '';
  const last = kind === 'skip' ? first : hasNoEnd ? null : until;
  return {
    kind,
    from: first,
    until: last,
    team: team === '' ? null : team,
    reason: reason.trim() === '' ? null : reason,
  };
}

/** The teams an absence of this person may be for, and whether it may be for all of them. */
export function teamsFor(me: Me, person: string): {teams: NonNullable<Me['teams']>; all: boolean} {
  if (person === me.principal.id || runsWorkspace(me)) return {teams: me.teams ?? [], all: true};
  return {teams: ledTeams(me), all: false};
}

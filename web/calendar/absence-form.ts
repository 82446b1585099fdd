import type {Schema} from '../api/schema.ts';
import type {DateSpan} from '../parts/dates.ts';
import {daysBetween} from '../parts/days.ts';
import type {Absence, Me} from './queries.ts';
import {managesWorkspace} from '../parts/rights.ts';
import {teamsWithAbsenceRights} from './rights.ts';

/** The content of the sheet: an existing absence, or initial values for a new one. */
export type AbsenceFormContent =
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

/** The days, person and team that a new absence begins with. */
export function firstDraft(
  me: Me,
  {person = me.principal.id, from, until}: {person?: string; from?: string; until?: string},
  {team, today}: {readonly team: string | undefined; readonly today: string},
): AbsenceDraft {
  const {teams, all} = teamChoicesFor(me, person);
  return {
    person,
    kind: 'away',
    from: from ?? today,
    until: until ?? from ?? today,
    hasNoEnd: false,
    team: all ? '' : (team ?? teams[0]?.slug ?? ''),
    reason: '',
  };
}

/** For another person, with a team that the viewer may enter absences of that person for. */
export function withPerson(draft: AbsenceDraft, me: Me, person: string): AbsenceDraft {
  const {teams, all} = teamChoicesFor(me, person);
  const fits = draft.team === '' ? all : teams.some(({slug}) => slug === draft.team);
  return {...draft, person, team: fits ? draft.team : all ? '' : (teams[0]?.slug ?? '')};
}

/** A first day after the last day means that the last day has not been chosen yet. */
export function withDays(draft: AbsenceDraft, span: DateSpan | null): AbsenceDraft {
  if (span === null) return {...draft, from: null, until: null};
  const {from, until} = span;
  return {...draft, from, until: from !== draft.from && until < from ? from : until};
}

/** The last day; null without an end, and while it is not chosen. */
export function lastDayOf({kind, from, until, hasNoEnd}: AbsenceDraft): string | null {
  return kind === 'skip' ? from : hasNoEnd ? null : until;
}

/** Validation errors found before the request is sent. */
export type AbsenceError = 'missingDays' | 'tooLong';

export function findAbsenceError({kind, from, until, hasNoEnd}: AbsenceDraft): AbsenceError | undefined {
  if (from === null) return 'missingDays';
  if (kind === 'skip' || hasNoEnd) return undefined;
  if (until === null) return 'missingDays';
  return daysBetween(from, until) >= absenceLimits.days ? 'tooLong' : undefined;
}

type AbsenceInput = Required<Omit<Schema<'NewAbsence'>, 'member'>>;

/** The absence as the API takes it. */
export function toNewAbsence(draft: AbsenceDraft): AbsenceInput {
  const {kind, from, team, reason} = draft;
  return {
    kind,
    from: from ?? '',
    until: lastDayOf(draft),
    team: team === '' ? null : team,
    reason: reason.trim() === '' ? null : reason,
  };
}

/** The teams an absence of this person may be for, and whether it may be for all of them. */
export function teamChoicesFor(me: Me, person: string): {teams: NonNullable<Me['teams']>; all: boolean} {
  if (person === me.principal.id || managesWorkspace(me)) return {teams: me.teams ?? [], all: true};
  return {teams: teamsWithAbsenceRights(me), all: false};
}

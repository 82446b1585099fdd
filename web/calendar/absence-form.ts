import type {Absence, Me, Schema} from '../api/schema.ts';
import type {DateSpan} from '../parts/dates.ts';
import {daysBetween} from '../parts/days.ts';
import {managesWorkspace} from '../parts/rights.ts';
import {listTeamsWithAbsenceRights} from './rights.ts';

/** Initial content of the absence sheet: an existing absence, or the person and days of a new one. */
export type AbsenceFormContent =
  | {readonly absence: Absence}
  | {readonly person?: string; readonly from?: string; readonly until?: string};

export interface AbsenceDraft {
  readonly person: string;
  readonly kind: 'away' | 'skip';
  readonly from: string | null;
  readonly until: string | null;
  readonly hasNoEnd: boolean;
  /** Slug of the team that the absence is for; empty for all teams. */
  readonly team: string;
  readonly reason: string;
}

/** The service's limits: length of an absence in days, days back and ahead, and characters of a reason. */
export const absenceLimits = {days: 366, back: 365, ahead: 731, reason: 200};

export function toAbsenceDraft(absence: Absence): AbsenceDraft {
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

/** Initial days, person and team of a new absence. */
export function buildInitialAbsenceDraft(
  me: Me,
  {person = me.principal.id, from, until}: {person?: string; from?: string; until?: string},
  {team, today}: {readonly team: string | undefined; readonly today: string},
): AbsenceDraft {
  const {teams, all} = listTeamChoices(me, person);
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

/** Sets another person in the draft, and a team for which the viewer may enter that person's absences. */
export function setDraftPerson(draft: AbsenceDraft, me: Me, person: string): AbsenceDraft {
  const {teams, all} = listTeamChoices(me, person);
  const fits = draft.team === '' ? all : teams.some(({slug}) => slug === draft.team);
  return {...draft, person, team: fits ? draft.team : all ? '' : (teams[0]?.slug ?? '')};
}

/** Sets the draft's days. A new first day after the last day moves the last day too. */
export function setDraftDays(draft: AbsenceDraft, span: DateSpan | null): AbsenceDraft {
  if (span === null) return {...draft, from: null, until: null};
  const {from, until} = span;
  return {...draft, from, until: from !== draft.from && until < from ? from : until};
}

/** The absence's last day; null if the absence has no end, or if no last day is chosen yet. */
export function findLastDay({kind, from, until, hasNoEnd}: AbsenceDraft): string | null {
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

/** Converts a draft to the API's request body. */
export function toNewAbsence(draft: AbsenceDraft): AbsenceInput {
  const {kind, from, team, reason} = draft;
  return {
    kind,
    from: from ?? '',
    until: findLastDay(draft),
    team: team === '' ? null : team,
    reason: reason.trim() === '' ? null : reason,
  };
}

/** Teams for which the viewer may enter the person's absence. `all`: also an absence for all teams. */
export function listTeamChoices(me: Me, person: string): {teams: NonNullable<Me['teams']>; all: boolean} {
  if (person === me.principal.id || managesWorkspace(me)) return {teams: me.teams ?? [], all: true};
  return {teams: listTeamsWithAbsenceRights(me), all: false};
}

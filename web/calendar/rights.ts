import type {Absence, Me} from '../api/schema.ts';
import {managesWorkspace} from '../parts/rights.ts';

/**
 * Lists the teams that the viewer leads. A lead may enter an absence for another member, but only an absence
 * from one of these teams.
 */
export function listTeamsWithAbsenceRights(me: Me): NonNullable<Me['teams']> {
  return me.teams?.filter(({role}) => role === 'lead') ?? [];
}

/**
 * True when the viewer may change or delete an absence. The service decides in
 * src/service/absences/absences.ts.
 */
export function mayChangeAbsence(me: Me, {member, team_id}: Absence): boolean {
  if (member.id === me.principal.id || managesWorkspace(me)) return true;
  return listTeamsWithAbsenceRights(me).some(({id}) => id === team_id);
}

/** Whether the viewer may enter any absences for a person. */
export function mayEnterAbsencesFor(me: Me, person: string): boolean {
  return person === me.principal.id || managesWorkspace(me) || listTeamsWithAbsenceRights(me).length > 0;
}

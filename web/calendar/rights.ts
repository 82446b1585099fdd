import type {Absence, Me} from '../api/schema.ts';
import {managesWorkspace} from '../parts/rights.ts';

/** Teams that the viewer leads. A lead may enter other members' absences only from these teams. */
export function listTeamsWithAbsenceRights(me: Me): NonNullable<Me['teams']> {
  return me.teams?.filter(({role}) => role === 'lead') ?? [];
}

/** Whether the viewer may change an absence; the service decides in src/service/absences/absences.ts. */
export function mayChangeAbsence(me: Me, {member, team_id}: Absence): boolean {
  if (member.id === me.principal.id || managesWorkspace(me)) return true;
  return listTeamsWithAbsenceRights(me).some(({id}) => id === team_id);
}

/** Whether the viewer may enter any absences for a person. */
export function mayEnterAbsencesFor(me: Me, person: string): boolean {
  return person === me.principal.id || managesWorkspace(me) || listTeamsWithAbsenceRights(me).length > 0;
}

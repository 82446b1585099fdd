import {managesWorkspace} from '../parts/rights.ts';
import type {Absence, Me} from './queries.ts';

/**
 * The teams for whose members the viewer may enter absences: a lead enters an absence from that team only.
 */
export function teamsWithAbsenceRights(me: Me): NonNullable<Me['teams']> {
  return me.teams?.filter(({role}) => role === 'lead') ?? [];
}

/** True when the viewer may change or delete an absence (service/absences/absences.ts decides). */
export function mayChange(me: Me, {member, team_id}: Absence): boolean {
  if (member.id === me.principal.id || managesWorkspace(me)) return true;
  return teamsWithAbsenceRights(me).some(({id}) => id === team_id);
}

/** Whether the viewer may enter absences for a person at all. */
export function mayEnterFor(me: Me, person: string): boolean {
  return person === me.principal.id || managesWorkspace(me) || teamsWithAbsenceRights(me).length > 0;
}

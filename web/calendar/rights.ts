import {runsWorkspace} from '../parts/rights.ts';
import type {Absence, Me} from './queries.ts';

/** The teams for which somebody enters the days of others: a lead enters a time away from the team alone. */
export function ledTeams(me: Me): NonNullable<Me['teams']> {
  return me.teams?.filter(({role}) => role === 'lead') ?? [];
}

/**
 * True when the service would let somebody change or delete an absence (service/absences/absences.ts
 * decides).
 */
export function mayChange(me: Me, {member, team_id}: Absence): boolean {
  if (member.id === me.principal.id || runsWorkspace(me)) return true;
  return ledTeams(me).some(({id}) => id === team_id);
}

/** Whether somebody may enter days for a person at all. */
export function mayEnterFor(me: Me, person: string): boolean {
  return person === me.principal.id || runsWorkspace(me) || ledTeams(me).length > 0;
}

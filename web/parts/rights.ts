import type {Schema} from '../api/schema.ts';

type Me = Pick<Schema<'Me'>, 'role' | 'teams'>;

/** Anybody of the workspace makes teams, and leads those. */
export function mayMakeTeams({scopes}: Pick<Schema<'Me'>, 'scopes'>): boolean {
  return scopes.includes('teams:write');
}

/** Owners and admins, who see to all of the workspace. */
export function runsWorkspace({role}: Me): boolean {
  return role === 'owner' || role === 'admin';
}

/** Whether there is more than one team that somebody looks after. */
export function hasManyTeams(me: Me): boolean {
  return runsWorkspace(me) || (me.teams?.length ?? 0) > 1;
}

/** Whether somebody leads a team (by its slug), or the workspace: reminds, opens a run, changes its settings. */
export function mayLead(me: Me, team: string): boolean {
  return runsWorkspace(me) || me.teams?.find(({slug}) => slug === team)?.role === 'lead';
}

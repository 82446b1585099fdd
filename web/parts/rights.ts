import type {Schema} from '../api/schema.ts';

type Me = Pick<Schema<'Me'>, 'role' | 'teams'>;

/** Whether the session was given a scope; false while nothing is known of it. */
export function mayUse(me: Pick<Schema<'Me'>, 'scopes'> | undefined, scope: string): boolean {
  return me?.scopes.includes(scope) ?? false;
}

/** Anybody of the workspace makes teams, and leads those. */
export function mayMakeTeams(me: Pick<Schema<'Me'>, 'scopes'>): boolean {
  return mayUse(me, 'teams:write');
}

/** Owners and admins, who see to all of the workspace. */
export function runsWorkspace({role}: Me): boolean {
  return role === 'owner' || role === 'admin';
}

/** Whether there is more than one team that somebody looks after. */
export function hasManyTeams(me: Me): boolean {
  return runsWorkspace(me) || (me.teams?.length ?? 0) > 1;
}

/** Whether somebody may lead a team (by its slug): remind, open a run, change its settings. */
export function mayLead(me: Me, team: string): boolean {
  return runsWorkspace(me) || me.teams?.find(({slug}) => slug === team)?.role === 'lead';
}

export function isIn({teams}: Me, team: string): boolean {
  return teams?.some(({slug}) => slug === team) === true;
}

/** The ids of teams in which somebody reads along, and does not post. */
export function observedTeams({teams}: Me): ReadonlySet<string> {
  return new Set(teams?.filter(({role}) => role === 'observer').map(({id}) => id));
}

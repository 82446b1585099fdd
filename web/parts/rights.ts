import type {Schema} from '../api/schema.ts';

type RightsHolder = Pick<Schema<'Me'>, 'role' | 'teams'>;

/** Whether the session has a scope; false until the session is known. */
export function mayUse(me: Pick<Schema<'Me'>, 'scopes'> | undefined, scope: string): boolean {
  return me?.scopes.includes(scope) ?? false;
}

/** Every member of the workspace may create teams, and leads those. */
export function mayMakeTeams(me: Pick<Schema<'Me'>, 'scopes'>): boolean {
  return mayUse(me, 'teams:write');
}

/** Owners and admins, who manage the workspace. */
export function managesWorkspace({role}: RightsHolder): boolean {
  return role === 'owner' || role === 'admin';
}

/** Whether the viewer is an owner or admin, or a member of more than one team. */
export function hasManyTeams(me: RightsHolder): boolean {
  return managesWorkspace(me) || (me.teams?.length ?? 0) > 1;
}

/** Whether the viewer may lead a team (by its slug): remind, open a run, change its settings. */
export function mayLead(me: RightsHolder, team: string): boolean {
  return managesWorkspace(me) || me.teams?.find(({slug}) => slug === team)?.role === 'lead';
}

export function isInTeam({teams}: RightsHolder, team: string): boolean {
  return teams?.some(({slug}) => slug === team) === true;
}

/** The ids of teams that the member only observes, without posting. */
export function observedTeams({teams}: RightsHolder): ReadonlySet<string> {
  return new Set(teams?.filter(({role}) => role === 'observer').map(({id}) => id));
}

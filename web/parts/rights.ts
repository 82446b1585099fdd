import type {Schema} from '../api/schema.ts';

type RightsHolder = Pick<Schema<'Me'>, 'role' | 'teams'>;

/** Whether the session has a scope; false until the session's scopes are known. */
export function mayUse(me: Pick<Schema<'Me'>, 'scopes'> | undefined, scope: string): boolean {
  return me?.scopes.includes(scope) ?? false;
}

/** Whether the viewer may create teams. Every member of the workspace may, and leads the created team. */
export function mayCreateTeams(me: Pick<Schema<'Me'>, 'scopes'>): boolean {
  return mayUse(me, 'teams:write');
}

/** Whether the viewer manages the workspace, as an owner or admin. */
export function managesWorkspace({role}: RightsHolder): boolean {
  return role === 'owner' || role === 'admin';
}

/** Whether the viewer is an owner or admin, or a member of more than one team. */
export function hasManyTeams(me: RightsHolder): boolean {
  return managesWorkspace(me) || (me.teams?.length ?? 0) > 1;
}

/** Whether the viewer may act as a lead of the team with this slug: remind, open a run, change settings. */
export function mayLeadTeam(me: RightsHolder, team: string): boolean {
  return managesWorkspace(me) || me.teams?.find(({slug}) => slug === team)?.role === 'lead';
}

/** Whether the viewer may invite people into a team, or into any: leads into their own, if leads may invite. */
export function mayInvite(me: Pick<Schema<'Me'>, 'role' | 'teams' | 'workspace'>, team?: string): boolean {
  if (managesWorkspace(me)) return true;
  const isLed = me.teams?.some(({role, slug}) => role === 'lead' && (team === undefined || slug === team));
  return me.workspace.leads_invite && isLed === true;
}

export function isInTeam({teams}: RightsHolder, team: string): boolean {
  return teams?.some(({slug}) => slug === team) === true;
}

export function listObservedTeams({teams}: RightsHolder): ReadonlySet<string> {
  return new Set(teams?.filter(({role}) => role === 'observer').map(({id}) => id));
}

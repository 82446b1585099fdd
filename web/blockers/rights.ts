import type {Blocker, Me} from '../api/schema.ts';
import {managesWorkspace} from '../parts/rights.ts';

/** Changes that the viewer may make; the service decides in src/service/blockers/blockers.ts. */
export interface Rights {
  readonly acknowledge: boolean;
  readonly resolve: boolean;
  /** The viewer may reopen the blocker and edit its text. */
  readonly change: boolean;
}

export function findBlockerRights(
  me: Me,
  {author, team_id, state, acknowledged_by: keeper}: Blocker,
): Rights {
  const membership = me.teams?.find(({id}) => id === team_id);
  const change = author.id === me.principal.id || managesWorkspace(me) || membership?.role === 'lead';
  const looksAfter = state === 'acknowledged' && keeper?.id === me.principal.id;
  return {acknowledge: change || membership !== undefined, resolve: change || looksAfter, change};
}

import type {Schema} from '../api/schema.ts';
import type {Blocker} from './queries.ts';

type Me = Schema<'Me'>;

/** What the service would let somebody do with a blocker (service/blockers.ts decides). */
export interface Rights {
  readonly acknowledge: boolean;
  /** Resolve, raise again, and change the text. */
  readonly change: boolean;
}

export function rightsOf(me: Me, {author, team_id}: Blocker): Rights {
  const place = me.teams?.find(({id}) => id === team_id);
  const change = author.id === me.principal.id || runsWorkspace(me) || place?.role === 'lead';
  return {acknowledge: change || place !== undefined, change};
}

/** Whether somebody may raise a blocker for others in a team. */
export function mayRaiseForOthers(me: Me, slug: string): boolean {
  return runsWorkspace(me) || me.teams?.find((team) => team.slug === slug)?.role === 'lead';
}

function runsWorkspace({role}: Me): boolean {
  return role === 'owner' || role === 'admin';
}

import {parseWire} from '../../domain/core/resource.js';
import type {PrincipalId, Viewer} from '../../domain/core/access.js';
import type {Blocker, BlockerState} from '../../domain/blockers/blocker.js';
import {type ListName, lists, type Page, type PageQuery} from '../../domain/core/lists.js';
import {requireNamedTeam, type Team} from '../../domain/teams/team.js';
import {scanPages} from '../core/paging.js';
import type {Teams} from '../../store/core/directories.js';
import type {Records} from '../../store/core/records.js';

/** Filters for blockers; a member that is left out restricts nothing. */
export interface BlockerFilter {
  /** Id or slug of a team, in any case. */
  readonly team?: string | undefined;
  /** By id, e-mail address, Slack user or `me`. */
  readonly author?: string | undefined;
  /** `open`: blockers that are not resolved. */
  readonly state?: BlockerState | 'open' | undefined;
}

export interface BlockerQuery extends BlockerFilter, PageQuery {}

/** The author by id. */
type ResolvedBlockerQuery = BlockerQuery & {readonly author?: PrincipalId | undefined};

/**
 * Lists blockers, newest first. A page may have few rows or none, and still have a next page. Errors:
 * `team_not_found`.
 */
export function createListBlockers({
  records,
  teams,
}: {
  readonly records: Pick<Records, 'list'>;
  readonly teams: Pick<Teams, 'fresh'>;
}) {
  return async function listBlockers(access: Viewer, query: ResolvedBlockerQuery): Promise<Page<Blocker>> {
    const {workspace, deadline} = access;
    const directory = await teams.fresh(workspace, deadline);
    const team = requireNamedTeam(directory, query.team, access);
    const list = chooseList(query, team);
    return scanPages(
      (page) => records.list(workspace, {list, ...page}, deadline),
      query,
      (rows) =>
        rows.map(({json}) => {
          const blocker = parseWire(json);
          const isThere = directory.byReference(blocker.team_id) !== undefined;
          return isThere && isWanted(blocker, query, team) ? blocker : undefined;
        }),
    );
  };
}

/** Chooses the smallest list that contains every matching blocker. */
function chooseList(
  {author, state}: Pick<ResolvedBlockerQuery, 'author' | 'state'>,
  team: Team | undefined,
): ListName<'blocker'> {
  if (team !== undefined && state !== undefined && state !== 'resolved') {
    return lists.openBlockersOfTeam(team.id);
  }
  if (author !== undefined) return lists.blockersOf(author);
  return team === undefined ? lists.blockers() : lists.blockersOfTeam(team.id);
}

function isWanted(blocker: Blocker, {author, state}: BlockerFilter, team: Team | undefined): boolean {
  if (team !== undefined && blocker.team_id !== team.id) return false;
  if (author !== undefined && blocker.author.id !== author) return false;
  if (state === undefined) return true;
  return state === 'open' ? blocker.state !== 'resolved' : blocker.state === state;
}

import {parseWire} from '../../domain/core/resource.js';
import type {PrincipalId} from '../../domain/core/access.js';
import type {Id} from '../../domain/core/ids.js';
import type {Blocker, BlockerState} from '../../domain/blockers/blocker.js';
import {type ListName, lists, type Page, type PageQuery} from '../../domain/core/lists.js';
import {requireNamedTeams} from '../../domain/teams/team.js';
import type {ServiceContext} from '../core/context.js';
import type {TeamReader} from '../core/reach.js';
import {scanPages} from '../core/paging.js';

/** Filters for blockers; a field that is left out filters nothing. */
export interface BlockerFilter {
  /** The ids or slugs of teams; upper and lower case are the same. */
  readonly teams?: readonly string[] | undefined;
  /** The author: an id, an e-mail address, a Slack user or `me`. */
  readonly author?: string | undefined;
  /** The state of the blockers. `open`: all blockers that are not resolved. */
  readonly state?: BlockerState | 'open' | undefined;
}

export interface BlockerQuery extends BlockerFilter, PageQuery {}

/** A query in which the author is given by id. */
type ResolvedBlockerQuery = BlockerQuery & {readonly author?: PrincipalId | undefined};

/**
 * Lists blockers, newest first. A page may have few rows or none, and still be followed by another page.
 * Errors: `team_not_found`.
 */
export function createBlockerLister({records, teams}: ServiceContext) {
  return async function listBlockers(
    access: TeamReader,
    query: ResolvedBlockerQuery,
  ): Promise<Page<Blocker>> {
    const {workspace, deadline} = access;
    const directory = await teams.of(access);
    const named = requireNamedTeams(directory, query.teams, access)?.map(({id}) => id);
    const list = chooseBlockerLists(query, named);
    return scanPages(
      (page) => records.list(workspace, {list, ...page}, deadline),
      query,
      (rows) =>
        rows.map(({json}) => {
          const blocker = parseWire(json);
          const isThere = directory.byReference(blocker.team_id) !== undefined;
          return isThere && matchesBlockerQuery(blocker, query, named) ? blocker : undefined;
        }),
    );
  };
}

/** Chooses the smallest stored lists that together contain all matching blockers. `teams`: their ids. */
function chooseBlockerLists(
  {author, state}: ResolvedBlockerQuery,
  teams: readonly Id<'team'>[] | undefined,
): readonly ListName<'blocker'>[] {
  if (teams !== undefined && state !== undefined && state !== 'resolved') {
    return teams.map(lists.openBlockersOfTeam);
  }
  if (author !== undefined) return [lists.blockersOf(author)];
  return teams?.map(lists.blockersOfTeam) ?? [lists.blockers()];
}

function matchesBlockerQuery(
  blocker: Blocker,
  {author, state}: BlockerFilter,
  teams: readonly string[] | undefined,
) {
  if (teams?.includes(blocker.team_id) === false) return false;
  if (author !== undefined && blocker.author.id !== author) return false;
  if (state === undefined) return true;
  return state === 'open' ? blocker.state !== 'resolved' : blocker.state === state;
}

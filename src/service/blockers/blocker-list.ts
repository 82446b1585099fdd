import {parseWire} from '../../domain/core/resource.js';
import type {PrincipalId, Viewer} from '../../domain/core/access.js';
import type {Blocker, BlockerState} from '../../domain/blockers/blocker.js';
import {lists, type Page, type PageQuery} from '../../domain/core/lists.js';
import {requireNamedTeam, type Team} from '../../domain/teams/team.js';
import type {ServiceContext} from '../core/context.js';
import {scanPages} from '../core/paging.js';

/** Filters for blockers; a field that is left out filters nothing. */
export interface BlockerFilter {
  /** The id or slug of a team; upper and lower case are the same. */
  readonly team?: string | undefined;
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
  return async function listBlockers(access: Viewer, query: ResolvedBlockerQuery): Promise<Page<Blocker>> {
    const {workspace, deadline} = access;
    const directory = await teams.fresh(workspace, deadline);
    const team = requireNamedTeam(directory, query.team, access);
    const list = chooseBlockerList(query, team);
    return scanPages(
      (page) => records.list(workspace, {list, ...page}, deadline),
      query,
      (rows) =>
        rows.map(({json}) => {
          const blocker = parseWire(json);
          const isThere = directory.byReference(blocker.team_id) !== undefined;
          return isThere && matchesBlockerQuery(blocker, query, team) ? blocker : undefined;
        }),
    );
  };
}

/** Chooses the smallest stored list that contains all matching blockers. */
function chooseBlockerList({author, state}: ResolvedBlockerQuery, team: Team | undefined) {
  if (team !== undefined && state !== undefined && state !== 'resolved') {
    return lists.openBlockersOfTeam(team.id);
  }
  if (author !== undefined) return lists.blockersOf(author);
  return team === undefined ? lists.blockers() : lists.blockersOfTeam(team.id);
}

function matchesBlockerQuery(blocker: Blocker, {author, state}: BlockerFilter, team: Team | undefined) {
  if (team !== undefined && blocker.team_id !== team.id) return false;
  if (author !== undefined && blocker.author.id !== author) return false;
  if (state === undefined) return true;
  return state === 'open' ? blocker.state !== 'resolved' : blocker.state === state;
}

import type {Comment} from '../../domain/comments/comment.js';
import type {PrincipalId} from '../../domain/core/access.js';
import type {Id} from '../../domain/core/ids.js';
import {type ListName, lists, type Page, type PageQuery} from '../../domain/core/lists.js';
import {parseWire, type WireJson} from '../../domain/core/resource.js';
import {requireNamedTeams} from '../../domain/teams/team.js';
import type {ServiceContext} from '../core/context.js';
import type {TeamReader} from '../core/reach.js';
import {scanPages} from '../core/paging.js';
import {findRemainingStandups} from '../standups/find-standup.js';

/** Filters for comments; a field that is left out filters nothing. */
export interface CommentFilter {
  /** The id of a standup. Its comments are listed from the oldest on, and all others from the newest. */
  readonly standup?: Id<'standup'> | undefined;
  /** The ids or slugs of teams; upper and lower case are the same. */
  readonly teams?: readonly string[] | undefined;
  /** The author: an id, an e-mail address, a Slack user or `me`. */
  readonly author?: string | undefined;
}

export interface CommentQuery extends CommentFilter, PageQuery {}

/** A query in which the author is given by id. */
type ResolvedCommentQuery = CommentQuery & {readonly author?: PrincipalId | undefined};

/**
 * Lists comments whose standup and team still exist. A page may have few rows or none, and still be followed by
 * another page. Errors: `team_not_found`.
 */
export function createCommentLister({records, teams}: ServiceContext) {
  return async function listComments(
    access: TeamReader,
    query: ResolvedCommentQuery,
  ): Promise<Page<WireJson<Comment>>> {
    const {workspace, deadline} = access;
    const directory = await teams.of(access);
    const named = requireNamedTeams(directory, query.teams, access)?.map(({id}) => id);
    const list = chooseCommentLists(query, named);
    return scanPages(
      (page) => records.list(workspace, {list, upward: query.standup !== undefined, ...page}, deadline),
      query,
      async (rows) => {
        const comments = rows.map(({json}) => parseWire(json));
        const ids = comments.map(({standup}) => standup);
        const remaining = await findRemainingStandups(records, access, ids);
        return comments.map((comment, i) => {
          const isThere =
            remaining.has(comment.standup) && directory.byReference(comment.team_id) !== undefined;
          return isThere && matchesCommentQuery(comment, query, named) ? rows[i]?.json : undefined;
        });
      },
    );
  };
}

/** Chooses the smallest stored lists that together contain all matching comments. `teams`: their ids. */
function chooseCommentLists(
  {standup, author}: ResolvedCommentQuery,
  teams: readonly Id<'team'>[] | undefined,
): readonly ListName<'comment'>[] {
  if (standup !== undefined) return [lists.commentsOf(standup)];
  if (author !== undefined) return [lists.commentsBy(author)];
  return teams?.map(lists.commentsOfTeam) ?? [lists.comments()];
}

/** Checks the whole ids, as the names of lists have only half of each. */
function matchesCommentQuery(
  comment: Comment,
  {standup, author}: ResolvedCommentQuery,
  teams: readonly string[] | undefined,
): boolean {
  return (
    (standup === undefined || comment.standup === standup) &&
    (author === undefined || comment.author.id === author) &&
    (teams?.includes(comment.team_id) ?? true)
  );
}

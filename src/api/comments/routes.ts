import {commentChangeSchema, commentSchema, newCommentSchema} from '../../domain/comments/comment.js';
import {limits} from '../../domain/core/limits.js';
import type {Services} from '../../service/services.js';
import {presentAnswer, presentPage, presentResource} from '../http/present.js';
import {type Route, defineRoute} from '../http/route.js';
import {noQuerySchema} from '../http/shared-schemas.js';
import {commentQuerySchema} from './schemas.js';

const collection = '/v1/comments';
const single = `${collection}/{comment}`;
const tag = 'Comments';

export function createCommentRoutes({comments}: Services): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: collection,
      operation: 'createComment',
      tag,
      summary: 'Comment on a standup',
      description: `Writes a comment in your own name. Everyone who can read a standup can comment on it, observers too. A standup has at most ${limits.commentsPerStandup}.`,
      scope: 'comments:write',
      query: noQuerySchema,
      body: newCommentSchema,
      success: {status: 201, schema: commentSchema},
      errors: ['limit_reached'],
      handle: async ({call, body}) => presentAnswer(await comments.createComment(call, body), collection),
    }),
    defineRoute({
      method: 'GET',
      path: collection,
      operation: 'listComments',
      tag,
      summary: 'List comments',
      description:
        'Returns the comments of a standup, oldest first (`standup`). All others are newest first. A page can have fewer rows than `limit`, or none, while `has_more` is true. Continue with `next_cursor` until `has_more` is false.',
      scope: 'standups:read',
      query: commentQuerySchema,
      success: {status: 200, schema: commentSchema, list: true},
      errors: ['team_not_found', 'invalid_cursor'],
      handle: async (input) => {
        const {limit = limits.pageDefault, cursor, team: teams, ...filter} = input.query;
        const past = input.cursors.open(cursor);
        const {rows, next} = await comments.listComments(input.call, {...filter, teams, past, limit});
        return presentPage(rows, next, input);
      },
    }),
    defineRoute({
      method: 'GET',
      path: single,
      operation: 'getComment',
      tag,
      summary: 'Get a comment',
      scope: 'standups:read',
      query: noQuerySchema,
      success: {status: 200, schema: commentSchema},
      errors: ['not_found'],
      handle: async (input) =>
        presentResource(await comments.findComment(input.call, input.params['comment'] ?? ''), input),
    }),
    defineRoute({
      method: 'PATCH',
      path: single,
      operation: 'editComment',
      tag,
      summary: 'Edit a comment',
      description:
        'Only its author can edit a comment, and one that was typed in Slack only there. The body is a JSON merge patch. A change without effect creates no revision and no event.',
      scope: 'comments:write',
      query: noQuerySchema,
      body: commentChangeSchema,
      success: {status: 200, schema: commentSchema},
      errors: ['forbidden', 'not_found', 'edit_in_slack', 'precondition_failed'],
      handle: async ({call, params, body, expected}) =>
        presentAnswer(await comments.editComment(call, params['comment'] ?? '', body, expected)),
    }),
    defineRoute({
      method: 'DELETE',
      path: single,
      operation: 'deleteComment',
      tag,
      summary: 'Delete a comment',
      description:
        'Its author, leads of the team, owners and admins can delete a comment. One that was typed in Slack stays there.',
      scope: 'comments:write',
      query: noQuerySchema,
      success: {status: 204},
      errors: ['forbidden', 'not_found', 'precondition_failed'],
      handle: async ({call, params, expected}) =>
        presentAnswer(await comments.deleteComment(call, params['comment'] ?? '', expected)),
    }),
  ];
}

import {limits} from '../../domain/core/limits.js';
import {
  reactionChangeSchema,
  reactionSchema,
  reactionSummarySchema,
} from '../../domain/reactions/reaction.js';
import type {Services} from '../../service/services.js';
import {presentAnswer, presentPage} from '../http/present.js';
import {type Route, defineRoute} from '../http/route.js';
import {noQuerySchema} from '../http/shared-schemas.js';
import {reactionQuerySchema} from './schemas.js';

const collection = '/v1/reactions';
const tag = 'Reactions';

export function createReactionRoutes({reactions}: Services): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: collection,
      operation: 'changeReaction',
      tag,
      summary: 'Add or remove emoji',
      description: `Changes the caller's own reaction to a standup, which everyone who reads the standup has. An emoji that is removed and added stays. Repeating a request changes nothing. A standup has at most ${limits.emojiPerSubject} different emoji, and reactions of ${limits.reactionsPerSubject} members and programs. The answer counts all its reactions.`,
      scope: 'comments:write',
      query: noQuerySchema,
      body: reactionChangeSchema,
      success: {status: 200, schema: reactionSummarySchema, tagged: false},
      errors: ['limit_reached'],
      handle: async ({call, body}) => presentAnswer(await reactions.changeReaction(call, body)),
    }),
    defineRoute({
      method: 'GET',
      path: collection,
      operation: 'listReactions',
      tag,
      summary: 'List reactions',
      description: 'Returns reactions newest first: one for each standup and member or program.',
      scope: 'standups:read',
      query: reactionQuerySchema,
      success: {status: 200, schema: reactionSchema, list: true},
      errors: ['not_found', 'invalid_cursor'],
      handle: async (input) => {
        const {limit = limits.pageDefault, cursor, subject} = input.query;
        const past = input.cursors.open(cursor);
        const {rows, next} = await reactions.listReactions(input.call, {subject, past, limit});
        return presentPage(rows, next, input);
      },
    }),
  ];
}

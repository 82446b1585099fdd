import {z} from 'zod';
import {id} from '../../domain/core/schemas.js';
import {pageParameters, personParameter, personText, teamsParameter} from '../http/shared-schemas.js';

export const commentQuerySchema = z.strictObject({
  ...pageParameters,
  standup: id('standup').optional().meta({description: 'Only comments on this standup, the oldest first.'}),
  team: teamsParameter.optional(),
  author: personParameter
    .optional()
    .meta({description: `Only comments of this author: a service account by id, or a member ${personText}`}),
});

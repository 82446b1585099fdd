import {z} from 'zod';
import {id} from '../../domain/core/schemas.js';
import {pageParameters} from '../http/shared-schemas.js';

export const reactionQuerySchema = z.strictObject({
  ...pageParameters,
  subject: id('standup').optional().meta({description: 'Only reactions to the standup with this id.'}),
});

import {z} from 'zod';
import {blockerStates} from '../../domain/blockers/blocker.js';
import {reference} from '../../domain/core/schemas.js';
import {pageParameters, personParameter, personText} from '../http/shared-schemas.js';

const queryStates = ['open', ...blockerStates] as const;

export const blockerQuerySchema = z.strictObject({
  ...pageParameters,
  team: reference.optional(),
  author: personParameter
    .optional()
    .meta({description: `Only blockers of this author: a service account by id, or a member ${personText}`}),
  state: z
    .enum(queryStates, `must be ${queryStates.map((state) => `"${state}"`).join(' or ')}`)
    .optional()
    .meta({description: 'Only blockers in this state. `open` returns those that are not resolved.'}),
});

import {z} from 'zod';
import {blockerStates} from '../../domain/blockers/blocker.js';
import {pageParameters, personParameter, personText, teamsParameter} from '../http/shared-schemas.js';

const queryStates = ['open', ...blockerStates] as const;

export const blockerQuerySchema = z.strictObject({
  ...pageParameters,
  team: teamsParameter.optional(),
  author: personParameter
    .optional()
    .meta({description: `Only blockers of this author: a service account by id, or a member ${personText}`}),
  state: z
    .enum(queryStates, `must be ${queryStates.map((state) => `"${state}"`).join(' or ')}`)
    .optional()
    .meta({description: 'Only blockers in this state. `open` returns those that are not resolved.'}),
});

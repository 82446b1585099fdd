import {z} from 'zod';
import {pageParameters, personParameter, personText, searchText} from '../http/shared-schemas.js';

export const teamQuerySchema = z.strictObject({
  ...pageParameters,
  q: searchText.optional().meta({
    description:
      'Only teams that match the search: each of its words begins a word of the name or slug. Case and accents are ignored.',
    examples: ['plat'],
  }),
  member: personParameter
    .optional()
    .meta({description: `Only teams of this member, ${personText}`, examples: ['me']}),
});

export const forceQuerySchema = z.strictObject({
  force: z
    .enum(['true', 'false'], 'must be true or false')
    .optional()
    .meta({description: "Whether to delete the team's standups with it."}),
});

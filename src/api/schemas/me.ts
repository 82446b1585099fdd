import {z} from 'zod';
import {id, instant, principalSchema} from './shared.js';

export const meSchema = z
  .object({
    object: z.literal('me'),
    principal: principalSchema,
    workspace: z.object({id: id('workspace'), slug: z.string(), name: z.string()}),
    scopes: z.array(z.string()),
    expires_at: instant,
  })
  .meta({id: 'Me', description: 'Who the access token speaks for.'});

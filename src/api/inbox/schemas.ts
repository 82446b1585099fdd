import {z} from 'zod';
import {pageParameters} from '../http/shared-schemas.js';

export const inboxQuerySchema = z.strictObject({
  ...pageParameters,
  unread: z
    .enum(['true', 'false'], 'must be true or false')
    .transform((value) => value === 'true')
    .optional()
    .meta({description: 'With `true`, only unread items.'}),
});

import {z} from 'zod';
import {type Infer, instant} from '../core/schemas.js';

export const threadSchema = z
  .object({
    comments: z.int().min(0).meta({description: 'The number of its comments.'}),
    last_comment_at: instant.nullable().meta({
      description: 'When the newest of its comments was written. Null without comments.',
    }),
  })
  .meta({
    id: 'Thread',
    description:
      'What people answered to a standup; `GET /v1/comments` has the comments. It is not part of its revision and its events.',
  });

/** What people answered to a standup, as lists of standups show it. */
export type Thread = Infer<typeof threadSchema>;

export const emptyThread: Thread = {comments: 0, last_comment_at: null};

import {z} from 'zod';
import {type Infer, instant} from '../core/schemas.js';
import {countEmoji, emojiCountSchema, type Reaction} from '../reactions/reaction.js';

export const threadSchema = z
  .object({
    comments: z.int().min(0).meta({description: 'The number of its comments.'}),
    last_comment_at: instant.nullable().meta({
      description: 'When the newest of its comments was written. Null without comments.',
    }),
    reactions: z
      .array(emojiCountSchema)
      .meta({description: 'The reactions to the standup, the earliest emoji first.'}),
  })
  .meta({
    id: 'Thread',
    description:
      'What people answered to a standup; `GET /v1/comments` has the comments. It is not part of its revision and its events.',
  });

/** The comments and reactions of a standup, as a reader sees them. */
export type Thread = Infer<typeof threadSchema>;

/** A thread as it is stored, for all readers. */
export interface StoredThread extends Omit<Thread, 'reactions'> {
  /** The oldest first. */
  readonly reactions: readonly Pick<Reaction, 'author' | 'emoji'>[];
}

export const emptyThread = {comments: 0, last_comment_at: null, reactions: []} as const satisfies Thread;

/** Shows a thread to a reader (id). */
export function presentThread(thread: StoredThread, reader: string | undefined): Thread {
  return {...thread, reactions: countEmoji(thread.reactions, reader)};
}

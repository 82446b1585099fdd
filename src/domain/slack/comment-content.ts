import type {TextFormat} from '../core/markdown.js';
import type {Id} from '../core/ids.js';

/** A comment as a chat shows it. */
export interface CommentContent {
  readonly id: Id<'comment'>;
  readonly standup: Id<'standup'>;
  readonly text: string;
  readonly format?: TextFormat | undefined;
  readonly author: {readonly name: string};
  /** The name of the standup's author. */
  readonly of: string;
}

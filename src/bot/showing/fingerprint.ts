import {createHash} from 'node:crypto';

/** Returns a hash of a message's content, short enough to be stored in the message's record. */
export function hashContent(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22);
}

import {createHash} from 'node:crypto';

/** A mark that tells the content of a message from others, short enough to be kept with its record. */
export function fingerprint(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22);
}

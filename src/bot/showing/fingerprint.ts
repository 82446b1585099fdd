import {createHash} from 'node:crypto';

/** Returns a hash that identifies the content of a message, short enough to be kept with its record. */
export function fingerprint(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22);
}

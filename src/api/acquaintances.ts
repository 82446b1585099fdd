import {LRUCache} from 'lru-cache';
import {processBounds} from '../domain/limits.js';

/**
 * The line in which a request waits for its turn, before anybody has looked at its token. One whose token was
 * good before waits behind others with that token only; all strangers wait in one line, however many they
 * are. Decides nothing but that.
 */
export interface Acquaintances {
  recognise(authorization: string): string;
  remember(authorization: string | undefined): void;
  forget(authorization: string | undefined): void;
}

export function createAcquaintances(): Acquaintances {
  const known = new LRUCache<string, true>({max: processBounds.acquaintances});
  return {
    recognise: (authorization) => (known.has(endOf(authorization)) ? endOf(authorization) : strangers),
    remember: (authorization = '') => void known.set(endOf(authorization), true),
    forget: (authorization = '') => void known.delete(endOf(authorization)),
  };
}

const strangers = '';

/** Enough of a signature that nobody meets it by chance, and no credential. */
function endOf(authorization: string): string {
  return authorization.slice(-24);
}

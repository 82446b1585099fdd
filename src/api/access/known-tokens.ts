import {LRUCache} from 'lru-cache';
import {processBounds} from '../../domain/core/limits.js';

/**
 * The line in which a request waits for its turn, before anybody has looked at its token. One whose token was
 * good before waits behind others with that token only; all strangers wait in one line, however many they
 * are, and nothing is done for them before the store has let them in. Decides nothing but that.
 */
export interface KnownTokens {
  /** The line of one whose token was good before; undefined for a stranger. */
  recognise: (authorization: string) => string | undefined;
  remember: (authorization: string | undefined) => void;
  forget: (authorization: string | undefined) => void;
}

export function createKnownTokens(): KnownTokens {
  const known = new LRUCache<string, string>({max: processBounds.knownTokens});
  return {
    recognise: (authorization) => known.get(endOf(authorization)),
    remember(authorization = '') {
      const line = copyOf(endOf(authorization));
      known.set(line, line);
    },
    forget: (authorization = '') => void known.delete(endOf(authorization)),
  };
}

/** Enough of a signature that nobody meets it by chance, and no credential. */
export function endOf(authorization: string): string {
  return authorization.slice(-24);
}

/** A part of a string keeps the whole string in memory, which is a credential. */
function copyOf(part: string): string {
  return Buffer.from(part, 'latin1').toString('latin1');
}

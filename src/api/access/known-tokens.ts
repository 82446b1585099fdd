import {createCache} from '../../domain/core/cache.js';
import {processBounds} from '../../domain/core/limits.js';

/**
 * The queue in which a request waits before its token is checked. A request whose token was valid before
 * waits only behind others with that token. All others wait in one queue, however many they are, and nothing
 * is done for them before the store has admitted them. This decides nothing else.
 */
export interface KnownTokens {
  /** The queue of a token that was valid before; undefined for an unknown one. */
  recognise: (authorization: string) => string | undefined;
  remember: (authorization: string | undefined) => void;
  forget: (authorization: string | undefined) => void;
}

export function createKnownTokens(): KnownTokens {
  const known = createCache<string>(processBounds.knownTokens);
  return {
    recognise: (authorization) => known.get(signatureEndOf(authorization)),
    remember(authorization = '') {
      const line = copyText(signatureEndOf(authorization));
      known.set(line, line);
    },
    forget: (authorization = '') => void known.delete(signatureEndOf(authorization)),
  };
}

/** Enough of a signature to be unique, but no credential. */
export function signatureEndOf(authorization: string): string {
  return authorization.slice(-24);
}

/** Copies a part of a string: the part alone would keep the whole string, a credential, in memory. */
function copyText(part: string): string {
  return Buffer.from(part, 'latin1').toString('latin1');
}

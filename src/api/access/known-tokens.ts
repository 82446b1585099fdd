import {createCache} from '../../domain/core/cache.js';
import {processBounds} from '../../domain/core/limits.js';

/**
 * Chooses the queue in which a request waits for the check of its token. A token that was valid before has
 * its own queue. All other tokens share one queue, and nothing is done for them before the store admits them.
 */
export type KnownTokens = ReturnType<typeof createKnownTokens>;

export function createKnownTokens() {
  const known = createCache<string>(processBounds.knownTokens);
  return {
    /** Returns the queue of a token that was valid before; undefined for an unknown token. */
    recognise: (authorization: string): string | undefined => known.get(getSignatureEnd(authorization)),
    remember(authorization: string | undefined = ''): void {
      const line = copyText(getSignatureEnd(authorization));
      known.set(line, line);
    },
    forget: (authorization: string | undefined = ''): void =>
      void known.delete(getSignatureEnd(authorization)),
  };
}

/** Returns the end of a token's signature: long enough to be unique, but not usable as a credential. */
export function getSignatureEnd(authorization: string): string {
  return authorization.slice(-24);
}

/** Copies a part of a string. A plain slice would keep the whole string, a credential, in memory. */
function copyText(part: string): string {
  return Buffer.from(part, 'latin1').toString('latin1');
}

import {lifetimes} from '../../domain/core/limits.js';
import type {RedisCommands} from '../core/connection.js';
import {globalKeys} from '../core/keys.js';

/** Remembers which redirects back from an identity provider have already been used, in any process. */
export function createSignInReturns({call}: RedisCommands) {
  return {
    /** Marks a redirect as used. Returns true only the first time. */
    async take(hash: string, deadline: number): Promise<boolean> {
      const lifetime = ['EX', String(lifetimes.signIn)] as const;
      const set = ['SET', globalKeys.signInReturn(hash), '1', 'NX', ...lifetime] as const;
      return (await call<string | null>(deadline, set)) !== null;
    },
  };
}

import {createCache} from '../../../domain/core/cache.js';
import type {SlackOrigin} from '../../../domain/slack/slack-installation.js';
import {keyOfUser} from './origin.js';

/** The known people who run the Slack workspace. `count`: true if they are admins of the service too. */
export type SlackAdmins = ReturnType<typeof createSlackAdmins>;

const maxKept = 10_000;

export function createSlackAdmins(count: boolean) {
  const known = createCache<true>(maxKept);
  return {
    count,
    note(origin: SlackOrigin, user: string, runs: boolean): void {
      if (runs) known.set(keyOfUser(origin, user), true);
      else known.delete(keyOfUser(origin, user));
    },
    has: (origin: SlackOrigin, user: string): boolean => known.has(keyOfUser(origin, user)),
  };
}

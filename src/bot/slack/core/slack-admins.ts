import {createCache} from '../../../domain/core/cache.js';
import type {SlackOrigin} from '../../../domain/slack/slack-installation.js';

/**
 * The people who run the Slack workspace, as far as this process knows. `count`: true if they are admins of
 * the service too.
 */
export interface SlackAdmins {
  readonly count: boolean;
  note: (origin: SlackOrigin, user: string, runs: boolean) => void;
  has: (origin: SlackOrigin, user: string) => boolean;
}

const maxKept = 10_000;

export function createSlackAdmins(count: boolean): SlackAdmins {
  const known = createCache<true>(maxKept);
  const keyOf = ({enterprise, team}: SlackOrigin, user: string) =>
    `${enterprise ?? ''}/${team ?? ''}/${user}`;
  return {
    count,
    note(origin, user, runs) {
      if (runs) known.set(keyOf(origin, user), true);
      else known.delete(keyOf(origin, user));
    },
    has: (origin, user) => known.has(keyOf(origin, user)),
  };
}

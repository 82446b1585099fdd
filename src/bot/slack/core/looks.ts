import {createCache} from '../../../domain/core/cache.js';
import type {SlackOrigin} from '../../../domain/slack/slack-installation.js';

/** Tracks the people whose Slack profile has been checked within a day, in this process. */
export interface Looks {
  /** Notes that a person uses the bot: an unchecked profile is checked later, when no one waits. */
  note: (origin: SlackOrigin, user: string) => void;
  /** Notes that Slack has sent the profile for another reason. */
  seen: (origin: SlackOrigin, user: string) => void;
  /** Checks no more profiles. */
  close: () => void;
}

/** False when Slack does not answer. Must not throw. */
export type LookAt = (origin: SlackOrigin, user: string) => Promise<boolean>;

const maxKept = 10_000;
const knownMs = 24 * 3_600_000;
/** The time after which Slack is asked again when it has not answered. */
const unknownMs = 600_000;
/** After the life of a trigger: calls that a person waits for go first. */
const laterMs = 4_000;
const maxAsked = 500;

export function createProfileChecks(
  lookAt: LookAt,
  {askAfterMs = laterMs}: {readonly askAfterMs?: number} = {},
): Looks {
  const known = createCache<true>(maxKept);
  const asked = new Map<string, NodeJS.Timeout>();

  return {
    note(origin, user) {
      const key = keyOf(origin, user);
      if (known.has(key) || asked.has(key) || asked.size >= maxAsked) return;
      const timer = setTimeout(() => {
        const looked = known.has(key) ? Promise.resolve(true) : lookAt(origin, user);
        void looked
          .then((isFound) => known.set(key, true, {ttl: isFound ? knownMs : unknownMs}))
          .finally(() => asked.delete(key));
      }, askAfterMs);
      asked.set(key, timer.unref());
    },
    seen: (origin, user) => void known.set(keyOf(origin, user), true, {ttl: knownMs}),
    close() {
      for (const timer of asked.values()) clearTimeout(timer);
      asked.clear();
    },
  };
}

/** Users are distinguished by the origin of their requests: two workspaces may know one person. */
function keyOf({enterprise, team}: SlackOrigin, user: string): string {
  return `${enterprise ?? ''}/${team ?? ''}/${user}`;
}

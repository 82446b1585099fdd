import {createCache} from '../../../domain/core/cache.js';
import type {SlackOrigin} from '../../../domain/slack/slack-installation.js';

/** Remembers the people whose Slack profile this process has checked within a day. */
export interface Looks {
  /**
   * Notes that a person uses the bot. If their profile is not checked yet, it is checked later, when nobody
   * waits.
   */
  note: (origin: SlackOrigin, user: string) => void;
  /** Notes that a person's profile is known, because Slack sent it for another reason. */
  seen: (origin: SlackOrigin, user: string) => void;
  /** Cancels all planned checks of profiles. */
  close: () => void;
}

/** Checks a person's Slack profile. Returns false when Slack does not answer. Must not throw. */
export type LookAt = (origin: SlackOrigin, user: string) => Promise<boolean>;

const maxKept = 10_000;
const knownMs = 24 * 3_600_000;
/** The time until Slack is asked again after it did not answer. */
const unknownMs = 600_000;
/** The delay of a check, longer than a trigger is valid: calls for which a person waits go first. */
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
      const key = createUserKey(origin, user);
      if (known.has(key) || asked.has(key) || asked.size >= maxAsked) return;
      const timer = setTimeout(() => {
        const looked = known.has(key) ? Promise.resolve(true) : lookAt(origin, user);
        void looked
          .then((isFound) => known.set(key, true, {ttl: isFound ? knownMs : unknownMs}))
          .finally(() => asked.delete(key));
      }, askAfterMs);
      asked.set(key, timer.unref());
    },
    seen: (origin, user) => void known.set(createUserKey(origin, user), true, {ttl: knownMs}),
    close() {
      for (const timer of asked.values()) clearTimeout(timer);
      asked.clear();
    },
  };
}

/** The key of a Slack user includes the origin of their request, since two workspaces may know one person. */
function createUserKey({enterprise, team}: SlackOrigin, user: string): string {
  return `${enterprise ?? ''}/${team ?? ''}/${user}`;
}

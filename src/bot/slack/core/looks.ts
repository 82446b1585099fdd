import {createCache} from '../../../domain/core/cache.js';
import type {SlackOrigin} from '../../../domain/slack/slack-installation.js';
import {keyOfUser} from './origin.js';

/** Remembers the people whose Slack profile this process has checked within a day. */
export type Looks = ReturnType<typeof createProfileChecks>;

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
) {
  const known = createCache<true>(maxKept);
  const asked = new Map<string, NodeJS.Timeout>();

  return {
    /** Notes that a person uses the bot. Their profile is checked later, when nobody waits. */
    note(origin: SlackOrigin, user: string): void {
      const key = keyOfUser(origin, user);
      if (known.has(key) || asked.has(key) || asked.size >= maxAsked) return;
      const timer = setTimeout(() => {
        const looked = known.has(key) ? Promise.resolve(true) : lookAt(origin, user);
        void looked
          .then((isFound) => known.set(key, true, {ttl: isFound ? knownMs : unknownMs}))
          .finally(() => asked.delete(key));
      }, askAfterMs);
      asked.set(key, timer.unref());
    },
    /** Notes that a person's profile is known, because Slack sent it for another reason. */
    seen: (origin: SlackOrigin, user: string) =>
      void known.set(keyOfUser(origin, user), true, {ttl: knownMs}),
    /** Cancels all planned checks of profiles. */
    close(): void {
      for (const timer of asked.values()) clearTimeout(timer);
      asked.clear();
    },
  };
}

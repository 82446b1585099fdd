import {LRUCache} from 'lru-cache';
import type {SlackOrigin} from '../../../domain/slack/slack-installation.js';

/** The people whose Slack profile has been looked at within a day, as far as this process knows. */
export interface Looks {
  /** Somebody uses the bot: who has not been looked at is, later, when nobody waits. */
  note: (origin: SlackOrigin, user: string) => void;
  /** Slack has told of them for another reason. */
  seen: (origin: SlackOrigin, user: string) => void;
  /** Looks at nobody any more. */
  close: () => void;
}

/** False when Slack does not tell. Must not throw. */
export type LookAt = (origin: SlackOrigin, user: string) => Promise<boolean>;

const maxKept = 10_000;
const knownMs = 24 * 3_600_000;
/** When Slack has not told, it is asked again after this time. */
const unknownMs = 600_000;
/** After the life of a trigger: what a person waits for goes first. */
const laterMs = 4_000;
const maxAsked = 500;

export function createLooks(
  lookAt: LookAt,
  {askAfterMs = laterMs}: {readonly askAfterMs?: number} = {},
): Looks {
  const known = new LRUCache<string, true>({max: maxKept});
  const asked = new Map<string, NodeJS.Timeout>();

  return {
    note(origin, user) {
      const key = keyOf(origin, user);
      if (known.has(key) || asked.has(key) || asked.size >= maxAsked) return;
      const timer = setTimeout(() => {
        const looked = known.has(key) ? Promise.resolve(true) : lookAt(origin, user);
        void looked
          .then((isTold) => known.set(key, true, {ttl: isTold ? knownMs : unknownMs}))
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

/** Users are told apart by where their requests come from: two workspaces may know one person. */
function keyOf({enterprise, team}: SlackOrigin, user: string): string {
  return `${enterprise ?? ''}/${team ?? ''}/${user}`;
}

import {LRUCache} from 'lru-cache';
import type {SlackOrigin} from '../../../domain/slack/slack-installation.js';
import {type Reader, readerOf} from '../blocks/reader.js';

/** Which locale Slack users have chosen, as far as we have heard. */
export interface Readers {
  /** At once, the default while the locale is not known; then it is asked for later, when nobody waits. */
  find: (origin: SlackOrigin, user: string) => Reader;
  /** What a profile said, when it was read for another reason; undefined when it said nothing. */
  learn: (origin: SlackOrigin, user: string, locale: string | undefined) => void;
  /** Asks for nothing any more. */
  close: () => void;
}

/** A locale as it is in the profile; undefined when Slack does not tell. Must not throw. */
export type AskLocale = (origin: SlackOrigin, user: string) => Promise<string | undefined>;

const maxKept = 10_000;
const dayMs = 24 * 3_600_000;
/** Who changes their language sees it a day later at the latest. */
const knownMs = dayMs;
/** When Slack has not told, it is asked again after this time. */
const unknownMs = 600_000;
/** After the life of a trigger: what a person waits for goes first. */
const laterMs = 4_000;
const maxAsked = 500;

export function createReaders(
  ask: AskLocale,
  {askAfterMs = laterMs}: {readonly askAfterMs?: number} = {},
): Readers {
  const locales = new LRUCache<string, {readonly locale: string | undefined}>({max: maxKept});
  const asked = new Map<string, NodeJS.Timeout>();

  function keep(key: string, locale: string | undefined): void {
    if (locale === undefined && locales.peek(key)?.locale !== undefined) return;
    locales.set(key, {locale}, {ttl: locale === undefined ? unknownMs : knownMs});
  }

  function askLater(key: string, origin: SlackOrigin, user: string): void {
    if (asked.has(key) || asked.size >= maxAsked) return;
    const timer = setTimeout(() => {
      const known = locales.has(key) ? Promise.resolve() : ask(origin, user).then((told) => keep(key, told));
      void known.finally(() => asked.delete(key));
    }, askAfterMs);
    asked.set(key, timer.unref());
  }

  return {
    find(origin, user) {
      const key = keyOf(origin, user);
      const known = locales.get(key);
      if (known === undefined) askLater(key, origin, user);
      return readerOf(known?.locale);
    },
    learn: (origin, user, locale) => keep(keyOf(origin, user), locale),
    close() {
      for (const timer of asked.values()) clearTimeout(timer);
      asked.clear();
    },
  };
}

/** Users are told apart by where their requests come from: two workspaces may know one person by two locales. */
function keyOf({enterprise, team}: SlackOrigin, user: string): string {
  return `${enterprise ?? ''}/${team ?? ''}/${user}`;
}

import {expect} from '@jest/globals';
import {until} from './until.js';

/** The matchers of `expect`, as functions that resolve once the matcher holds. */
type Eventually<T> = ReturnType<typeof expect<T>>['resolves'];
type Matchers = Record<string | symbol, (...expected: readonly unknown[]) => void>;

/**
 * Returns an `expect` for a value that changes by itself, such as a text on a page. Its matchers read the
 * value again and again until they pass. After 10 s they fail as `expect` would for the last value.
 */
export function expectEventually<T>(read: () => T | Promise<T>, negated = false): Eventually<T> {
  return new Proxy({} as Eventually<T>, {
    get: (_, name) => {
      if (name === 'not') return expectEventually(read, true);
      return (...args: readonly unknown[]) =>
        waitUntilPasses(async () => {
          // oxlint-disable-next-line jest/valid-expect -- The caller names the matcher.
          const matchers = expect(await read());
          ((negated ? matchers.not : matchers) as unknown as Matchers)[name]?.(...args);
        });
    },
  });
}

async function waitUntilPasses(check: () => Promise<void>): Promise<void> {
  let failure: unknown;
  const passes = async () => {
    try {
      await check();
      return true;
    } catch (error) {
      failure = error;
      return false;
    }
  };
  await until(passes, {withinMs: 10_000, everyMs: 60}).catch(() => {
    throw failure;
  });
}

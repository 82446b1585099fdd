import {imports} from './compiled/en/imports.ts';
import {setup} from './compiled/en/setup.ts';
import {thread} from './compiled/en/thread.ts';
import {today} from './compiled/en/today.ts';
import {enLeading} from './en-leading.ts';
import {enMore} from './en-more.ts';
import {en, type Texts} from './en.ts';

/** All messages of the pseudo-language. They are in this module, since the first paint needs none of them. */
export function createLongTexts(): Texts {
  return lengthenTexts({...en, today, setup, imports, thread, ...enMore, ...enLeading});
}

/** Makes messages a third longer and puts them between marks, for tests of the layout. */
function lengthenTexts<T>(texts: T): T {
  if (typeof texts === 'string') return `⟪${texts}${'ـ'.repeat(Math.ceil(texts.length / 3))}⟫` as T;
  if (typeof texts === 'function') {
    return ((...given: unknown[]) =>
      lengthenTexts((texts as unknown as (...given: unknown[]) => unknown)(...given))) as T;
  }
  if (typeof texts !== 'object' || texts === null) return texts;
  return Object.fromEntries(Object.entries(texts).map(([name, one]) => [name, lengthenTexts(one)])) as T;
}

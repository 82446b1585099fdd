import {LRUCache} from 'lru-cache';
import {processBounds} from '../domain/limits.js';
import {presentUnchanged} from './present.js';
import type {Handled, Reply} from './route.js';

/**
 * Pages of a list that this process has answered: of each the entity tag, and the store's mark of what it
 * shows. Whoever asks with that tag is answered by the mark alone; without it, all is read and compared.
 */
export interface KnownPages {
  /** The mark with which the caller may be answered so. */
  findHad(handled: Asked): {readonly mark: string; readonly reply: Reply} | undefined;
  /** Without a mark the page is not known again. */
  keep(handled: Asked, mark: string | undefined, tag: string): void;
}

type Asked = Pick<Handled, 'call' | 'search' | 'ifNoneMatch'>;

export function createKnownPages(): KnownPages {
  const pages = new LRUCache<string, {mark: string; tag: string}>({
    maxSize: processBounds.knownPageBytes,
    // Some 200 bytes besides its name.
    sizeCalculation: (_, name) => 200 + name.length,
  });
  // Somebody else may mean somebody else by `me`.
  const nameOf = ({call, search}: Asked) => `${call.workspace} ${call.principal.id} ${search}`;

  return {
    findHad(asked) {
      const page = asked.ifNoneMatch === undefined ? undefined : pages.get(nameOf(asked));
      const reply = page && presentUnchanged(asked.ifNoneMatch, page.tag);
      return reply && page && {mark: page.mark, reply};
    },
    keep(asked, mark, tag) {
      if (mark !== undefined) pages.set(nameOf(asked), {mark, tag});
    },
  };
}

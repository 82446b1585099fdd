import {LRUCache} from 'lru-cache';
import {processBounds} from '../../domain/core/limits.js';
import {presentUnchanged} from './present.js';
import type {HandlerInput, HandlerResponse} from './route.js';

/**
 * Pages of a list that this process has answered: for each its entity tag, and the store's mark of its
 * content. A repeated request is answered by the mark alone: with 304 if it names the tag, and else with the
 * page itself, which is kept for a moment. Without either, the page is read and compared in full.
 */
export interface KnownPages {
  /** The mark and the answer for a page that is known; undefined when the page must be read. */
  find: (request: KnownPageRequest) => {readonly mark: string; readonly reply: HandlerResponse} | undefined;
  /** Without a mark, the page will not be recognised again. */
  keep: (request: KnownPageRequest, mark: string | undefined, page: TaggedPage) => void;
}

type KnownPageRequest = Pick<HandlerInput, 'call' | 'search' | 'ifNoneMatch'>;

/** A page, and the answer for callers who do not have it. */
interface TaggedPage {
  readonly whole: HandlerResponse;
  readonly tag: string;
}

/** Short, since people may delete their texts, which must not stay in memory. */
const wholeMs = 10_000;

export function createKnownPages(): KnownPages {
  const pages = new LRUCache<string, {mark: string; tag: string}>({
    maxSize: processBounds.knownPageBytes,
    // About 200 bytes besides its name.
    sizeCalculation: (_, name) => 200 + name.length,
  });
  const wholes = new LRUCache<string, {mark: string; reply: HandlerResponse}>({
    maxSize: processBounds.wholePageBytes,
    sizeCalculation: ({reply}, name) => 500 + name.length + (reply.body?.length ?? 0),
  });
  // The principal is part of the name, since `me` means a different person for each.
  const nameOf = ({call, search}: KnownPageRequest) => `${call.workspace} ${call.principal.id} ${search}`;

  return {
    find(request) {
      const name = nameOf(request);
      const page = request.ifNoneMatch === undefined ? undefined : pages.get(name);
      const unchanged = page && presentUnchanged(request.ifNoneMatch, page.tag);
      if (page && unchanged) return {mark: page.mark, reply: unchanged};
      return wholes.get(name);
    },
    keep(request, mark, {whole, tag}) {
      if (mark === undefined) return;
      const name = nameOf(request);
      pages.set(name, {mark, tag});
      if (wholes.size === 0) setTimeout(() => wholes.clear(), wholeMs).unref();
      wholes.set(name, {mark, reply: whole});
    },
  };
}

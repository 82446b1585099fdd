import {LRUCache} from 'lru-cache';

const one = () => 1;

/**
 * Creates a cache of the `max` most recently used entries, each kept for `ttl` ms at most. With its own
 * option `max`, an LRUCache would reserve all memory at once, which takes a third of the start-up time.
 */
export function createCache<V extends object | string | number | true>(
  max: number,
  ttl?: number,
): LRUCache<string, V> {
  return new LRUCache<string, V>({maxSize: max, sizeCalculation: one, ...(ttl !== undefined && {ttl})});
}

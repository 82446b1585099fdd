import {LRUCache} from 'lru-cache';

const one = () => 1;

/**
 * The `max` entries that were used last, each for `ttl` ms at most. By its own `max` an LRUCache would reserve
 * room for all of them at once, which takes a third of the start of a service.
 */
export function createCache<V extends object | string | number | true>(
  max: number,
  ttl?: number,
): LRUCache<string, V> {
  return new LRUCache<string, V>({maxSize: max, sizeCalculation: one, ...(ttl !== undefined && {ttl})});
}

import {LRUCache} from 'lru-cache';
import {processBounds} from '../../domain/core/limits.js';

/**
 * Caches data that one plan has read, for the next plan that needs the same data. Cached data may be out of
 * date, so only the first attempt of a mutation uses it. The plan has a guard for everything that it uses: if
 * a guard fails, the second attempt reads from the store again.
 */
export interface Recollection<T> {
  get: (key: string, attempt: number) => T | undefined;
  keep: (key: string, found: T) => void;
}

/**
 * Creates a cache. `sizeOf`: the approximate size of an entry in bytes. The least recently used entry is
 * dropped first.
 */
export function createRecollection<T extends object>(sizeOf: (found: T) => number): Recollection<T> {
  const remembered = new LRUCache<string, T>({
    maxSize: processBounds.recollectionBytes,
    sizeCalculation: sizeOf,
  });
  return {
    get: (key, attempt) => (attempt === 0 ? remembered.get(key) : undefined),
    keep: (key, found) => void remembered.set(key, found),
  };
}

import {LRUCache} from 'lru-cache';
import {processBounds} from '../../domain/core/limits.js';

/**
 * What a process has read for a plan, for the next plan that needs the same. It may be out of date: only the first attempt goes by it,
 * and whoever plans with it guards every part that the plan rests on. Where one no longer holds, the second attempt reads anew.
 */
export interface Recollection<T> {
  get: (key: string, attempt: number) => T | undefined;
  keep: (key: string, found: T) => void;
}

/** `sizeOf`: about how many bytes one takes; what was used longest ago goes first. */
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

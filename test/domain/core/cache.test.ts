import {expect, test} from '@jest/globals';
import {createCache} from '../../../src/domain/core/cache.js';

test('a cache keeps entries up to its limit, and drops the least recently used one', () => {
  const cache = createCache<number>(3);
  for (const [i, key] of ['a', 'b', 'c'].entries()) cache.set(key, i);
  expect(cache.get('a')).toBe(0);
  cache.set('d', 3);
  expect([...cache.keys()]).toEqual(['d', 'a', 'c']);
  cache.set('a', 4);
  expect([cache.size, cache.get('a'), cache.get('b')]).toEqual([3, 4, undefined]);
});

test('a cache with a lifetime keeps each entry for that time', () => {
  const cache = createCache<true>(2, 60_000);
  cache.set('a', true);
  expect(cache.getRemainingTTL('a')).toBeGreaterThan(0);
  expect(cache.get('a')).toBe(true);
});

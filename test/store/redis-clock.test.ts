import {expect, it} from '@jest/globals';
import {createRedisClock} from '../../src/store/redis-clock.js';

const hour = 3_600_000;

it('regression: a clock that was wrong for a minute is forgotten with the next reading, however late that comes', () => {
  let local = 0;
  const clock = createRedisClock(() => local);
  clock.observe(24 * hour);
  local = hour;
  clock.observe(hour);
  expect(clock.now()).toBe(hour);
});

it('a reading that was long under way does not set the clock back', () => {
  let local = 0;
  const clock = createRedisClock(() => local);
  clock.observe(1_000);
  local = 6_000;
  clock.observe(6_500);
  expect(clock.now()).toBe(7_000);
});

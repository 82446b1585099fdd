import {beforeEach, expect, it} from '@jest/globals';
import {createRedisClock, type RedisClock} from '../../../src/store/core/redis-clock.js';

const minute = 60_000;
const hour = 60 * minute;
const start = Date.parse('2026-11-22T10:00:00Z');

let passed: number;
let clock: RedisClock;

beforeEach(() => {
  passed = 1_000;
  clock = createRedisClock({monotonic: () => passed, wall: () => start + passed});
  clock.observe(start + passed);
});

/** After `ms`, reads a server's clock that is `ahead` ms ahead of the local one. */
function readAfter(ms: number, ahead: number): void {
  passed += ms;
  clock.observe(start + passed + ahead);
}

it('the clock follows that of the Redis server, and counts as steady after small corrections', () => {
  for (const ahead of [0, -3_000, 2_000, 20_000, -20_000]) {
    readAfter(11_000, ahead);
    readAfter(11_000, ahead);
    expect(clock.now()).toBe(start + passed + ahead);
    expect(clock.isSteady()).toBe(true);
  }
});

it.each([10, -10, 24 * 60, -24 * 60])(
  'the clock follows a leap of %i minutes and back at once, and counts as steady ten minutes later',
  (minutes) => {
    readAfter(1_000, minutes * minute);
    expect([clock.now(), clock.isSteady()]).toEqual([start + passed + minutes * minute, false]);
    readAfter(minute, 0);
    expect([clock.now(), clock.isSteady()]).toEqual([start + passed, false]);
    readAfter(10 * minute - 1, 0);
    expect(clock.isSteady()).toBe(false);
    readAfter(1, 0);
    expect(clock.isSteady()).toBe(true);
  },
);

it('the clock does not count as steady at first in a process that starts while the server’s clock is wrong', () => {
  const late = createRedisClock({monotonic: () => passed, wall: () => start + passed});
  late.observe(start + passed + 24 * 60 * minute);
  expect(late.isSteady()).toBe(false);
  passed += 10 * minute;
  expect(late.isSteady()).toBe(true);
});

it('regression: a wrong time of the server is corrected with the next reading, however late that comes', () => {
  let local = 0;
  const clock = createRedisClock({monotonic: () => local, wall: () => local});
  clock.observe(24 * hour);
  local = hour;
  clock.observe(hour);
  expect(clock.now()).toBe(hour);
});

it('a slow reading of the server’s clock does not set the clock back', () => {
  let local = 0;
  const clock = createRedisClock({monotonic: () => local, wall: () => local});
  clock.observe(1_000);
  local = 6_000;
  clock.observe(6_500);
  expect(clock.now()).toBe(7_000);
});

import {expect, it} from '@jest/globals';
import type {Call} from '../../../src/domain/core/access.js';
import {streaming} from '../../../src/domain/core/limits.js';
import type {ServiceContext} from '../../../src/service/core/context.js';
import {createEventAwaiter} from '../../../src/service/events/await-events.js';

it('regression: a waiting read reads the log a few times a second, however many other events come', async () => {
  let time = 0;
  let reads = 0;
  const context = {
    monotonic: () => time,
    requireStillAllowed: async () => undefined,
    eventTail: {
      open: () => ({
        wait: async (after: number, withinMs: number) => {
          if (after !== Number.POSITIVE_INFINITY) return 'grown';
          time += withinMs;
          return 'still';
        },
        close: () => undefined,
      }),
    },
  };
  const awaitEvents = createEventAwaiter(context as unknown as ServiceContext, {
    listEvents: async () => {
      reads += 1;
      time += 5;
      return {rows: [], next: {sequence: reads}, more: false};
    },
    streamSlots: {take: () => () => undefined},
  });
  const call = {workspace: 'wsp_1', principal: {id: 'mem_1'}} as unknown as Call;
  const page = await awaitEvents(call, {limit: 1}, {withinMs: 30_000, signal: new AbortController().signal});
  expect(page.next).toEqual({sequence: reads});
  expect(reads).toBeGreaterThan(30);
  expect(reads).toBeLessThanOrEqual(30_000 / streaming.retry);
});

import {expect, it} from '@jest/globals';
import type {AppError} from '../../../src/domain/core/errors.js';
import {createPacer} from '../../../src/domain/core/pacer.js';

/** Creates a pacer whose ticks the test triggers, and records the names of admitted callers. */
function createStage(perTick: number, mostWaiting?: number) {
  const asked: (() => void)[] = [];
  const pace = createPacer(perTick, (run) => void asked.push(run), mostWaiting);
  const begun: string[] = [];
  const refused: string[] = [];
  return {
    begun,
    refused,
    enter: (name: string, caller?: string) =>
      void pace(caller).then(
        () => begun.push(name),
        (error: AppError) => refused.push(`${name}: ${error.code}`),
      ),
    async nextSlice() {
      for (const run of asked.splice(0)) run();
      await flushPromises();
    },
    isIdle: () => asked.length === 0,
  };
}

const flushPromises = () => new Promise((resolve) => setImmediate(resolve));

it('a pacer admits a fixed number of callers at each tick, in order of arrival', async () => {
  const stage = createStage(2);
  for (const name of ['a', 'b', 'c', 'd', 'e']) stage.enter(name);
  await flushPromises();
  expect(stage.begun).toEqual(['a', 'b']);
  await stage.nextSlice();
  expect(stage.begun).toEqual(['a', 'b', 'c', 'd']);
  stage.enter('f');
  await stage.nextSlice();
  expect(stage.begun).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
});

it('a pacer admits no caller before those that already wait', async () => {
  const stage = createStage(1);
  for (const name of ['a', 'b', 'c']) stage.enter(name);
  await stage.nextSlice();
  stage.enter('late');
  await stage.nextSlice();
  await stage.nextSlice();
  expect(stage.begun).toEqual(['a', 'b', 'c', 'late']);
});

it('a pacer admits a lone caller at once, and requests no ticks while idle', async () => {
  const stage = createStage(4);
  for (let i = 0; i < 3; i += 1) {
    stage.enter(`request ${i}`);
    await flushPromises();
    expect(stage.begun).toHaveLength(i + 1);
    await stage.nextSlice();
  }
  expect(stage.isIdle()).toBe(true);
});

it('regression: a pacer admits one request of each caller per tick, however many requests of one caller wait', async () => {
  const stage = createStage(2);
  for (let i = 0; i < 100; i += 1) stage.enter(`flood ${i}`, 'flood');
  stage.enter('a 1', 'a');
  stage.enter('a 2', 'a');
  stage.enter('b 1', 'b');
  await stage.nextSlice();
  await stage.nextSlice();
  expect(stage.begun).toEqual(['flood 0', 'flood 1', 'flood 2', 'a 1', 'b 1', 'flood 3']);
  await stage.nextSlice();
  expect(stage.begun.slice(6)).toEqual(['a 2', 'flood 4']);
  await stage.nextSlice();
  expect(stage.begun.slice(8)).toEqual(['flood 5', 'flood 6']);
});

it('regression: a pacer lets only a limited number of requests of each caller wait', async () => {
  const stage = createStage(1, 3);
  for (const name of ['a', 'b', 'c', 'd', 'e']) stage.enter(name);
  stage.enter('another', 'other');
  await flushPromises();
  expect(stage.refused).toEqual(['e: rate_limited']);
  for (let i = 0; i < 5; i += 1) await stage.nextSlice();
  expect(stage.begun).toEqual(['a', 'b', 'another', 'c', 'd']);
});

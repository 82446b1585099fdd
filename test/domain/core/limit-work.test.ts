import {expect, it} from '@jest/globals';
import {createWorkLimit} from '../../../src/domain/core/limit-work.js';

/** Creates a work limit whose work ends when the test ends it. */
function createStage(most: number) {
  const limitWork = createWorkLimit(most);
  const begun = new Map<string, PromiseWithResolvers<string>>();
  return {
    names: () => [...begun.keys()],
    run: (name: string) =>
      limitWork(() => {
        const work = Promise.withResolvers<string>();
        begun.set(name, work);
        return work.promise;
      }),
    async end(name: string, error?: Error) {
      if (error === undefined) begun.get(name)?.resolve(name);
      else begun.get(name)?.reject(error);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

it('only a fixed number of calls run at once, and the others wait in order', async () => {
  const stage = createStage(2);
  const all = ['1', '2', '3', '4'].map((name) => stage.run(name));
  expect(stage.names()).toEqual(['1', '2']);
  await stage.end('2');
  expect(stage.names()).toEqual(['1', '2', '3']);
  for (const name of ['1', '3', '4']) await stage.end(name);
  expect(await Promise.all(all)).toEqual(['1', '2', '3', '4']);
  const last = stage.run('5');
  await stage.end('5');
  expect(await last).toBe('5');
});

it('a failed call fails only for its caller, and the next one takes its place', async () => {
  const stage = createStage(1);
  const first = stage.run('1').catch((error: Error) => error.message);
  const second = stage.run('2');
  await stage.end('1', new Error('no'));
  expect(await first).toBe('no');
  await stage.end('2');
  expect(await second).toBe('2');
});

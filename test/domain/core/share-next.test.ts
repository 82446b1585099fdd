import {expect, it} from '@jest/globals';
import {createReadSharer} from '../../../src/domain/core/share-next.js';

/** Creates a call sharer whose calls end when the test ends them. */
function createStage(most: number) {
  let now = 0;
  const share = createReadSharer<string>(most, () => now);
  const begun: {name: string; end: (error?: Error) => void}[] = [];
  const flushPromises = () => new Promise((resolve) => setImmediate(resolve));
  return {
    names: () => begun.map(({name}) => name),
    pass: (ms: number) => void (now += ms),
    ask: (line: string, name: string) =>
      share(
        line,
        () =>
          new Promise((resolve, reject) => {
            begun.push({name, end: (error) => (error === undefined ? resolve(name) : reject(error))});
          }),
      ),
    flush: flushPromises,
    async end(name: string, error?: Error) {
      begun.find((one) => one.name === name)?.end(error);
      await flushPromises();
    },
  };
}

it('all callers that arrive during a call share one next call, which starts when the first ends', async () => {
  const stage = createStage(10);
  const first = stage.ask('a', '1');
  const others = ['2', '3', '4'].map((name) => stage.ask('a', name));
  expect(stage.names()).toEqual(['1']);
  await stage.end('1');
  expect(await first).toBe('1');
  expect(stage.names()).toEqual(['1', '4']);
  const late = stage.ask('a', '5');
  await stage.end('4');
  expect(await Promise.all(others)).toEqual(['4', '4', '4']);
  await stage.end('5');
  expect(await late).toBe('5');
  const again = stage.ask('a', '6');
  await stage.end('6');
  expect(await again).toBe('6');
});

it('regression: a caller whose time is over does not fail the shared call for later callers', async () => {
  const share = createReadSharer<string>(10, () => 0);
  let end = (): void => undefined;
  const first = share('a', () => new Promise((resolve) => (end = () => resolve('first'))));
  const hurried = share('a', () => Promise.reject(new Error('the deadline is over')));
  const patient = share('a', () => Promise.resolve('read'));
  end();
  expect(await Promise.all([first, hurried, patient])).toEqual(['first', 'read', 'read']);
});

it('a failed call fails only for the callers that share it', async () => {
  const stage = createStage(10);
  const first = stage.ask('a', '1');
  const second = stage.ask('a', '2');
  const failed = first.catch((error: Error) => error.message);
  await stage.end('1', new Error('no'));
  expect(await failed).toBe('no');
  await stage.end('2');
  expect(await second).toBe('2');
});

it('regression: a call that waits for a server that is away holds up other calls for a moment only', async () => {
  const stage = createStage(1);
  const stuck = stage.ask('a', 'stuck');
  const all = ['1', '2'].map((name) => stage.ask(`line ${name}`, name));
  expect(stage.names()).toEqual(['stuck']);
  stage.pass(300);
  const late = stage.ask('line 3', '3');
  await stage.flush();
  // Each that begins is counted, too.
  expect(stage.names()).toEqual(['stuck', '1']);
  for (const name of ['1', '2', '3']) await stage.end(name);
  await stage.end('stuck');
  expect(await Promise.all([stuck, ...all, late])).toEqual(['stuck', '1', '2', '3']);
});

it('only a fixed number of calls run at once, and the others wait in order', async () => {
  const stage = createStage(2);
  const all = ['1', '2', '3', '4'].map((name) => stage.ask(`line ${name}`, name));
  expect(stage.names()).toEqual(['1', '2']);
  await stage.end('2');
  expect(stage.names()).toEqual(['1', '2', '3']);
  for (const name of ['1', '3', '4']) await stage.end(name);
  expect(await Promise.all(all)).toEqual(['1', '2', '3', '4']);
  const last = stage.ask('line 5', '5');
  await stage.end('5');
  expect(await last).toBe('5');
});

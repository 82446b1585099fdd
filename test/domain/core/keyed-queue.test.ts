import {expect, it} from '@jest/globals';
import {createKeyedQueue} from '../../../src/domain/core/keyed-queue.js';

it('calls with one key run one after the other, and a failed one holds up neither them nor other keys', async () => {
  const runInOrder = createKeyedQueue();
  const log: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = runInOrder('a', async () => {
    await gate.promise;
    log.push('first');
    throw new Error('lost');
  });
  const second = runInOrder('a', async () => log.push('second'));
  const third = runInOrder('a', async () => log.push('third'));
  await runInOrder('b', async () => log.push('other key'));
  gate.resolve();
  await expect(first).rejects.toThrow('lost');
  await Promise.all([second, third]);
  expect(log).toEqual(['other key', 'first', 'second', 'third']);
});

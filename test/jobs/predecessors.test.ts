import {expect, it} from '@jest/globals';
import {AppError} from '../../src/domain/core/errors.js';
import type {JobContext} from '../../src/jobs/context.js';
import {takeOverLeases} from '../../src/jobs/predecessors.js';

it('regression: a store that is unreachable while a worker starts does not end the process', async () => {
  const away = () => Promise.reject(new AppError('service_unavailable', 'The store cannot be reached.'));
  const messages: string[] = [];
  const note = (_fields: object, message: string) => void messages.push(message);
  const context = {
    store: {workers: {join: away, leave: away, listWorkspaces: away, endLeases: away}},
    host: {own: undefined, hasEnded: () => false},
    holder: 'me',
    log: {debug: note, info: note, warn: note, error: note},
  };
  const inheritance = await takeOverLeases(context as unknown as JobContext, () => undefined);
  await inheritance.close();
  expect(messages).toEqual(['could not check whether a process has ended']);
});

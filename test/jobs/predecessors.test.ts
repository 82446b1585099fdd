import {expect, it} from '@jest/globals';
import {AppError} from '../../src/domain/core/errors.js';
import type {JobContext} from '../../src/jobs/context.js';
import type {Id} from '../../src/domain/core/ids.js';
import {takeOverLeases} from '../../src/jobs/predecessors.js';
import {globalKeys} from '../../src/store/core/keys.js';
import {newDeadline, openTestStore} from '../store/open-test-store.js';
import {asId} from '../support/ids.js';
import {until} from '../support/until.js';

it('regression: a store that is unreachable while a worker starts does not end the process', async () => {
  const away = () => Promise.reject(new AppError('service_unavailable', 'The store cannot be reached.'));
  const messages: string[] = [];
  const note = (_fields: object, message: string) => void messages.push(message);
  const context = {
    store: {workers: {join: away, leave: away, listWorkspacesDueBefore: away, endLeases: away}},
    host: {own: undefined, hasEnded: () => false},
    holder: 'me',
    log: {debug: note, info: note, warn: note, error: note},
  };
  const inheritance = await takeOverLeases(context as unknown as JobContext, () => undefined);
  await inheritance.close();
  expect(messages).toEqual(['could not check whether a process has ended']);
});

it('a successor of a dead worker looks for leases only in workspaces whose work is due by then', async () => {
  const {store} = await openTestStore();
  try {
    const {call} = store.connection;
    const silent = asId<'workspace'>('ws_1');
    const busy = asId<'workspace'>('ws_2');
    const later = asId<'workspace'>('ws_3');
    const inSlack = asId<'workspace'>('ws_4');
    const now = store.clock.now();
    await call(newDeadline(), ['SADD', globalKeys.workspaces(), silent, busy, later, inSlack]);
    await call(newDeadline(), ['ZADD', globalKeys.due(), String(now + 3_000), busy]);
    await call(newDeadline(), ['ZADD', globalKeys.due(), String(now + 60_000), later]);
    await store.workspaces.noteSlackServed(newDeadline());
    await call(newDeadline(), ['ZADD', globalKeys.slackDue(), String(now), inSlack, String(now), busy]);
    const asked: Id<'workspace'>[] = [];
    const workers: typeof store.workers = {
      ...store.workers,
      async endLeases(workspace) {
        asked.push(workspace);
        return [];
      },
    };
    await workers.join('dead', 'an ended process', newDeadline());
    const context = {
      store: {workers, frozen: store.frozen},
      host: {own: undefined, hasEnded: () => true},
      holder: 'me',
      leaseMs: 4_000,
      log: {debug: () => undefined},
    };
    const inheritance = await takeOverLeases(context as unknown as JobContext, () => undefined);
    await until(() => asked.length === 2);
    await inheritance.close();
    expect(asked).toEqual([busy, inSlack]);
  } finally {
    await store.close();
  }
});

import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {lists} from '../../../src/domain/core/lists.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {asId, asSuffix} from '../../support/ids.js';
import {openTestStore, newDeadline, type TestStore} from '../open-test-store.js';

let opened: TestStore;

beforeAll(async () => {
  opened = await openTestStore();
});

afterAll(() => opened.store.close());

it('the list of a webhook’s deliveries is trimmed up to the oldest event that the log still has', async () => {
  const {connection, deliveries} = opened.store;
  const [workspace, webhook] = [asId<'workspace'>('wsp_own'), asSuffix<'webhook'>('hook')];
  const key = workspaceKeys(workspace).list(lists.deliveriesOf(webhook)) as string;
  const names = ['a', 'b', 'c'].map((letter) => letter.repeat(16));
  await connection.call(newDeadline(), ['ZADD', key, ...names.flatMap((name, i) => [String(i + 1), name])]);
  const trim = (oldest: number) => deliveries.trim(workspace, webhook, oldest, newDeadline());
  const left = () => connection.call<string[]>(newDeadline(), ['ZRANGE', key, '0', '-1']);
  expect([await trim(1), await left()]).toEqual([0, names]);
  expect([await trim(2), await left()]).toEqual([1, names.slice(1)]);
  expect([await trim(4), await left()]).toEqual([2, []]);
});

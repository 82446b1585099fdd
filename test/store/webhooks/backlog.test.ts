import {expect, it} from '@jest/globals';
import {workName} from '../../../src/domain/core/work.js';
import {globalKeys, workspaceKeys} from '../../../src/store/core/keys.js';
import {createBacklogs} from '../../../src/store/webhooks/backlog.js';
import {asId} from '../../support/ids.js';
import {newDeadline, openTestStore} from '../open-test-store.js';

const minuteMs = 60_000;

it.each([-10, 10])(
  'waiting work is due by the clock of its own node, while that of the index is %i minutes off',
  async (minutes) => {
    const {store} = await openTestStore();
    const {connection, webhookHealths} = store;
    const workspace = asId<'workspace'>('ws_one');
    const add = (key: string, at: number, member: string) =>
      connection.call(newDeadline(), ['ZADD', key, String(at), member]);
    const now = connection.clock.now();
    await add(globalKeys.due(), now, workspace);
    await add(workspaceKeys(workspace).ready(), now - 5 * minuteMs, workName({kind: 'fan-out'}));
    await add(workspaceKeys(workspace).ready(), now + 5 * minuteMs, workName({kind: 'remind'}));
    const clock = {...connection.clock, now: () => now + minutes * minuteMs};
    const backlogs = createBacklogs({...connection, clock}, webhookHealths, async () => 0);
    const {due, dueForMs} = await backlogs.read(newDeadline());
    expect(due).toEqual({'fan-out': 1});
    expect(dueForMs['fan-out']).toBeGreaterThanOrEqual(5 * minuteMs);
    expect(dueForMs['fan-out']).toBeLessThan(6 * minuteMs);
    await store.close();
  },
);

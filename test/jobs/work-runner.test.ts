import {expect, it} from '@jest/globals';
import type {Perform, Work} from '../../src/domain/core/work.js';
import {createFairGate, type GateLimits} from '../../src/jobs/fair-gate.js';
import {createWorkRunner, type Performers} from '../../src/jobs/work-runner.js';
import {until} from '../support/until.js';
import {silentLog} from './stage.js';
import type {Id, IdSuffix} from '../../src/domain/core/ids.js';
import {asSuffix, asId} from '../support/ids.js';

interface StartedWork {
  readonly workspace: Id<'workspace'>;
  readonly name: string;
  end(answer?: {more?: boolean; lowPriority?: boolean}): void;
}

/** Creates a runner whose slices wait until the test ends them. */
function openRunner(slots: Partial<GateLimits['slots']> = {}, doubtful: readonly string[] = []) {
  const runs: StartedWork[] = [];
  const queued: string[] = [];
  let queueIsThere = true;
  const perform: Perform = ({workspace, work}) =>
    new Promise((resolve) => {
      const name = work.kind === 'deliver' ? work.webhook : work.kind;
      runs.push({
        workspace,
        name,
        end: ({more = false, lowPriority = false} = {}) => {
          runs.splice(
            runs.findIndex((run) => run.workspace === workspace && run.name === name),
            1,
          );
          resolve({more, lowPriority});
        },
      });
    });
  const kinds = [
    'fan-out',
    'deliver',
    'purge-team',
    'forget-member',
    'read-slack',
    'post-slack',
    'send-mail',
  ] as const;
  const runner = createWorkRunner({
    performers: Object.fromEntries(kinds.map((kind) => [kind, perform])) as unknown as Performers,
    queue: {
      add: (workspace, work) => void queued.push(`${workspace} ${work.kind}`),
      available: () => queueIsThere,
      work: () => undefined,
      close: async () => undefined,
    },
    gate: createFairGate({
      slots: {normal: 4, low: 1, slack: 1, mail: 1, away: 1, ...slots},
      perWorkspace: 10,
      lowRestMs: 1,
    }),
    serverOf: (workspace) => workspace.split('-')[0],
    isDoubtful: (_, work) => work.kind === 'deliver' && doubtful.includes(work.webhook),
    log: silentLog,
  });
  const names = () => runs.map(({name}) => name);
  return {
    runner,
    runs,
    queued,
    names,
    loseQueue: () => (queueIsThere = false),
    find: (name: string) => until(() => runs.find((run) => run.name === name), {what: `${name} runs`}),
  };
}

const deliver = (webhook: IdSuffix<'webhook'>): Work => ({kind: 'deliver', webhook});
const flushPromises = () => new Promise((resolve) => setImmediate(resolve));

it('slices of slow webhooks leave the slots of other webhooks free', async () => {
  const {runner, names, find} = openRunner({normal: 1, low: 2});
  const hanging = Array.from({length: 10}, (_, i) => asSuffix<'webhook'>(`hanging${i}`));
  for (const webhook of hanging) {
    runner.wake(asId('w'), deliver(webhook));
    (await find(webhook)).end({lowPriority: true});
  }
  await flushPromises();
  for (const webhook of hanging) runner.wake(asId('w'), deliver(webhook));
  await until(() => names().length === 2);
  runner.wake(asId('other'), deliver(asSuffix('healthy')));
  await find('healthy');
  expect(names()).toEqual(['hanging0', 'hanging1', 'healthy']);
});

it('regression: a slice that is requested again while it waits at the gate runs once', async () => {
  const {runner, names, find} = openRunner({normal: 1});
  runner.wake(asId('w'), deliver(asSuffix('first')));
  runner.wake(asId('w'), deliver(asSuffix('waits')));
  const first = await find('first');
  // The scheduler requests the slice again each second while it waits.
  for (let i = 0; i < 3; i++) runner.wake(asId('w'), deliver(asSuffix('waits')));
  first.end();
  (await find('waits')).end();
  await flushPromises();
  expect(names()).toEqual([]);
});

it('a webhook that may be slow gets its first slice with low priority', async () => {
  const {runner, names, find} = openRunner({normal: 2, low: 1}, ['new', 'newer']);
  runner.wake(asId('w'), deliver(asSuffix('new')));
  runner.wake(asId('w'), deliver(asSuffix('newer')));
  runner.wake(asId('w'), deliver(asSuffix('healthy')));
  await find('healthy');
  expect(names()).toEqual(['new', 'healthy']);
});

it('waiting slices of low priority use neither the queue nor the slots of others', async () => {
  const hanging = Array.from({length: 100}, (_, i) => asSuffix<'webhook'>(`hanging${i}`));
  const {runner, queued, find} = openRunner({normal: 1, low: 1}, hanging);
  for (const webhook of hanging) await runner.runQueued(asId('w'), deliver(webhook));
  runner.wake(asId('other'), deliver(asSuffix('healthy')));
  await find('healthy');
  expect(queued).toEqual([]);
});

it('a webhook whose receiver has recovered returns to normal priority', async () => {
  const {runner, names, find} = openRunner({low: 1});
  for (const webhook of [asSuffix('hanging'), asSuffix('recovering')]) {
    runner.wake(asId('w'), deliver(webhook));
    (await find(webhook)).end({lowPriority: true});
    await flushPromises();
  }
  runner.wake(asId('w'), deliver(asSuffix('recovering')));
  (await find('recovering')).end({lowPriority: false});
  await flushPromises();
  runner.wake(asId('w'), deliver(asSuffix('hanging')));
  runner.wake(asId('w'), deliver(asSuffix('recovering')));
  await find('recovering');
  expect(names().sort()).toEqual(['hanging', 'recovering']);
});

it('slices that wait for Slack take no slot from deliveries', async () => {
  const {runner, names, find} = openRunner({normal: 1, slack: 1});
  runner.wake(asId('w'), {kind: 'post-slack', channel: 'C1'});
  runner.wake(asId('w'), {kind: 'post-slack', channel: 'C2'});
  runner.wake(asId('w'), {kind: 'fan-out'});
  await find('fan-out');
  expect(names()).toEqual(['post-slack', 'fan-out']);
});

it('regression: work that waits for Slack uses neither the slots nor the queue of other work', async () => {
  const {runner, queued, find} = openRunner({normal: 1, slack: 1});
  for (let i = 0; i < 200; i++) runner.wake(asId(`w${i % 100}`), {kind: 'post-slack', channel: `C${i}`});
  runner.wake(asId('other'), deliver(asSuffix('healthy')));
  await find('healthy');
  expect(queued).toEqual([]);
});

it('a workspace with much work for Slack puts some of it in the queue, and leaves slots to other workspaces', async () => {
  const {runner, runs, queued, find} = openRunner({slack: 2});
  for (let i = 0; i < 100; i++) runner.wake(asId('busy'), {kind: 'post-slack', channel: `C${i}`});
  const left = queued.length;
  expect(left).toBeGreaterThan(0);
  runner.wake(asId('other'), {kind: 'post-slack', channel: 'C1'});
  expect(queued).toHaveLength(left);
  // The first waiting slice is of the same workspace, the second of another one.
  (await find('post-slack')).end();
  (await find('post-slack')).end();
  await until(() => runs.some(({workspace}) => workspace === 'other'));
});

it('regression: work on a server that does not answer leaves the slots to work on the others', async () => {
  const {runner, runs, names, find} = openRunner({normal: 2});
  const wakeFrozen = () => {
    for (const webhook of ['one', 'two', 'three'])
      runner.wake(asId(`frozen-${webhook}`), deliver(asSuffix(webhook)));
  };
  wakeFrozen();
  await until(() => names().length === 2, {what: 'all slots are taken'});
  runner.wake(asId('other'), deliver(asSuffix('healthy')));
  (await find('healthy')).end();
  // The third one had waited, too: there is a slot for work on such a server.
  await flushPromises();
  expect(names()).toEqual(['one', 'two', 'three']);
  runner.wake(asId('frozen-four'), deliver(asSuffix('four')));
  await flushPromises();
  expect(names()).toEqual(['one', 'two', 'three']);
  // When it answers again, its work has the usual slots.
  for (const run of runs.toReversed()) run.end();
  (await find('four')).end();
  await flushPromises();
  wakeFrozen();
  await flushPromises();
  expect(names()).toEqual(['one', 'two']);
});

it('a slice with more to do continues at the gate, behind other waiting workspaces', async () => {
  const {runner, find, queued} = openRunner({normal: 1});
  runner.wake(asId('busy'), deliver(asSuffix('backlog')));
  const first = await find('backlog');
  runner.wake(asId('other'), deliver(asSuffix('single')));
  await flushPromises();
  first.end({more: true});
  (await find('single')).end();
  await find('backlog');
  expect(queued).toEqual([]);
});

it('a process with too many slices of its own puts further ones in the queue, or runs them itself without a queue', async () => {
  const {runner, names, queued, loseQueue} = openRunner({normal: 100});
  for (let i = 0; i < 70; i++) runner.wake(asId(`w${i}`), deliver(asSuffix(`hook${i}`)));
  await until(() => names().length === 64);
  expect(queued).toHaveLength(6);
  loseQueue();
  runner.wake(asId('late'), deliver(asSuffix('late')));
  await until(() => names().includes('late'));
});

it('a stop waits for work that is running, and ends work that waits to start without running it', async () => {
  const {runner, names, find} = openRunner({normal: 1});
  runner.wake(asId('w'), deliver(asSuffix('inside')));
  const inside = await find('inside');
  const atTheGate = runner.runHere(asId('w'), deliver(asSuffix('waiting')));
  const closed = runner.close();
  await atTheGate;
  expect(names()).toEqual(['inside']);
  inside.end({more: true});
  await closed;
  expect(names()).toEqual([]);
});

it('work that is requested many times while its slice runs gets one more slice', async () => {
  const {runner, find, runs} = openRunner({normal: 1});
  runner.wake(asId('w'), deliver(asSuffix('hook')));
  const first = await find('hook');
  for (let i = 0; i < 20; i++) runner.wake(asId('w'), deliver(asSuffix('hook')));
  first.end();
  (await find('hook')).end();
  await flushPromises();
  expect(runs).toEqual([]);
});

it('mails that wait for a server that is down use neither the slots nor the queue of other work', async () => {
  const {runner, names, find} = openRunner({normal: 1, mail: 1});
  for (let i = 0; i < 100; i++) await runner.runQueued(asId(`w${i}`), {kind: 'send-mail'});
  runner.wake(asId('other'), deliver(asSuffix('healthy')));
  await find('healthy');
  expect(names()).toEqual(['send-mail', 'healthy']);
});

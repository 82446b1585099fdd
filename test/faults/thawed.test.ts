import {afterEach, expect, it} from '@jest/globals';
import {readTimeAt} from '../../src/store/core/connection.js';
import {suffixOf} from '../../src/domain/core/ids.js';
import {workspaceKeys} from '../../src/store/core/keys.js';
import {startReceiver} from '../support/receiver.js';
import {startService} from '../support/service.js';
import {startServiceProcess} from '../support/service-process.js';
import {startTestStore} from '../support/test-store.js';
import {until} from '../support/until.js';
import {asId} from '../support/ids.js';

const closings: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (let next = closings.pop(); next !== undefined; next = closings.pop()) await next();
});

it('regression: a worker that was frozen before its requests does not use a former address of a webhook', async () => {
  const store = await startTestStore({shared: true});
  closings.push(() => store.stop());
  const receiver = await startReceiver();
  closings.push(() => receiver.close());
  const web = await startService({redisUrl: store.url, env: {...store.env, ROLES: 'web'}});
  closings.push(() => web.close());
  const {request, id: workspace} = await web.addWorkspace();
  const add = async (path: string): Promise<string> => {
    const body = {url: `${receiver.url}/${path}`, events: ['standup.created']};
    return (await request('POST', '/v1/webhooks', {body})).body.id;
  };
  const [moved, disabled, deleted] = [await add('moved'), await add('disabled'), await add('deleted')];
  const worker = await startServiceProcess({
    redisUrl: store.url,
    env: {...store.env, ROLES: 'worker'},
    armable: true,
    composed: {leaseMs: 1_000},
  });
  closings.push(() => worker.kill());

  // The process freezes before its first request, so that no request can have been sent. One is about to be
  // sent, and the others may be at any earlier step.
  await Promise.all([worker.arm({name: 'before-request', hit: 1, signal: 'SIGSTOP'}), post()]);
  await until(haveLeasesEnded, {what: 'all leases have ended', everyMs: 50});
  await request('PATCH', `/v1/webhooks/${moved}`, {body: {url: `${receiver.url}/elsewhere`}});
  await request('PATCH', `/v1/webhooks/${disabled}`, {body: {enabled: false}});
  await request('DELETE', `/v1/webhooks/${deleted}`);
  worker.current().signal('SIGCONT');
  await post();
  await receiver.waitFor(
    (received) => received.filter(({path}) => path === '/elsewhere').length === 2,
    15_000,
  );
  expect(receiver.received.map(({path}) => path)).toEqual(['/elsewhere', '/elsewhere']);

  async function post(): Promise<void> {
    const {status} = await request('POST', '/v1/standups', {body: {team: 'platform', update: 'On my way.'}});
    expect(status).toBe(201);
  }

  async function haveLeasesEnded(): Promise<boolean> {
    const {connection} = web.core.store;
    const keys = workspaceKeys(workspace);
    const now = await readTimeAt(connection, keys.head(), newDeadline());
    const ends = await Promise.all(
      [moved, disabled, deleted].map((id) =>
        connection.call<string[]>(newDeadline(), [
          'ZRANGE',
          keys.inflight(suffixOf(asId<'webhook'>(id))),
          '0',
          '0',
          'WITHSCORES',
        ]),
      ),
    );
    const claimed = ends.flatMap(([, end]) => (end === undefined ? [] : [Number(end)]));
    return claimed.length > 0 && claimed.every((end) => end < now);
  }
});

function newDeadline(): number {
  return performance.now() + 5_000;
}

import {afterEach, beforeEach, expect, it} from '@jest/globals';
import {type Call, everyScope} from '../../../src/domain/core/access.js';
import {workName} from '../../../src/domain/core/work.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {addPerson, type Person} from '../../api/people.js';
import {dumpRedis} from '../../store/dump.js';
import {testRedisUrl} from '../../support/redis-server.js';
import {startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {type SlowRedis, startSlowRedis} from '../../support/slow-redis.js';
import {until} from '../../support/until.js';
import {asSuffix} from '../../support/ids.js';

let way: SlowRedis;
/** The service whose next commit waits for `holds` on the way to Redis. */
let held: TestService;
let holds = false;
/** The service that makes the changes in between. */
let other: TestService;
let workspace: TestWorkspace;

beforeEach(async () => {
  const redisUrl = await testRedisUrl();
  way = await startSlowRedis(redisUrl);
  other = await startService({redisUrl});
  held = await startService({
    redisUrl: way.url,
    env: {ROLES: 'web'},
    failpoint: (name) => {
      if (name !== 'before-commit' || !holds) return;
      holds = false;
      way.hold('everything');
    },
  });
  workspace = await other.addWorkspace();
});

afterEach(async () => {
  way.release();
  await held.close();
  await other.close();
  await way.close();
});

const newDeadline = () => performance.now() + 7_000;

/** Returns a call from Slack by a member, without a token that could be revoked. */
function callBy({id}: Pick<Person, 'id'>): Call {
  const principal = {type: 'member', id, name: 'Ada'} as const;
  return {workspace: workspace.id, principal, scopes: everyScope, deadline: newDeadline(), entryPoint: 'api'};
}

/**
 * Plans a request before `between` and sends its commit to Redis afterwards. Resolves with its refusal, or
 * undefined.
 */
async function planBefore(
  between: () => Promise<unknown>,
  mutate: (services: TestService['core']['services']) => Promise<unknown>,
): Promise<unknown> {
  holds = true;
  const ended = mutate(held.core.services).then(
    () => undefined,
    (error: unknown) => error,
  );
  await until(() => way.waiting() > 0 && !holds, {what: 'the commit is on its way'});
  await between();
  expect(way.waiting()).toBeGreaterThan(0);
  way.release();
  return ended;
}

async function erase({id}: Person): Promise<void> {
  const {status, headers} = await workspace.request('DELETE', `/v1/members/${id}?erase=true`);
  expect(status).toBe(204);
  const erasure = asSuffix<'erasure'>(headers.get('location')?.slice(-16) ?? '');
  const work = workName({kind: 'forget-member', member: id, erase: true, erasure});
  const score = ['ZSCORE', workspaceKeys(workspace.id).ready(), work] as const;
  await until(async () => (await other.core.store.connection.call(newDeadline(), score)) === null, {
    what: 'they are erased',
    withinMs: 5_000,
  });
}

const mark = 'wordsofada';

it.each(['by the author', 'by a lead'])(
  "regression: a standup posted %s before the author's erasure and committed after it is refused",
  async (by) => {
    const ada = await addPerson(other, workspace, {name: `Ada ${mark}`, team: 'platform'});
    const lead = await addPerson(other, workspace, {name: 'Lea', team: 'platform', as: 'lead'});
    const call = callBy(by === 'by a lead' ? lead : ada);
    const author = by === 'by a lead' ? {author: ada.id} : {};
    const refusal = await planBefore(
      () => erase(ada),
      ({standups}) => standups.postStandup(call, {team: 'platform', update: mark, source: 'api', ...author}),
    );
    expect(refusal).toMatchObject({code: by === 'by a lead' ? 'validation_failed' : 'forbidden'});
    expect((await workspace.request('GET', '/v1/standups')).body.data).toEqual([]);
    expect(JSON.stringify(await dumpRedis(other.redisUrl))).not.toContain(mark);
  },
);

it('regression: a new blocker is refused if its member leaves the team before the commit', async () => {
  const ada = await addPerson(other, workspace, {name: 'Ada', team: 'platform'});
  const leave = async () => {
    const path = `/v1/teams/platform/members/${ada.id}`;
    expect((await workspace.request('DELETE', path)).status).toBe(204);
  };
  const refusal = await planBefore(leave, ({blockers}) =>
    blockers.raiseBlocker(callBy(ada), {team: 'platform', text: mark}),
  );
  expect(refusal).toMatchObject({code: 'forbidden'});
  expect((await workspace.request('GET', '/v1/blockers')).body.data).toEqual([]);
});

it('regression: a reminder requested twice at once is sent once', async () => {
  await addPerson(other, workspace, {name: 'Ada', team: 'platform'});
  const call = () => ({...workspace.operator(), deadline: newDeadline()});
  // Turns off the reminder at the opening, which would be sent automatically.
  await workspace.request('PATCH', '/v1/teams/platform', {body: {prompt_at: 'before_closing'}});
  await other.core.services.runs.openRun(call(), 'platform', {minutes: 60});
  const refusal = await planBefore(
    () => other.core.services.runs.remind(call(), 'platform'),
    ({runs}) => runs.remind(call(), 'platform'),
  );
  expect(refusal).toMatchObject({code: 'rate_limited'});
  const all = await other.core.store.events.listAfter(workspace.id, 0, 100, newDeadline());
  expect(all.filter(({type}) => type === 'run.reminded').length).toBeLessThanOrEqual(1);
});

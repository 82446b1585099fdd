import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {createTeamService} from '../../../src/service/teams/teams.js';
import {createComments} from '../../../src/service/comments/comments.js';
import type {Mutate} from '../../../src/service/core/mutation.js';
import {createReactions} from '../../../src/service/reactions/reactions.js';
import {make, randomName} from '../../api/samples.js';
import {suffixOf} from '../../../src/domain/core/ids.js';
import {lists} from '../../../src/domain/core/lists.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {dumpRedis} from '../../store/dump.js';
import {createTestContext} from '../../support/service-context.js';
import {startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {until} from '../../support/until.js';
import {asId} from '../../support/ids.js';

let service: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startService();
  workspace = await service.addWorkspace();
});

afterAll(() => service.close());

const post = () =>
  service.core.services.standups.postStandup(
    {...workspace.operator(), principal: workspace.principal},
    {team: 'platform', update: 'A', source: 'api'},
  );

it('a standup posted while its team is being deleted by force is removed with the others', async () => {
  const {store} = service.core;
  const {count} = store.records;
  let posted = 0;
  const teams = createTeamService({
    ...createTestContext(service.core),
    records: {
      ...store.records,
      async count(...args) {
        const before = await count(...args);
        await post();
        posted += 1;
        return before;
      },
    },
  });
  await teams.deleteTeam(workspace.operator(), 'platform', {force: true});
  expect(posted).toBeGreaterThan(0);
  const left = () =>
    Promise.all(
      [lists.standups(), lists.standupsOfTeam(workspace.team)].map((list) =>
        count(workspace.id, list, performance.now() + 1_000),
      ),
    );
  await until(async () => (await left()).every((number) => number === 0), {what: 'no standup was left'});
});

it('a standup posted between the check and the deletion of a team prevents a deletion without force', async () => {
  const crowded = await service.addWorkspace();
  const {store, services} = service.core;
  const call = {...crowded.operator(), principal: crowded.principal};
  const {count} = store.records;
  const teams = createTeamService({
    ...createTestContext(service.core),
    records: {
      ...store.records,
      async count(...args) {
        const before = await count(...args);
        if (before === 0)
          await services.standups.postStandup(call, {team: 'platform', update: 'A', source: 'api'});
        return before;
      },
    },
  });
  await expect(teams.deleteTeam(call, 'platform', {force: false})).rejects.toMatchObject({
    code: 'team_not_empty',
  });
});

it('a standup that no event refers to any longer is erased when its team is deleted', async () => {
  const old = await service.addWorkspace();
  const {services, store} = service.core;
  const call = {...old.operator(), principal: old.principal};
  const posted = await services.standups.postStandup(call, {
    team: 'platform',
    update: 'Of long ago.',
    source: 'api',
  });
  const key = workspaceKeys(old.id).record(suffixOf(asId(posted.id ?? '')));
  const json = await store.connection.call<string>(performance.now() + 1_000, ['GET', key]);
  const aged = json.replace(/"updated_at":"[^"]+"/, '"updated_at":"2020-01-01T00:00:00.000Z"');
  await store.connection.call(performance.now() + 1_000, ['SET', key, aged]);
  await services.teams.deleteTeam(old.operator(), 'platform', {force: true});
  const left = () => store.records.count(old.id, lists.standups(), performance.now() + 1_000);
  await until(async () => (await left()) === 0, {what: 'the standup was removed'});
  expect((await dumpRedis(service.redisUrl)).text).not.toContain('Of long ago.');
});

/** A mutation between whose plan and commit something else happens once. */
function interrupt(happens: () => Promise<unknown>): Mutate {
  const {mutate} = createTestContext(service.core);
  const interrupted = async (call: never, plan: (attempt: number) => Promise<unknown>): Promise<unknown> =>
    mutate(call, (async (attempt: number) => {
      const planned = await plan(attempt);
      if (attempt === 0) await happens();
      return planned;
    }) as never);
  return interrupted as Mutate;
}

it.each(['comment', 'reaction'] as const)(
  'a %s that is written while its team is deleted leaves nothing behind',
  async (kind) => {
    const {slug, id: team} = await make(workspace, '/v1/teams', {slug: randomName()});
    const {id: standup} = await make(workspace, '/v1/standups', {team: slug, update: 'A'});
    const {records} = service.core.store;
    const count = (...names: Parameters<typeof records.count>[1][]) =>
      Promise.all(names.map((list) => records.count(workspace.id, list, performance.now() + 1_000)));
    const purged = async () => {
      await workspace.request('DELETE', `/v1/teams/${slug}?force=true`);
      const standups = lists.standupsOfTeam(asId<'team'>(team));
      await until(async () => (await count(standups))[0] === 0, {what: 'the standups were removed'});
    };
    const context = createTestContext(service.core, {mutate: interrupt(purged)});
    const call = {...workspace.operator(), principal: workspace.principal};
    const written =
      kind === 'comment'
        ? createComments(context).createComment(call, {standup, text: 'Late'})
        : createReactions(context).changeReaction(call, {subject: standup, add: ['👍']});
    await expect(written).rejects.toMatchObject({
      code: 'validation_failed',
    });
    expect(await count(lists.comments(), lists.reactions())).toEqual([0, 0]);
  },
);

it.each(['comment', 'reaction'] as const)(
  'a %s that is written while its standup is deleted leaves nothing behind',
  async (kind) => {
    const {slug} = await make(workspace, '/v1/teams', {slug: randomName()});
    const {id: standup} = await make(workspace, '/v1/standups', {team: slug, update: 'A'});
    const context = createTestContext(service.core, {
      mutate: interrupt(() => workspace.request('DELETE', `/v1/standups/${standup}`)),
    });
    const call = {...workspace.operator(), principal: workspace.principal};
    const written =
      kind === 'comment'
        ? createComments(context).createComment(call, {standup, text: 'Late'})
        : createReactions(context).changeReaction(call, {subject: standup, add: ['👍']});
    await expect(written).rejects.toMatchObject({
      code: 'validation_failed',
    });
  },
);

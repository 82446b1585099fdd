import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {createAuthority} from '../../src/service/authority.js';
import {createMutate} from '../../src/service/mutation.js';
import {createTeamService} from '../../src/service/teams.js';
import {lists} from '../../src/domain/lists.js';
import {startService, type TestService, type TestWorkspace} from '../support/service.js';
import {until} from '../support/until.js';

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
  const teams = createTeamService({
    ...store,
    mutate: createMutate({...store, sha256: () => new Uint8Array(), wake: () => undefined}),
    records: {
      ...store.records,
      async count(...args) {
        const before = await count(...args);
        await post();
        return before;
      },
    },
    drawId: () => '',
    authority: createAuthority(store),
  });
  await teams.deleteTeam(workspace.operator(), 'platform', {force: true});
  const left = () =>
    Promise.all(
      [lists.standups(), lists.standupsOfTeam(workspace.team)].map((list) =>
        count(workspace.id, list, performance.now() + 1_000),
      ),
    );
  await until(async () => (await left()).every((number) => number === 0), {what: 'no standup was left'});
});

it('a standup posted between the look and the delete saves a team from being deleted without force', async () => {
  const crowded = await service.addWorkspace();
  const {store, services} = service.core;
  const call = {...crowded.operator(), principal: crowded.principal};
  const {count} = store.records;
  const teams = createTeamService({
    ...store,
    mutate: createMutate({...store, sha256: () => new Uint8Array(), wake: () => undefined}),
    records: {
      ...store.records,
      async count(...args) {
        const before = await count(...args);
        if (before === 0)
          await services.standups.postStandup(call, {team: 'platform', update: 'A', source: 'api'});
        return before;
      },
    },
    drawId: () => '',
    authority: createAuthority(store),
  });
  await expect(teams.deleteTeam(call, 'platform', {force: false})).rejects.toMatchObject({
    code: 'team_not_empty',
  });
});

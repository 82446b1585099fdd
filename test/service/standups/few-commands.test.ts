import {afterAll, beforeAll, beforeEach, expect, it} from '@jest/globals';
import {everyScope} from '../../../src/domain/core/access.js';
import type {Team} from '../../../src/domain/teams/team.js';
import {createPeople} from '../../../src/service/members/people.js';
import {createTeamMemberService} from '../../../src/service/teams/team-members.js';
import {createRecords, type Records} from '../../../src/store/core/records.js';
import {make} from '../../api/samples.js';
import {createTestContext} from '../../support/service-context.js';
import {startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {asId} from '../../support/ids.js';

let service: TestService;
let workspace: TestWorkspace;
/** Reads records from the store, and counts the Redis commands. */
let records: Records;
let commands: string[];
let teams: readonly Team[];
const members: string[] = [];

beforeAll(async () => {
  service = await startService();
  workspace = await service.addWorkspace();
  for (let i = 0; i < 6; i += 1) {
    await make(workspace, '/v1/teams', {slug: `team-${i}`});
    members.push((await make(workspace, '/v1/members', {name: `"role":"observer" ${i}`})).id);
  }
  const put = async (team: string, member: string, role: string) => {
    const path = `/v1/teams/${team}/members/${member}`;
    expect((await workspace.request('PUT', path, {body: {role}})).status).toBe(201);
  };
  for (const team of ['team-4', 'team-1', 'team-2']) {
    await put(team, members[0] ?? '', team === 'team-1' ? 'observer' : 'lead');
  }
  for (const member of members) await put('platform', member, 'member');
  ({teams} = await service.core.store.teams.fresh(workspace.id, newDeadline()));
  const {call, run} = service.core.store.connection;
  records = createRecords({
    call(deadline, args) {
      commands.push(args[0] ?? '');
      return call(deadline, args);
    },
    run,
  });
});

beforeEach(() => {
  commands = [];
});

afterAll(() => service.close());

const newDeadline = () => performance.now() + 5_000;

it('the teams of a member are read with two Redis commands, however many there are', async () => {
  const {listTeamsOf} = createPeople(createTestContext(service.core, {records, mutate: refuse}));
  const asked = {workspace: workspace.id, deadline: newDeadline()};
  const [member = ''] = members;
  const slugs = async (only?: 'expected') =>
    (await listTeamsOf(asked, asId(member), teams, only)).map(({slug}) => slug);
  expect(await slugs()).toEqual(['platform', 'team-1', 'team-2', 'team-4']);
  expect(commands).toEqual(['ZRANGE', 'MGET']);
  expect(await slugs('expected')).toEqual(['platform', 'team-2', 'team-4']);
});

it('the members of a team are read with three Redis commands, with their current names', async () => {
  const renamed = await workspace.request('PATCH', `/v1/members/${members[2]}`, {body: {name: 'Ada "A." ü'}});
  expect(renamed.status).toBe(200);
  const context = createTestContext(service.core, {records, mutate: refuse});
  const {listTeamMembers} = createTeamMemberService(context);
  const access = {workspace: workspace.id, principal: workspace.principal, scopes: everyScope};
  const {rows} = await listTeamMembers({...access, deadline: newDeadline()}, 'platform', {limit: 50});
  const names = rows.map((json) => (JSON.parse(json) as {member: {name: string}}).member.name);
  expect(names).toContain('Ada "A." ü');
  expect(names).toHaveLength(6);
  expect(commands).toEqual(['ZRANGE', 'MGET', 'MGET']);
});

/** Refuses every change: these reads change nothing. */
const refuse = () => Promise.reject(new Error('Nothing is to be changed.'));

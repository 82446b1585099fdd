import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {createCallByService} from '../../../src/domain/core/access.js';
import {limits} from '../../../src/domain/core/limits.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {asId} from '../../support/ids.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {addPerson, type Person} from '../people.js';

const people = 300;

let service: TestService;
let workspace: TestWorkspace;
let ada: Person;
let ids: string[];

beforeAll(async () => {
  service = await startService({env: {ROLES: 'web'}});
  workspace = await service.addWorkspace();
  ada = await addPerson(service, workspace, {name: 'Ada', team: 'platform'});
  ids = [];
  const {members, teamMembers} = service.core.services;
  for (let i = 0; i < people; i++) {
    const call = createCallByService({workspace: workspace.id, deadline: performance.now() + 10_000});
    const {body} = await members.createMember(call, {name: `Person ${i}`});
    const {id} = JSON.parse(body ?? '');
    await teamMembers.setTeamMember(call, 'platform', id, 'member');
    ids.push(id);
  }
}, 120_000);

afterAll(() => service.close());

const countDue = () =>
  service.core.store.connection.call<number>(performance.now() + 5_000, [
    'ZCARD',
    workspaceKeys(workspace.id).noticesDue(),
  ]);
const unreadOf = async (id: string): Promise<number> => {
  const {store} = service.core;
  const key = workspaceKeys(workspace.id).unread(asId(id));
  return store.connection.call<number>(performance.now() + 5_000, ['ZCARD', key]);
};

it('a mention of a team of 300 is in the inbox of each, once, and is sent to a bounded number', async () => {
  const update = `[@Platform](mention:${workspace.team}) and [@Platform](mention:${workspace.team})`;
  const body: Json = {team: 'platform', update, format: 'markdown'};
  const made = await workspace.request('POST', '/v1/standups', {token: ada.token, body});
  expect(made.status).toBe(201);
  const counts = await Promise.all(ids.map(unreadOf));
  expect(counts).toEqual(ids.map(() => 1));
  expect(await countDue()).toBe(limits.inboxMessages);
});

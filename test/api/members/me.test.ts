import {afterAll, beforeAll, beforeEach, expect, it} from '@jest/globals';
import {startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {addPerson} from '../people.js';
import {suffixOf} from '../../../src/domain/core/ids.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {newDeadline} from '../../jobs/stage.js';
import {make} from '../samples.js';

let service: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startService();
});

beforeEach(async () => {
  workspace = await service.addWorkspace();
});

afterAll(() => service.close());

const me = async (token: string) => (await workspace.request('GET', '/v1/me', {token})).body;

it('GET /v1/me shows the role, the time zone and the teams of the caller by name, with the role in each team and who can read it', async () => {
  const ada = await addPerson(service, workspace, {team: 'platform', as: 'lead'});
  await make(workspace, '/v1/teams', {slug: 'elsewhere'});
  const zebra = await make(workspace, '/v1/teams', {slug: 'zebra', name: 'Aardvark', visibility: 'private'});
  await workspace.request('PUT', `/v1/teams/zebra/members/${ada.id}`);
  await workspace.request('PATCH', '/v1/members/me', {token: ada.token, body: {timezone: 'Asia/Tokyo'}});
  expect(await me(ada.token)).toMatchObject({
    principal: {type: 'member', id: ada.id, name: ada.name},
    role: 'member',
    timezone: 'Asia/Tokyo',
    teams: [
      {id: zebra.id, slug: 'zebra', name: 'Aardvark', role: 'member', visibility: 'private'},
      {id: workspace.team, slug: 'platform', name: 'Platform', role: 'lead', visibility: 'open'},
    ],
  });
});

it('GET /v1/me shows from the next request on that a role or team name changed, and that a team was left or deleted', async () => {
  const ada = await addPerson(service, workspace, {team: 'platform'});
  for (const slug of ['left', 'gone']) {
    await make(workspace, '/v1/teams', {slug});
    await workspace.request('PUT', `/v1/teams/${slug}/members/${ada.id}`);
  }
  expect((await me(ada.token)).teams).toHaveLength(3);
  await workspace.request('PATCH', `/v1/members/${ada.id}`, {body: {role: 'admin'}});
  await workspace.request('PUT', `/v1/teams/platform/members/${ada.id}`, {body: {role: 'lead'}});
  await workspace.request('PATCH', '/v1/teams/platform', {body: {name: 'Platform and tools'}});
  await workspace.request('DELETE', `/v1/teams/left/members/${ada.id}`);
  await workspace.request('DELETE', '/v1/teams/gone');
  expect(await me(ada.token)).toMatchObject({
    role: 'admin',
    timezone: null,
    teams: [
      {id: workspace.team, slug: 'platform', name: 'Platform and tools', role: 'lead', visibility: 'open'},
    ],
  });
});

it('GET /v1/me shows all teams of the caller at once, even if they are very many', async () => {
  const ada = await addPerson(service, workspace);
  const {teams, teamMembers} = service.core.services;
  const slugs = Array.from({length: 110}, (_, i) => `t${String(i).padStart(3, '0')}`);
  for (const slug of slugs) {
    await teams.createTeam(workspace.operator(), {slug});
    await teamMembers.setTeamMember(workspace.operator(), slug, ada.id, 'member');
  }
  const shown = (await me(ada.token)).teams.map(({slug}: {slug: string}) => slug);
  expect(shown).toEqual(slugs);
});

it('GET /v1/me names no team to a token that may not read teams', async () => {
  const {token} = await addPerson(service, workspace, {team: 'platform', scopes: ['standups:write']});
  expect(await me(token)).toMatchObject({role: 'member', teams: null});
});

it('GET /v1/me shows for a service account a role of its own, no time zone, and no team', async () => {
  expect(await me(workspace.token)).toMatchObject({role: 'service_account', timezone: null, teams: []});
});

it('GET /v1/me counts the blockers of the teams of the caller that are not resolved, and those of no other team', async () => {
  const ada = await addPerson(service, workspace, {team: 'platform'});
  await make(workspace, '/v1/teams', {slug: 'observed'});
  await make(workspace, '/v1/teams', {slug: 'elsewhere'});
  await workspace.request('PUT', `/v1/teams/observed/members/${ada.id}`, {body: {role: 'observer'}});
  expect((await me(ada.token)).blockers).toEqual({open: 0});
  const raise = async (team: string) => make(workspace, '/v1/blockers', {team, text: 'No tape left.'});
  const first = await raise('platform');
  await raise('platform');
  await raise('observed');
  await raise('elsewhere');
  expect((await me(ada.token)).blockers).toEqual({open: 3});
  const change = (state: string) =>
    workspace.request('PATCH', `/v1/blockers/${first.id}`, {token: ada.token, body: {state}});
  await change('acknowledged');
  expect((await me(ada.token)).blockers).toEqual({open: 3});
  await workspace.request('PATCH', `/v1/blockers/${first.id}`, {body: {state: 'resolved'}});
  expect((await me(ada.token)).blockers).toEqual({open: 2});
  await workspace.request('DELETE', '/v1/teams/observed');
  expect((await me(ada.token)).blockers).toEqual({open: 1});
});

it('GET /v1/me counts blockers for no service account, and for no token that may not read standups', async () => {
  const {token} = await addPerson(service, workspace, {team: 'platform', scopes: ['teams:read']});
  expect(await me(token)).toMatchObject({inbox: null, blockers: null});
  expect(await me(workspace.token)).toMatchObject({inbox: null, blockers: null, webhooks: null});
});

it('GET /v1/me counts enabled webhooks that are failing, for owners and admins who may manage webhooks only', async () => {
  const owner = await addPerson(service, workspace, {role: 'owner'});
  const admin = await addPerson(service, workspace, {
    role: 'admin',
    scopes: ['teams:read', 'webhooks:manage'],
  });
  const narrow = await addPerson(service, workspace, {role: 'admin', scopes: ['teams:read']});
  const member = await addPerson(service, workspace);
  const hook = (more: object) =>
    make(workspace, '/v1/webhooks', {url: 'https://receiver.example/', events: ['team.*'], ...more});
  const [failing, off] = [await hook({}), await hook({enabled: false}), await hook({})];
  for (const {id} of [failing, off])
    await service.core.store.connection.call(newDeadline(), [
      'HSET',
      workspaceKeys(workspace.id).webhookState(suffixOf<'webhook'>(id)),
      'failing',
      String(Date.now()),
    ]);
  const seen = await Promise.all([owner, admin, narrow, member].map(({token}) => me(token)));
  expect(seen.map(({webhooks}) => webhooks)).toEqual([{failing: 1}, {failing: 1}, null, null]);
});

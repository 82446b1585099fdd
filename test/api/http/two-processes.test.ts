import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {
  type Json,
  sendRequest,
  startService,
  type TestResponse,
  type TestService,
  type TestWorkspace,
} from '../../support/service.js';
import {expectProblem} from './expect-problem.js';
import {make, randomName} from '../samples.js';

let service: TestService;
let twin: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startService();
  twin = await startService({redisUrl: service.redisUrl});
  workspace = await service.addWorkspace();
});

afterAll(async () => {
  await twin.close();
  await service.close();
});

const inTwin = (method: string, path: string, body?: Json): Promise<TestResponse> =>
  sendRequest(twin.url, method, path, {token: workspace.token, ...(body !== undefined && {body})});

/** A team that both processes have cached. */
async function knownTeam(more: Json = {}): Promise<Json> {
  const team = await make(workspace, '/v1/teams', {slug: randomName(), ...more});
  await make(workspace, '/v1/standups', {team: team.slug, update: 'Known here.'});
  expect((await inTwin('POST', '/v1/standups', {team: team.slug, update: 'Known there.'})).status).toBe(201);
  return team;
}

it('a team created in one process exists in the other at once', async () => {
  await knownTeam();
  const team = await make(workspace, '/v1/teams', {slug: randomName()});
  expect((await inTwin('POST', '/v1/standups', {team: team.slug, update: 'New.'})).status).toBe(201);
});

it('a post in one process for a team deleted in the other is refused', async () => {
  const team = await knownTeam();
  expect((await inTwin('DELETE', `/v1/teams/${team.slug}?force=true`)).status).toBe(204);
  const body = {team: team.slug, update: 'Too late.'};
  expectProblem(await workspace.request('POST', '/v1/standups', {body}), 'team_not_found');
});

it('a time zone changed in one process decides the date of the next standup in the other', async () => {
  const team = await knownTeam({timezone: 'Pacific/Kiritimati'});
  await inTwin('PATCH', `/v1/teams/${team.slug}`, {timezone: 'Pacific/Pago_Pago'});
  const {date} = await make(workspace, '/v1/standups', {team: team.slug, update: 'Whose day?'});
  expect(date).toBe(new Date().toLocaleDateString('en-CA', {timeZone: 'Pacific/Pago_Pago'}));
});

it('a slug released in one process leads to the new team in the other', async () => {
  const team = await knownTeam();
  await inTwin('DELETE', `/v1/teams/${team.slug}?force=true`);
  const next = (await inTwin('POST', '/v1/teams', {slug: team.slug})).body;
  const standup = await make(workspace, '/v1/standups', {team: team.slug, update: 'For the new one.'});
  expect(standup.team_id).toBe(next.id);
});

it('each of many posts during the deletion of a team over two processes is refused, or removed with the team', async () => {
  const team = await knownTeam();
  const body = {team: team.slug, update: 'Just in time?'};
  const posts = Array.from({length: 20}, (_, i) =>
    i % 2 === 0 ? workspace.request('POST', '/v1/standups', {body}) : inTwin('POST', '/v1/standups', body),
  );
  const [gone, ...answers] = await Promise.all([
    inTwin('DELETE', `/v1/teams/${team.slug}?force=true`),
    ...posts,
  ]);
  expect(gone.status).toBe(204);
  for (const {status, body: made} of answers) {
    expect([201, 422]).toContain(status);
    if (status === 201) expectProblem(await workspace.request('GET', `/v1/standups/${made.id}`), 'not_found');
  }
  const list = await workspace.request('GET', '/v1/standups?limit=100');
  expect(list.text).not.toContain('Just in time?');
});

it('an edit in one process is read in the other, which refuses an older If-Match', async () => {
  const standup = await make(workspace, '/v1/standups', {team: 'platform', update: 'One.'});
  const path = `/v1/standups/${standup.id}`;
  await inTwin('PATCH', path, {update: 'Two.'});
  expect((await workspace.request('GET', path)).body).toMatchObject({update: 'Two.', revision: 2});
  const headers = {'if-match': '"1"'};
  expectProblem(
    await workspace.request('PATCH', path, {body: {update: 'Three.'}, headers}),
    'precondition_failed',
  );
});

import {afterAll, beforeAll, beforeEach, expect, it} from '@jest/globals';
import {startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {addPerson, type Person} from '../people.js';

let service: TestService;
let workspace: TestWorkspace;
let owner: Person;

beforeAll(async () => {
  service = await startService();
});

beforeEach(async () => {
  workspace = await service.addWorkspace();
  owner = await addPerson(service, workspace, {name: 'Owner', role: 'owner'});
});

afterAll(() => service.close());

type Steps = Readonly<Record<string, string>>;

async function findSetup({token}: {readonly token: string}): Promise<{next: string | null; steps: Steps}> {
  const {status, body} = await workspace.request('GET', '/v1/setup', {token});
  expect({status, object: body.object}).toEqual({status: 200, object: 'setup'});
  const rows = body.steps as {step: string; state: string}[];
  return {next: body.next, steps: Object.fromEntries(rows.map(({step, state}) => [step, state]))};
}

const change = (method: string, path: string, body: object, token = owner.token) =>
  workspace.request(method, path, {body, token});

it('a new workspace with a team has every other step open, and none that the installation does not offer', async () => {
  expect(await findSetup(owner)).toEqual({
    next: 'workspace',
    steps: {
      team: 'done',
      workspace: 'open',
      you: 'open',
      timezone: 'open',
      sign_in: 'off',
      invite: 'open',
      schedule: 'open',
      questions: 'open',
      first_standup: 'open',
      slack: 'off',
      webhook: 'open',
    },
  });
});

it.each<[step: string, act: () => Promise<{status: number}>]>([
  ['workspace', () => change('PATCH', '/v1/workspace', {name: 'Example Inc'})],
  ['you', () => change('PATCH', `/v1/members/${owner.id}`, {name: 'Ada Lovelace'})],
  ['timezone', () => change('PATCH', `/v1/members/${owner.id}`, {timezone: 'Europe/Berlin'})],
  ['invite', () => change('POST', '/v1/invites', {emails: ['grace@example.com']})],
  ['invite', () => change('POST', '/v1/members', {name: 'Grace Hopper'})],
  [
    'schedule',
    () =>
      change('PATCH', '/v1/teams/platform', {
        schedule: {frequency: 'weekly', days: ['mon'], opens: '09:00', closes: '11:00'},
      }),
  ],
  [
    'questions',
    () => change('PATCH', '/v1/teams/platform', {questions: [{key: 'next', label: 'Next?', type: 'text'}]}),
  ],
  ['first_standup', () => change('POST', '/v1/standups', {team: 'platform', update: 'Set up the service.'})],
  ['webhook', () => change('POST', '/v1/webhooks', {url: 'https://example.com/hook', events: ['*']})],
])('the step "%s" is done by the operation that does it, and no other step is', async (step, act) => {
  await workspace.request('PUT', `/v1/teams/platform/members/${owner.id}`);
  const before = (await findSetup(owner)).steps;
  expect((await act()).status).toBeLessThan(300);
  expect((await findSetup(owner)).steps).toEqual({...before, [step]: 'done'});
});

it('an invite that was ended does not count as an invited team', async () => {
  const {body} = await change('POST', '/v1/invites', {emails: ['grace@example.com']});
  expect((await findSetup(owner)).steps['invite']).toBe('done');
  await workspace.request('DELETE', `/v1/invites/${body.data[0].id}`, {token: owner.token});
  expect((await findSetup(owner)).steps['invite']).toBe('open');
});

it('the next step is the first open one that is not optional, and null at the end', async () => {
  const next = async () => (await findSetup(owner)).next;
  const order: (string | null)[] = [await next()];
  await change('PATCH', '/v1/workspace', {name: 'Example Inc'});
  order.push(await next());
  await change('PATCH', `/v1/members/${owner.id}`, {name: 'Ada', timezone: 'Europe/Berlin'});
  order.push(await next());
  await addPerson(service, workspace, {name: 'Grace'});
  order.push(await next());
  await change('PATCH', '/v1/teams/platform', {
    schedule: {frequency: 'weekly', days: ['mon'], opens: '09:00', closes: '11:00'},
  });
  order.push(await next());
  const {token} = await addPerson(service, workspace, {name: 'Lin', team: 'platform'});
  await change('POST', '/v1/standups', {team: 'platform', update: 'Hello.'}, token);
  order.push(await next());
  expect(order).toEqual(['workspace', 'you', 'invite', 'schedule', 'first_standup', null]);
});

it('without a team, its creation is the first step and the next one, whatever is done already', async () => {
  const first = async () => {
    const {next, steps} = await findSetup(owner);
    return [next, Object.entries(steps)[0]];
  };
  expect(await first()).toEqual(['workspace', ['team', 'done']]);
  await change('PATCH', '/v1/teams/platform', {paused: true});
  expect(await first()).toEqual(['workspace', ['team', 'done']]);
  await change('DELETE', '/v1/teams/platform', {});
  expect(await first()).toEqual(['team', ['team', 'open']]);
  await change('PATCH', '/v1/workspace', {name: 'Example Inc'});
  await change('POST', '/v1/invites', {emails: ['grace@example.com']});
  expect(await first()).toEqual(['team', ['team', 'open']]);
  expect((await change('POST', '/v1/teams', {slug: 'mobile', name: 'Mobile'})).status).toBe(201);
  expect(await first()).toEqual(['you', ['team', 'done']]);
});

it('a workspace that deletes its last team after its standups begins with a team again', async () => {
  await workspace.request('PUT', `/v1/teams/platform/members/${owner.id}`);
  await change('POST', '/v1/standups', {team: 'platform', update: 'Hello.'});
  expect((await change('DELETE', '/v1/teams/platform?force=true', {})).status).toBe(204);
  const {next, steps} = await findSetup(owner);
  expect(next).toBe('team');
  expect(steps).toMatchObject({team: 'open', schedule: 'open', questions: 'open'});
});

it('a member gets only their own steps, and the standup of another person is not theirs', async () => {
  const lin = await addPerson(service, workspace, {name: 'Lin', team: 'platform'});
  const grace = await addPerson(service, workspace, {name: 'Grace', team: 'platform'});
  await change('POST', '/v1/standups', {team: 'platform', update: 'Hello.'}, grace.token);
  expect(await findSetup(lin)).toEqual({
    next: 'timezone',
    steps: {you: 'done', timezone: 'open', sign_in: 'off', first_standup: 'open'},
  });
  expect((await findSetup(grace)).steps['first_standup']).toBe('done');
});

it('a service account gets the steps of the workspace, and none of a person', async () => {
  const {steps} = await findSetup(workspace);
  expect(Object.keys(steps)).toEqual([
    'team',
    'workspace',
    'invite',
    'schedule',
    'questions',
    'first_standup',
    'slack',
    'webhook',
  ]);
});

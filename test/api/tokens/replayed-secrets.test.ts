import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {expectProblem} from '../http/expect-problem.js';
import {addPerson} from '../people.js';
import {randomName} from '../samples.js';

let service: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startService();
  workspace = await service.addWorkspace();
});

afterAll(() => service.close());

const repeatable = (token: string, path: string, body: Json) => {
  const headers = {'idempotency-key': randomName()};
  return (as: string = token) => workspace.request('POST', path, {token: as, headers, body});
};

describe('regression: a repeated request', () => {
  it('does not return the value of a token with more scopes that was created with the same key', async () => {
    const narrow = await workspace.addToken({scopes: ['tokens:manage']});
    const create = repeatable(workspace.token, '/v1/tokens', {name: 'wide', scopes: ['members:write']});
    const made = await create();
    expect(made.status).toBe(201);
    const refused = await create(narrow.value);
    expectProblem(refused, 'scope_escalation');
    expect(refused.text).not.toContain(made.body.token);
    expect((await create()).text).toBe(made.text);
  });

  it('does not return a standup posted for another member to a token that may not post for others', async () => {
    const ada = await addPerson(service, workspace, {name: 'Ada', team: 'platform'});
    const plain = await workspace.addToken({scopes: ['standups:write']});
    const post = repeatable(workspace.token, '/v1/standups', {
      team: 'platform',
      update: 'For Ada.',
      author: ada.id,
    });
    expect((await post()).status).toBe(201);
    expectProblem(await post(plain.value), 'insufficient_scope');
  });

  it('returns no secrets to a former manager of the workspace, but returns other answers', async () => {
    const admin = await addPerson(service, workspace, {name: 'Eve', role: 'admin', team: 'platform'});
    const secrets = [
      repeatable(admin.token, '/v1/tokens', {
        name: 'robot',
        service_account: 'robot',
        scopes: ['teams:read'],
      }),
      repeatable(admin.token, '/v1/invites', {emails: ['new@example.com']}),
      repeatable(admin.token, '/v1/webhooks', {url: 'https://hooks.example/eve', events: ['*']}),
    ];
    const post = repeatable(admin.token, '/v1/members', {name: 'Somebody'});
    for (const ask of [...secrets, post]) expect((await ask()).status).toBe(201);
    const demoted = await workspace.request('PATCH', `/v1/members/${admin.id}`, {body: {role: 'member'}});
    expect(demoted.status).toBe(200);
    for (const ask of secrets) expectProblem(await ask(), 'forbidden');
    const {status, headers} = await post();
    expect({status, replayed: headers.get('idempotent-replayed')}).toEqual({status: 201, replayed: 'true'});
  });

  it('returns secrets of deleted resources only to callers who may still read them', async () => {
    const admin = await addPerson(service, workspace, {name: 'Eli', role: 'admin', team: 'platform'});
    const hook = {url: 'https://hooks.example/eli', events: ['*']};
    const create = repeatable(admin.token, '/v1/webhooks', hook);
    const webhook = (await create()).body;
    const rotate = repeatable(admin.token, `/v1/webhooks/${webhook.id}/rotate-secret`, {});
    const token = repeatable(admin.token, '/v1/tokens', {name: 'eli', service_account: 'eli'});
    const made = [await create(), await rotate(), await token()];
    expect(made.map(({status}) => status)).toEqual([201, 200, 201]);
    expect((await workspace.request('DELETE', `/v1/webhooks/${webhook.id}`)).status).toBe(204);
    expect((await workspace.request('DELETE', `/v1/tokens/${made[2]?.body.id}`)).status).toBe(204);
    const repeats = [create, rotate, token];
    for (const [i, ask] of repeats.entries()) expect((await ask()).text).toBe(made[i]?.text);
    await workspace.request('PATCH', `/v1/members/${admin.id}`, {body: {role: 'member'}});
    for (const ask of repeats) expectProblem(await ask(), 'forbidden');
  });
});

import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import type {Scope} from '../../../src/domain/core/access.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {expectProblem} from '../http/expect-problem.js';
import {until} from '../../support/until.js';
import {addPerson, type Person} from '../people.js';
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

const addTokenOf = async ({id, name}: Person, scopes: readonly Scope[], lifetime?: number) => {
  const holder = {type: 'member', id, name} as const;
  const input = {name: 'another', holder, scopes, lifetime};
  return (await service.core.services.tokens.issueToken(workspace.operator(), input)).value;
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

  it('does not return a sign-in link that another token of the person created with the same key', async () => {
    const lin = await addPerson(service, workspace, {name: 'Lin', role: 'admin'});
    const narrow = await addTokenOf(lin, ['tokens:manage']);
    const create = repeatable(lin.token, '/v1/sign-in-links', {});
    const made = await create();
    expect(made.body.scopes).toContain('workspace:manage');
    const refused = await create(narrow);
    expectProblem(refused, 'forbidden');
    expect(refused.text).not.toContain(made.body.url);
    expect((await create()).text).toBe(made.text);
  });

  it('does not return a token that would outlive the token of the caller', async () => {
    const lea = await addPerson(service, workspace, {name: 'Lea', role: 'admin'});
    const brief = await addTokenOf(lea, ['tokens:manage', 'standups:read'], 60);
    const create = repeatable(lea.token, '/v1/tokens', {name: 'long', scopes: ['standups:read']});
    const made = await create();
    const refused = await create(brief);
    expectProblem(refused, 'forbidden');
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

  it('says as documented that the sign-in link of a member who is erased by now is gone', async () => {
    const owner = await addPerson(service, workspace, {name: 'Olga', role: 'owner'});
    const ada = await addPerson(service, workspace, {name: 'Ada'});
    const link = repeatable(owner.token, '/v1/sign-in-links', {member: ada.id});
    expect((await link()).status).toBe(201);
    await workspace.request('DELETE', `/v1/members/${ada.id}?erase=true`);
    await until(async () => (await link()).status === 404, {what: 'the end of the erasure'});
    expectProblem(await link(), 'not_found');
  });
});

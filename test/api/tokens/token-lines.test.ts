import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {createTestBrowser} from '../../dashboard/test-browser.js';
import {dumpRedis} from '../../store/dump.js';
import {until} from '../../support/until.js';
import {expectProblem} from '../http/expect-problem.js';
import {addPerson, type Person} from '../people.js';
import {eventsOf, make} from '../samples.js';
import {sampleUnlessDeep} from '../../support/deep.js';

let service: TestService;
let workspace: TestWorkspace;
let owner: Person;

beforeAll(async () => {
  service = await startService();
  workspace = await service.addWorkspace();
  owner = await addPerson(service, workspace, {name: 'Olga Owner', role: 'owner'});
});

afterAll(() => service.close());

const ask = (token: string, method: string, path: string, body?: Json) =>
  workspace.request(method, path, {token, ...(body && {body})});

const manager = ['members:write', 'members:read', 'tokens:manage', 'standups:read'];

/** A token made with another one. */
async function makeWith(token: string, body: Json = {}): Promise<Json> {
  const answer = await ask(token, 'POST', '/v1/tokens', {name: 'made', scopes: manager, ...body});
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body;
}

const statusOf = async (token: string) => (await ask(token, 'GET', '/v1/me')).status;
const revokedTokens = async () =>
  (await eventsOf(workspace)).filter(({type}) => type === 'token.revoked').map(({data}) => data?.id);

describe('regression: a token and its parent', () => {
  it('keep the order of their expiry: in every generation, a token expires no later than its parent', async () => {
    const {value, id} = await workspace.addToken({name: 'brief', lifetime: 60});
    const child = await makeWith(value, {expires_in: 31_622_400});
    const grandchild = await makeWith(child.token);
    const {body: parent} = await ask(value, 'GET', `/v1/tokens/${id}`);
    expect([child, grandchild]).toMatchObject([
      {expires_at: parent.expires_at, parent: id},
      {expires_at: parent.expires_at, parent: child.id},
    ]);
    const shorter = await makeWith(workspace.token, {expires_in: 120});
    expect(Date.parse(shorter.expires_at)).toBeLessThan(Date.now() + 121_000);
  });

  it('are revoked together in all generations, with an event for each', async () => {
    const before = await revokedTokens();
    const root = await makeWith(workspace.token, {service_account: 'root'});
    const child = await makeWith(root.token, {service_account: 'child'});
    const grandchild = await makeWith(child.token);
    const other = await makeWith(workspace.token, {service_account: 'root'});
    expect((await ask(owner.token, 'DELETE', `/v1/tokens/${root.id}`)).status).toBe(204);
    for (const {token} of [root, child, grandchild]) expect(await statusOf(token)).toBe(401);
    for (const {id} of [child, grandchild]) {
      expectProblem(await ask(owner.token, 'GET', `/v1/tokens/${id}`), 'not_found');
    }
    expect(await statusOf(other.token)).toBe(200);
    const revoked = (await revokedTokens()).slice(before.length);
    expect(new Set(revoked)).toEqual(new Set([root.id, child.id, grandchild.id]));
  });

  it('are revoked together even if there are more than fit into one commit', async () => {
    const root = await makeWith(workspace.token, {service_account: 'many'});
    const made: Json[] = [];
    const accounts = ['a', 'b', 'c', 'd'].map((one) => ({service_account: `many ${one}`}));
    for (let i = 0; i < 28; i++) {
      made.push(...(await Promise.all(accounts.map((account) => makeWith(root.token, account)))));
    }
    expect((await ask(owner.token, 'DELETE', `/v1/tokens/${root.id}`)).status).toBe(204);
    const states = await Promise.all(sampleUnlessDeep(made, 12).map(({token}) => statusOf(token)));
    expect(states.filter((status) => status !== 401)).toEqual([]);
    const revoked = new Set(await revokedTokens());
    expect(made.filter(({id}) => !revoked.has(id))).toEqual([]);
  });
});

it('a token created while its parent is revoked is refused too', async () => {
  const root = await makeWith(workspace.token, {service_account: 'racing'});
  const [revoked, ...made] = await Promise.all([
    ask(owner.token, 'DELETE', `/v1/tokens/${root.id}`),
    ...Array.from({length: 8}, () => ask(root.token, 'POST', '/v1/tokens', {name: 'raced', scopes: manager})),
  ]);
  expect(revoked?.status).toBe(204);
  for (const {status, body} of made) {
    expect([201, 401]).toContain(status);
    if (status === 201) expect(await statusOf(body.token)).toBe(401);
  }
});

describe('regression: tokens that a member created for others', () => {
  /** An admin with a token for a service account, one for a member, and the tokens made with those. */
  async function addMaker(): Promise<{admin: Person; made: Json[]; own: Json}> {
    const admin = await addPerson(service, workspace, {name: 'Adam Admin', role: 'admin'});
    const helper = await addPerson(service, workspace, {name: 'Helper'});
    const ci = await makeWith(admin.token, {service_account: 'ci of adam'});
    const forHelper = await makeWith(admin.token, {member: helper.id});
    const own = await makeWith(admin.token);
    return {admin, made: [ci, forHelper, await makeWith(ci.token, {service_account: 'further'})], own};
  }

  it('stop working after the member is removed', async () => {
    const {admin, made, own} = await addMaker();
    expect((await ask(owner.token, 'DELETE', `/v1/members/${admin.id}`)).status).toBe(204);
    for (const {token} of [...made, own]) {
      const answer = await ask(token, 'POST', '/v1/members', {name: 'Backdoor', role: 'admin'});
      expectProblem(answer, 'invalid_token');
    }
    const revoked = await revokedTokens();
    expect(made.filter(({id}) => !revoked.includes(id))).toEqual([]);
  });

  it.each([
    ['admin', 'member'],
    ['owner', 'admin'],
  ])(
    "stop working if the member was %s and becomes %s, while the member's own continue with that role",
    async (from, to) => {
      const {admin, made, own} = await addMaker();
      if (from === 'owner') await ask(owner.token, 'PATCH', `/v1/members/${admin.id}`, {role: 'owner'});
      for (const {token} of made) expect(await statusOf(token)).toBe(200);
      expect((await ask(owner.token, 'PATCH', `/v1/members/${admin.id}`, {role: to})).status).toBe(200);
      for (const {token} of made) expect(await statusOf(token)).toBe(401);
      for (const token of [admin.token, own.token]) expect(await statusOf(token)).toBe(200);
    },
  );

  it('a member who becomes an owner keeps their own token, and no token that an admin created for them', async () => {
    const admin = await addPerson(service, workspace, {name: 'Adam Admin', role: 'admin'});
    const rising = await addPerson(service, workspace, {name: 'Rita Rising'});
    const other = await addPerson(service, workspace, {name: 'Otto Owner', role: 'owner'});
    const ofOwner = await makeWith(other.token, {member: rising.id});
    const own = await makeWith(rising.token);
    const made = await makeWith(admin.token, {member: rising.id});
    const further = await makeWith(made.token);
    const link = await ask(admin.token, 'POST', '/v1/sign-in-links', {member: rising.id});
    const used = await ask(admin.token, 'POST', '/v1/sign-in-links', {member: rising.id});
    const browser = createTestBrowser(service);
    expect((await browser.signIn(used.body.url)).status).toBe(201);
    await ask(owner.token, 'PATCH', `/v1/members/${rising.id}`, {role: 'admin'});
    for (const {token} of [rising, ofOwner, own, made, further]) expect(await statusOf(token)).toBe(200);
    await ask(owner.token, 'PATCH', `/v1/members/${rising.id}`, {role: 'owner'});
    for (const {token} of [rising, ofOwner, own]) expect(await statusOf(token)).toBe(200);
    for (const {token} of [made, further]) expect(await statusOf(token)).toBe(401);
    expect((await browser.ask('POST', '/app/session/token')).status).toBe(401);
    expect((await createTestBrowser(service).signIn(link.body.url)).status).toBe(401);
    const revoked = await revokedTokens();
    expect([made.id, further.id, link.body.id].filter((id) => !revoked.includes(id))).toEqual([]);
  });

  it('a higher role, or a changed name, revokes no token that a member created for others', async () => {
    const {admin, made} = await addMaker();
    await ask(owner.token, 'PATCH', `/v1/members/${admin.id}`, {name: 'Adam', role: 'owner'});
    for (const {token} of made) expect(await statusOf(token)).toBe(200);
  });

  it('the name of an erased member is removed from tokens of others', async () => {
    const {admin} = await addMaker();
    await ask(owner.token, 'PATCH', `/v1/members/${admin.id}`, {name: 'Adam Unmistakable'});
    // A process refreshes a caller's name after half a minute; another process has the new name at once.
    const twin = await startService({redisUrl: service.redisUrl});
    const headers = {authorization: `Bearer ${admin.token}`, 'content-type': 'application/json'};
    const body = JSON.stringify({name: 'made', service_account: 'ci of adam'});
    expect((await fetch(`${twin.url}/v1/tokens`, {method: 'POST', headers, body})).status).toBe(201);
    await twin.close();
    expect((await dumpRedis(service.redisUrl)).text).toContain('Adam Unmistakable');
    await ask(owner.token, 'DELETE', `/v1/members/${admin.id}?erase=true`);
    const isGone = async () => !(await dumpRedis(service.redisUrl)).text.includes('Adam Unmistakable');
    await until(isGone, {what: 'the name to be gone', withinMs: 20_000});
  });
});

describe('GET /v1/tokens?created_by=', () => {
  it('lists the tokens that a principal has created, for themselves and for others', async () => {
    const admin = await addPerson(service, workspace, {name: 'Maker', role: 'admin'});
    const ci = await makeWith(admin.token, {service_account: 'listed'});
    const own = await makeWith(admin.token);
    const {body} = await ask(owner.token, 'GET', `/v1/tokens?created_by=${admin.id}`);
    expect(body.data).toMatchObject([
      {id: own.id, created_by: {type: 'member', id: admin.id, name: 'Maker'}},
      {id: ci.id, created_by: {id: admin.id}, holder: {name: 'listed'}},
    ]);
    const narrow = await ask(ci.token, 'GET', `/v1/tokens?created_by=${owner.id}`);
    expect(narrow.body.data).toEqual([]);
    expectProblem(await ask(owner.token, 'GET', '/v1/tokens?created_by=me'), 'invalid_parameter');
  });

  it('has the same tokens as an export of the member', async () => {
    const admin = await addPerson(service, workspace, {name: 'Exported', role: 'admin'});
    const ci = await makeWith(admin.token, {service_account: 'exported'});
    const {text} = await ask(admin.token, 'GET', `/v1/members/${admin.id}/export`);
    const ids = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).id]));
    expect(ids.filter((id) => id === ci.id)).toHaveLength(1);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('shows a plain member only their own tokens', async () => {
    const ada = await addPerson(service, workspace, {name: 'Ada'});
    const own = await makeWith(ada.token);
    const {body} = await ask(ada.token, 'GET', `/v1/tokens?created_by=${ada.id}`);
    expect(body.data).toMatchObject([{id: own.id}]);
    expect((await ask(ada.token, 'GET', `/v1/tokens?created_by=${owner.id}`)).body.data).toEqual([]);
  });

  it('shows no creator for the tokens that the operator has created', async () => {
    const {id} = await workspace.addToken({name: 'by hand'});
    const {body} = await ask(owner.token, 'GET', `/v1/tokens/${id}`);
    expect(body).toMatchObject({created_by: null, parent: null});
  });
});

describe('service accounts', () => {
  let home: TestWorkspace;
  let admin: Person;
  let member: Person;

  beforeAll(async () => {
    home = await service.addWorkspace();
    admin = await addPerson(service, home, {name: 'Adam', role: 'admin'});
    member = await addPerson(service, home, {name: 'Mia'});
  });

  const path = '/v1/service-accounts';
  const list = async (token: string): Promise<Json[]> => (await home.request('GET', path, {token})).body.data;
  const tokenFor = (name: string) =>
    home.request('POST', '/v1/tokens', {
      token: admin.token,
      body: {
        name: `for ${name}`,
        service_account: name,
        scopes: ['standups:read', 'standups:write', 'tokens:manage'],
      },
    });

  it('managers of the workspace can list its service accounts, newest first and in pages, and no one else can', async () => {
    const {body: first} = await tokenFor('first');
    await tokenFor('second');
    await tokenFor('second');
    const names = (await list(admin.token)).map(({name}) => name);
    expect(names.slice(0, 2)).toEqual(['second', 'first']);
    expect(names.filter((name) => name === 'second')).toHaveLength(1);
    expect((await list(admin.token))[1]).toMatchObject({
      id: first.holder.id,
      object: 'service_account',
      revision: 1,
    });
    const page = (await home.request('GET', `${path}?limit=1`, {token: admin.token})).body;
    expect(page).toMatchObject({has_more: true, data: [{name: 'second'}]});
    const next = await home.request('GET', `${path}?limit=1&cursor=${page.next_cursor}`, {
      token: admin.token,
    });
    expect(next.body.data).toMatchObject([{name: 'first'}]);
    expectProblem(await home.request('GET', path, {token: member.token}), 'forbidden');
  });

  it('a service account is deleted with its tokens in one commit, and its posts remain under its name', async () => {
    const {body: made} = await tokenFor('robot');
    const {id} = made.holder;
    await home.request('PUT', `/v1/teams/platform/members/${admin.id}`);
    const own = await home.request('POST', '/v1/standups', {
      token: made.token,
      body: {team: 'platform', update: 'By a robot.'},
    });
    const {body: line} = await home.request('POST', '/v1/tokens', {
      token: made.token,
      body: {name: 'line', scopes: ['standups:read']},
    });
    const before = (await eventsOf(home)).length;
    expectProblem(await home.request('DELETE', `${path}/${id}`, {token: member.token}), 'forbidden');
    const stale = {token: admin.token, headers: {'if-match': '"7"'}};
    expectProblem(await home.request('DELETE', `${path}/${id}`, stale), 'precondition_failed');
    expect((await home.request('DELETE', `${path}/${id}`, {token: admin.token})).status).toBe(204);
    for (const token of [made.token, line.token]) {
      expectProblem(await home.request('GET', '/v1/me', {token}), 'invalid_token');
    }
    const events = (await eventsOf(home)).slice(before);
    expect(events.map(({type, data}) => [type, data.id]).toSorted()).toEqual(
      [
        ['token.revoked', made.id],
        ['token.revoked', line.id],
      ].toSorted(),
    );
    // Everything in one commit has the same time.
    expect(new Set(events.map(({created_at: at}) => at)).size).toBe(1);
    expect((await list(admin.token)).map((account) => account.id)).not.toContain(id);
    if (own.status === 201) {
      const {body: standup} = await home.request('GET', `/v1/standups/${own.body.id}`);
      expect(standup.author).toMatchObject({id, name: 'robot'});
    }
    expectProblem(await home.request('DELETE', `${path}/${id}`, {token: admin.token}), 'not_found');
    const {body: again} = await tokenFor('robot');
    expect(again.holder.name).toBe('robot');
    expect(again.holder.id).not.toBe(id);
  });

  it('a token for a service account that is deleted at the same time is refused or deleted', async () => {
    const {body: made} = await tokenFor('raced');
    const [made2, gone] = await Promise.all([
      tokenFor('raced'),
      home.request('DELETE', `${path}/${made.holder.id}`, {token: admin.token}),
    ]);
    expect(gone.status).toBe(204);
    const accounts = new Set((await list(admin.token)).map(({id}) => id));
    const {status} = await home.request('GET', '/v1/me', {token: made2.body.token});
    expect(status).toBe(accounts.has(made2.body.holder.id) ? 200 : 401);
    await make(home, '/v1/tokens', {name: 'after', service_account: 'raced'});
  });
});

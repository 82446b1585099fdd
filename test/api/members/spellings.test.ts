import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {expectProblem} from '../http/expect-problem.js';
import {make} from '../samples.js';

let service: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startService();
  workspace = await service.addWorkspace();
});

afterAll(() => service.close());

const spellings = [
  ['composed', 'j\u00f6rg@ex\u00e4mple.test'],
  ['taken apart', 'jo\u0308rg@exa\u0308mple.test'],
  ['in capitals', 'J\u00d6RG@EX\u00c4MPLE.TEST'],
  ['with a domain in Punycode', 'j\u00f6rg@xn--exmple-cua.test'],
];

describe('an e-mail address in another spelling', () => {
  let id: string;
  beforeAll(async () => {
    ({id} = await make(workspace, '/v1/members', {name: 'J\u00f6rg', email: spellings[0]?.[1]}));
  });

  it.each(spellings)('belongs to the same member: %s', async (_, email) => {
    const again = await workspace.request('POST', '/v1/members', {body: {name: 'Another', email}});
    expectProblem(again, 'email_taken');
    const one = await workspace.request('GET', `/v1/members/${encodeURIComponent(email ?? '')}`);
    expect(one.body.id).toBe(id);
    const {body} = await workspace.request('GET', `/v1/members?email=${encodeURIComponent(email ?? '')}`);
    expect(body.data.map((row: Json) => row.id)).toEqual([id]);
    // The holder of an address may spell it in another way and keeps it.
    const changed = await workspace.request('PATCH', `/v1/members/${id}`, {body: {email}});
    expect(changed.status).toBe(200);
    const taken = await workspace.request('POST', '/v1/members', {
      body: {name: 'Another', email: spellings[0]?.[1]},
    });
    expectProblem(taken, 'email_taken');
  });

  it('is available to others once its member has another address', async () => {
    await workspace.request('PATCH', `/v1/members/${id}`, {body: {email: 'joerg@example.test'}});
    const body = {name: 'Another', email: spellings[2]?.[1]};
    expect((await workspace.request('POST', '/v1/members', {body})).status).toBe(201);
  });
});

describe('a text of invisible characters', () => {
  it.each(['\u3164', '\u2800\u2800', '\u00ad', '\u200b \u2060', '\ufe0f'])(
    'is refused: %j',
    async (blank) => {
      for (const [path, body] of [
        ['/v1/members', {name: blank}],
        ['/v1/standups', {team: 'platform', update: blank}],
        ['/v1/blockers', {team: 'platform', text: blank}],
        ['/v1/teams', {slug: 'blank', name: blank}],
        ['/v1/tokens', {name: blank}],
      ] as const) {
        expectProblem(await workspace.request('POST', path, {body}), 'validation_failed');
      }
    },
  );
});

it('a search of standups ignores case and accents like a search of members', async () => {
  const updates = ['Moved to \u0130stanbul.', 'The Stra\u00dfe is closed.', 'Caf\u00e9 opened.'];
  for (const update of updates) await make(workspace, '/v1/standups', {team: 'platform', update});
  for (const [typed, update] of [
    ['istanbul', updates[0]],
    ['STRASSE', updates[1]],
    ['cafe\u0301', updates[2]],
    ['CAFE', updates[2]],
  ] as const) {
    const {body} = await workspace.request('GET', `/v1/standups?q=${encodeURIComponent(typed)}`);
    expect(body.data.map((row: Json) => row.update)).toEqual([update]);
  }
});

it('regression: a caller who may not read members learns of no e-mail address by naming it', async () => {
  const {id} = await make(workspace, '/v1/members', {name: 'Ada', email: 'ada@example.test'});
  await workspace.request('PUT', `/v1/teams/platform/members/${id}`);
  const scopes = ['teams:read', 'teams:write', 'standups:write', 'standups:write_any'] as const;
  const {value: token} = await workspace.addToken({name: 'narrow', scopes});
  const ask = (method: string, path: string, body?: Json) =>
    workspace.request(method, path, {token, ...(body && {body})});
  for (const email of ['ada@example.test', 'nobody@example.test']) {
    const path = `/v1/teams/platform/members/${email}`;
    for (const method of ['GET', 'PUT', 'DELETE'])
      expectProblem(await ask(method, path), 'insufficient_scope');
    const post = {team: 'platform', author: email};
    expectProblem(await ask('POST', '/v1/standups', {...post, update: 'For them.'}), 'insufficient_scope');
    expectProblem(await ask('POST', '/v1/blockers', {...post, text: 'For them.'}), 'insufficient_scope');
  }
  expect((await ask('GET', `/v1/teams/platform/members/${id}`)).status).toBe(200);
  expect((await ask('POST', '/v1/standups', {team: 'platform', author: id, update: 'By id.'})).status).toBe(
    201,
  );
});

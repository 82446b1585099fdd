import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {expectProblem} from '../http/expect-problem.js';
import {addPerson, type Person} from '../people.js';
import {eventsOf, make} from '../samples.js';

let service: TestService;
let workspace: TestWorkspace;
let ada: Person;

beforeAll(async () => {
  service = await startService();
  workspace = await service.addWorkspace();
  const names = {email: 'ada@example.com', slack_user_id: 'U0ADA'};
  ada = await addPerson(service, workspace, {name: 'Ada', ...names, team: 'platform'});
});

afterAll(() => service.close());

const post = (author: Json, token: string = workspace.token) =>
  workspace.request('POST', '/v1/standups', {body: {team: 'platform', update: 'Done.', author}, token});

describe('a standup with an author', () => {
  it.each([
    ['id', () => ada.id],
    ['e-mail address in any case', () => 'Ada@Example.com'],
    ['Slack user', () => 'U0ADA'],
  ])('named by %s is theirs', async (_, author) => {
    const {status, body} = await post(author());
    expect({status, author: body.author}).toEqual({
      status: 201,
      author: {type: 'member', id: ada.id, name: 'Ada'},
    });
    const {slack: _slack, ...revision} = body;
    expect((await eventsOf(workspace)).at(-1)).toMatchObject({type: 'standup.created', data: revision});
    const theirs = await workspace.request('GET', `/v1/standups?author=${ada.id}&limit=1`);
    expect(theirs.body.data[0].id).toBe(body.id);
    // It is theirs to change.
    const path = `/v1/standups/${body.id}`;
    const edit = await workspace.request('PATCH', path, {body: {update: 'Better.'}, token: ada.token});
    expect(edit.status).toBe(200);
  });

  it.each([
    ['id', () => ada.id],
    ['e-mail address', () => 'Ada@example.com'],
    ['Slack user', () => 'U0ADA'],
  ])('regression: naming oneself by %s is no post for somebody else', async (_, author) => {
    expect((await post(author(), ada.token)).body.author).toEqual({type: 'member', id: ada.id, name: 'Ada'});
  });

  it('needs the scope standups:write_any, and naming oneself does too', async () => {
    const {value} = await workspace.addToken({scopes: ['standups:write']});
    const answer = await post(ada.id, value);
    expectProblem(answer, 'insufficient_scope');
    expect(answer.headers.get('www-authenticate')).toContain('scope="standups:write_any"');
  });

  it.each(['mem_01jd0000007000000000000000', 'nobody@example.com', 'U0NOBODY', 'Ada', ''])(
    'who is unknown (%j) is refused with what was looked for',
    async (author) => {
      const body = expectProblem(await post(author), 'validation_failed', {pointer: '#/author'});
      if (author !== '') expect(body.detail).toContain(author);
    },
  );

  it('who is not in the team is refused with the way to go', async () => {
    const bob = await make(workspace, '/v1/members', {name: 'Bob'});
    const {detail} = expectProblem(await post(bob.id), 'validation_failed', {pointer: '#/author'});
    expect(detail).toMatch(/Bob is not in the team "platform"\. Add them/);
  });

  it('of another workspace is nobody', async () => {
    const other = await service.addWorkspace();
    const foreign = await addPerson(service, other, {name: 'Eve', team: 'platform'});
    const {detail} = expectProblem(await post(foreign.id), 'validation_failed', {pointer: '#/author'});
    expect(detail).not.toContain('Eve');
  });

  it('who is oneself may be named by a member of the team', async () => {
    expect((await post(ada.id, ada.token)).body.author.id).toBe(ada.id);
  });

  it('cannot be used by a plain member to find out who there is', async () => {
    for (const author of ['ada@example.com', 'nobody@example.com', ada.id]) {
      const bob = await addPerson(service, workspace, {name: 'Bob', team: 'platform'});
      expectProblem(await post(author, bob.token), 'forbidden');
    }
  });

  it('is a service account itself when nobody is named', async () => {
    const body = {team: 'platform', update: 'Mine.'};
    expect((await make(workspace, '/v1/standups', body)).author).toEqual(workspace.principal);
  });
});

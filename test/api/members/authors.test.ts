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
  ])('belongs to the author if the request names them by %s', async (_, author) => {
    const {status, body} = await post(author());
    expect({status, author: body.author}).toEqual({
      status: 201,
      author: {type: 'member', id: ada.id, name: 'Ada'},
    });
    const {slack: _slack, thread: _thread, ...revision} = body;
    expect((await eventsOf(workspace)).at(-1)).toMatchObject({type: 'standup.created', data: revision});
    const theirs = await workspace.request('GET', `/v1/standups?author=${ada.id}&limit=1`);
    expect(theirs.body.data[0].id).toBe(body.id);
    // The author may change the standup.
    const path = `/v1/standups/${body.id}`;
    const edit = await workspace.request('PATCH', path, {body: {update: 'Better.'}, token: ada.token});
    expect(edit.status).toBe(200);
  });

  it.each([
    ['id', () => ada.id],
    ['e-mail address', () => 'Ada@example.com'],
    ['Slack user', () => 'U0ADA'],
  ])('regression: is no post for another member if the caller names themselves by %s', async (_, author) => {
    expect((await post(author(), ada.token)).body.author).toEqual({type: 'member', id: ada.id, name: 'Ada'});
  });

  it('needs the scope standups:write_any, even if the caller names themselves', async () => {
    const {value} = await workspace.addToken({scopes: ['standups:write']});
    const answer = await post(ada.id, value);
    expectProblem(answer, 'insufficient_scope');
    expect(answer.headers.get('www-authenticate')).toContain('scope="standups:write_any"');
  });

  it.each(['mem_01jd0000007000000000000000', 'nobody@example.com', 'U0NOBODY', 'Ada', ''])(
    'is refused for an unknown author (%j), with the name that was given',
    async (author) => {
      const body = expectProblem(await post(author), 'validation_failed', {pointer: '#/author'});
      if (author !== '') expect(body.detail).toContain(author);
    },
  );

  it('is refused for a member outside the team, with the remedy', async () => {
    const bob = await make(workspace, '/v1/members', {name: 'Bob'});
    const {detail} = expectProblem(await post(bob.id), 'validation_failed', {pointer: '#/author'});
    expect(detail).toMatch(/Bob is not in the team "platform"\. Add them/);
  });

  it('is refused for an author of another workspace as unknown', async () => {
    const other = await service.addWorkspace();
    const foreign = await addPerson(service, other, {name: 'Eve', team: 'platform'});
    const {detail} = expectProblem(await post(foreign.id), 'validation_failed', {pointer: '#/author'});
    expect(detail).not.toContain('Eve');
  });

  it('may name the caller as author in a team of theirs', async () => {
    expect((await post(ada.id, ada.token)).body.author.id).toBe(ada.id);
  });

  it('cannot be used by a plain member to find out which members exist', async () => {
    for (const author of ['ada@example.com', 'nobody@example.com', ada.id]) {
      const bob = await addPerson(service, workspace, {name: 'Bob', team: 'platform'});
      expectProblem(await post(author, bob.token), 'forbidden');
    }
  });

  it('belongs to the calling service account if no author is named', async () => {
    const body = {team: 'platform', update: 'Mine.'};
    expect((await make(workspace, '/v1/standups', body)).author).toEqual(workspace.principal);
  });
});

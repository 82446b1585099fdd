import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {addPerson, type Person} from '../people.js';

let service: TestService;
let workspace: TestWorkspace;
let grace: Person;
let team: Json;

beforeAll(async () => {
  service = await startService();
  workspace = await service.addWorkspace();
  grace = await addPerson(service, workspace, {name: 'Grace [B] Hopper', team: 'platform'});
  team = (await workspace.request('GET', '/v1/teams/platform')).body;
});

afterAll(() => service.close());

const mention = (label: string, id: string) => `[@${label}](mention:${id})`;
const name = 'Grace \\[B\\] Hopper';
const post = (body: Json) =>
  workspace.request('POST', '/v1/standups', {body: {team: 'platform', format: 'markdown', ...body}});
const patch = (id: string, body: Json) => workspace.request('PATCH', `/v1/standups/${id}`, {body});

it('a mention gets the present name of the member or team, so no label says Ada and leads to Grace', async () => {
  const update = `${mention('Ada', grace.id)} and ${mention('x', team.id)}, \`${mention('Ada', grace.id)}\``;
  const {status, body} = await post({update});
  expect(status).toBe(201);
  expect(body.update).toBe(
    `${mention(name, grace.id)} and ${mention(team.name, team.id)}, \`${mention('Ada', grace.id)}\``,
  );
});

it('a plain text is no mention, and becomes one only if it is sent again', async () => {
  const update = mention('Ada', grace.id);
  const {body} = await post({update, format: 'plain'});
  expect(body.update).toBe(update);
  const refused = await patch(body.id, {format: 'markdown'});
  expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '#/format']);
  const sent = await patch(body.id, {format: 'markdown', update, answers: null});
  expect(sent.body.update).toBe(mention(name, grace.id));
});

it('a mention of an unknown member or team is refused, and the error names the field', async () => {
  const unknown = 'mem_01h455vb4pex5vsknk084sn02q';
  const {status, body} = await post({update: `${mention('x', unknown)} ${mention('x', grace.id)}`});
  expect(status).toBe(422);
  expect(body.errors).toEqual([
    {
      code: 'validation_failed',
      detail: `\`update\` mentions ${unknown}, which is no member or team here. Leave the mention out.`,
      pointer: '#/update',
    },
  ]);
  const questions = [{key: 'today', label: 'Next?', type: 'text'}];
  await workspace.request('POST', '/v1/teams', {body: {slug: 'asked', name: 'Asked', questions}});
  const answers = [{question: 'today', value: mention('x', unknown.replace('mem', 'team'))}];
  const other = await post({team: 'asked', answers});
  expect([other.status, other.body.errors[0].pointer]).toEqual([422, '#/answers/0/value']);
  answers[0] = {question: 'today', value: mention('x', grace.id)};
  const {body: made} = await post({team: 'asked', answers});
  expect(made).toMatchObject({
    update: `Next? ${mention(name, grace.id)}`,
    answers: [{value: mention(name, grace.id)}],
  });
});

it('a standup mentions 20 members and teams at most', async () => {
  const ids = Array.from({length: 21}, (_, i) => `mem_01h455vb4pex5vsknk084sn0${String(i).padStart(2, '0')}`);
  const {status, body} = await post({update: ids.map((id) => mention('x', id)).join(' ')});
  expect([status, body.errors[0].detail]).toEqual([
    422,
    '`update` mentions too many: at most 20 members and teams can be mentioned.',
  ]);
});

it('an edit keeps the label that a mention had, also after the member is renamed or erased', async () => {
  const ada = await addPerson(service, workspace, {name: 'Ada', team: 'platform'});
  const {body} = await post({update: `${mention('Ada', ada.id)} helps`});
  await workspace.request('PATCH', `/v1/members/${ada.id}`, {body: {name: 'Ada King'}});
  const update = `${mention('Ada', ada.id)} helps. ${mention('Other', ada.id)} too.`;
  const edited = await patch(body.id, {update});
  expect(edited.body.update).toBe(`${mention('Ada', ada.id)} helps. ${mention('Ada King', ada.id)} too.`);
  expect((await workspace.request('DELETE', `/v1/members/${ada.id}`)).status).toBe(204);
  const again = await patch(body.id, {update: `${mention('Ada', ada.id)} helped.`});
  expect([again.status, again.body.update]).toEqual([200, `${mention('Ada', ada.id)} helped.`]);
  expect((await patch(body.id, {update: mention('Someone', ada.id)})).status).toBe(422);
});

it('a mention tells no name to a token that may not read members or teams', async () => {
  const scopes = ['standups:read', 'standups:write', 'comments:write'] as const;
  const narrow = (await workspace.addToken({scopes})).value;
  const send = (method: string, path: string, body: Json) =>
    workspace.request(method, path, {token: narrow, body: {format: 'markdown', ...body}});
  const {body: standup} = await send('POST', '/v1/standups', {team: 'platform', update: 'Mine'});
  const update = `${mention('Someone', grace.id)} and ${mention('Some', workspace.team)}`;
  for (const {status, body} of [
    await send('POST', '/v1/standups', {team: 'platform', update}),
    await send('PATCH', `/v1/standups/${standup.id}`, {update}),
    await send('POST', '/v1/comments', {standup: standup.id, text: update}),
  ]) {
    expect([status, JSON.stringify(body).includes(name)]).toEqual([422, false]);
    expect(body.errors[0].detail).toMatch(
      /`(?:update|text)` mentions mem_\w+, for which the access token needs the scope "members:read"/,
    );
    expect(body.errors[1].detail).toContain('the scope "teams:read"');
  }
});

it('a text with the present names of those it mentions stays within its limit, and can be edited again', async () => {
  const long = await addPerson(service, workspace, {name: 'Ada '.repeat(25).trim(), team: 'platform'});
  const text = (room: number) => `${mention('A', long.id)}${'x'.repeat(room)}`;
  const fits = 4_000 - mention(long.name, long.id).length;
  const {body} = await post({update: text(fits)});
  expect(body.update).toHaveLength(4_000);
  expect((await patch(body.id, {update: `${body.update.slice(0, -1)}y`})).status).toBe(200);
  const refused = await post({update: text(fits + 1)});
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    [
      {
        code: 'validation_failed',
        detail:
          '`update` is 4001 characters long with the present names of those it mentions; at most 4000 are allowed.',
        pointer: '#/update',
      },
    ],
  ]);
});

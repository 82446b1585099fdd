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

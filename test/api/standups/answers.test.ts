import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {expectProblem} from '../http/expect-problem.js';
import {eventsOf, make, randomName} from '../samples.js';

let service: TestService;
let workspace: TestWorkspace;
let team: string;

const questions = [
  {key: 'today', label: 'What will you do today?', type: 'text', required: true},
  {key: 'focus', label: 'Focus', type: 'choice', options: ['Build', 'Review', 'Help'], multiple: true},
  {key: 'place', label: 'Where are you', type: 'choice', options: ['Home', 'Office']},
  {key: 'hours', label: 'Hours of meetings', type: 'number', min: 0, max: 12},
  {key: 'help', label: 'Do you need help?', type: 'yes_no'},
  {key: 'mood', label: 'Mood', type: 'mood'},
];

beforeAll(async () => {
  service = await startService();
  workspace = await service.addWorkspace();
  team = (await make(workspace, '/v1/teams', {slug: randomName(), questions})).slug;
});

afterAll(() => service.close());

const post = (body: Json) => workspace.request('POST', '/v1/standups', {body: {team, ...body}});
const patch = (id: string, body: Json) => workspace.request('PATCH', `/v1/standups/${id}`, {body});
const answer = (question: string, value: unknown) => ({question, value});
const today = answer('today', 'The retry page.');

const everything = [
  today,
  answer('focus', ['Build', 'Help']),
  answer('place', 'Office'),
  answer('hours', 1.5),
  answer('help', false),
  answer('mood', 4),
];

const kept = (key: string, value: unknown) => {
  const {type, label} = questions.find((one) => one.key === key) ?? {};
  return {question: key, type, label, value};
};

describe('answers to the questions of a team', () => {
  it('are stored with the text of the questions, in order, and form the update', async () => {
    const {status, body} = await post({answers: everything.toReversed()});
    expect(status).toBe(201);
    expect(body).toMatchObject({
      questions_version: 1,
      answers: [
        kept('today', 'The retry page.'),
        kept('focus', ['Build', 'Help']),
        kept('place', ['Office']),
        kept('hours', 1.5),
        kept('help', false),
        kept('mood', 4),
      ],
      update: [
        'What will you do today? The retry page.',
        'Focus: Build, Help',
        'Where are you: Office',
        'Hours of meetings: 1.5',
        'Do you need help? no',
        'Mood: good (4 of 5)',
      ].join('\n'),
    });
    const {slack: _, thread: __, ...revision} = body;
    expect((await eventsOf(workspace)).at(-1)?.data).toEqual(revision);
    expect((await workspace.request('GET', `/v1/standups/${body.id}`)).body).toEqual(body);
    const exported = await workspace.request('GET', `/v1/export?format=ndjson&team=${team}`);
    expect(exported.text.split('\n').map((line) => (line === '' ? {} : JSON.parse(line)))).toContainEqual(
      body,
    );
    const csv = await workspace.request('GET', `/v1/export?format=csv&team=${team}`);
    expect(csv.text).toContain(`"${JSON.stringify(body.answers).replaceAll('"', '""')}"`);
  });

  it('are stored beside the update if the request has both', async () => {
    const {body} = await post({update: 'In my words.', answers: [today]});
    expect(body).toMatchObject({update: 'In my words.', answers: [kept('today', 'The retry page.')]});
  });

  it('are not required, since an update alone is accepted for any questions', async () => {
    for (const given of [{}, {answers: []}]) {
      const {status, body} = await post({update: 'Words alone.', ...given});
      expect(status).toBe(201);
      expect(body).toMatchObject({answers: [], questions_version: null});
    }
  });

  it.each([
    ['a text of white space alone', answer('today', ' '), '/0/value', 'must not be empty'],
    ['a text that is too long', answer('today', 'x'.repeat(2_001)), '/0/value', 'at most 2000'],
    ['a text with a control character', answer('today', 'a\u0007'), '/0/value', 'control characters'],
    ['a number for a text', answer('today', 7), '/0/value', 'must be a text'],
    ['an option that is not offered', answer('place', 'Train'), '/0/value', 'one of "Home", "Office"'],
    ['two options where one is asked', answer('place', ['Home', 'Office']), '/0/value', 'one option only'],
    ['an option twice', answer('focus', ['Help', 'Help']), '/0/value', 'twice'],
    ['no option', answer('focus', []), '/0/value', 'leave the answer out'],
    ['a choice that is true', answer('focus', true), '/0/value', 'must be one of'],
    ['a number below its bound', answer('hours', -1), '/0/value', 'must be 0 or more'],
    ['a number above its bound', answer('hours', 12.5), '/0/value', 'must be 12 or less'],
    ['a text for a number', answer('hours', '3'), '/0/value', 'must be a number'],
    ['yes as a text', answer('help', 'yes'), '/0/value', 'true or false'],
    ['a mood in between', answer('mood', 2.5), '/0/value', 'from 1 to 5'],
    ['an unknown question', answer('moods', 3), '/0/question', 'Did you mean "mood"?'],
  ])('are refused by name for %s', async (_, given, at, reason) => {
    const problem = expectProblem(await post({update: 'Words.', answers: [given]}), 'validation_failed');
    const error = problem.errors.find(({pointer}: Json) => pointer === `#/answers${at}`);
    expect(error.detail).toContain(reason);
    expect(error.detail).toContain(`"${given.question}"`);
    const label = questions.find(({key}) => key === given.question)?.label ?? '';
    expect(error.detail).toContain(label);
  });

  it.each(['9007199254740993', '-9007199254740993', '1e400', '123456789012345678901'])(
    'are refused with the number %s, since it would be stored as another number',
    async (written) => {
      const text = 'Above is 9007199254740993, and \\"1e400\\".';
      const body = `{"team":"platform","update":"${text}","answers":[{"question":"hours","value":${written}}]}`;
      const headers = {'content-type': 'application/json'};
      const answered = await workspace.request('POST', '/v1/standups', {body, headers});
      const {detail} = expectProblem(answered, 'validation_failed', {pointer: '#/answers/0/value'});
      expect(detail).toBe(
        `\`answers.0.value\` must be a number of up to 15 digits, or it would become another one; it is ${written}.`,
      );
      const bounds = `{"slug":"${randomName()}","questions":[{"key":"n","label":"N","type":"number","max":${written}}]}`;
      const made = await workspace.request('POST', '/v1/teams', {body: bounds, headers});
      expectProblem(made, 'validation_failed', {pointer: '#/questions/0/max'});
    },
  );

  it('may contain a number that a double can represent, and digits in a text', async () => {
    const body = {questions: [{key: 'n', label: 'N', type: 'number'}], slug: randomName()};
    const {slug} = await make(workspace, '/v1/teams', body);
    for (const written of ['9007199254740994', '1e22', '0.10000000000000001', '-0.5']) {
      const said = `{"team":"${slug}","update":"9007199254740993 and 1e400","answers":[{"question":"n","value":${written}}]}`;
      const answered = await workspace.request('POST', '/v1/standups', {
        body: said,
        headers: {'content-type': 'application/json'},
      });
      expect(answered.body.answers[0]).toMatchObject({value: Number(written)});
      expect(answered.body.update).toContain('9007199254740993 and 1e400');
    }
  });

  it('are refused with 20 errors, and a note that there are more, if a hundred are wrong', async () => {
    const many = Array.from({length: 100}, (_, i) => answer(`nobody_asks_${i}`, 'x'));
    const {detail, errors} = expectProblem(await post({answers: many}), 'validation_failed');
    expect(errors).toHaveLength(20);
    expect(detail).toMatch(/ There are more faults than these\.$/);
  });

  it('are refused with all errors in one answer: missing, duplicate and wrong answers', async () => {
    const answers = [answer('mood', 9), answer('hours', 1), answer('hours', 2), answer('nobody', 1)];
    const {errors} = expectProblem(await post({answers}), 'validation_failed');
    expect(errors).toMatchObject([
      {pointer: '#/answers/0/value'},
      {pointer: '#/answers/2/question', detail: expect.stringContaining('is answered twice')},
      {pointer: '#/answers/3/question', detail: expect.stringContaining('names no question')},
      {pointer: '#/answers', detail: expect.stringContaining('What will you do today?')},
    ]);
  });

  it('may be as long as an update, all together', async () => {
    const long = [0, 1, 2].map((i) => ({key: `q${i}`, label: `Q${i}`, type: 'text'}));
    const {slug} = await make(workspace, '/v1/teams', {slug: randomName(), questions: long});
    const send = (length: number) =>
      workspace.request('POST', '/v1/standups', {
        body: {team: slug, answers: long.map(({key}) => answer(key, 'x'.repeat(length)))},
      });
    expect((await send(1_328)).body.update).toHaveLength(3 * 1_332 + 2);
    expectProblem(await send(1_330), 'validation_failed', {pointer: '#/answers'});
  });

  it('are refused for a team without questions', async () => {
    const response = await workspace.request('POST', '/v1/standups', {
      body: {team: 'platform', answers: [today]},
    });
    expectProblem(response, 'validation_failed', {pointer: '#/answers/0/question'});
  });
});

it('regression: a number question that no answer can fulfil is refused, with the error at its field `max`', async () => {
  const body = {slug: randomName(), questions: [{key: 'n', label: 'N', type: 'number', min: 5, max: 1}]};
  const answered = await workspace.request('POST', '/v1/teams', {body});
  const {detail} = expectProblem(answered, 'validation_failed', {pointer: '#/questions/0/max'});
  expect(detail).toBe('`questions.0.max` must be `min` (5) or more, or no one can answer; it is 1.');
  const same = {slug: randomName(), questions: [{key: 'n', label: 'N', type: 'number', min: 5, max: 5}]};
  expect((await workspace.request('POST', '/v1/teams', {body: same})).status).toBe(201);
});

describe('a change of answers', () => {
  it('replaces all answers, composes the update again, and keeps the previous answers as earlier ones', async () => {
    const {body} = await post({answers: [today, answer('mood', 2)]});
    const changed = await patch(body.id, {answers: [answer('today', 'Tests.')]});
    expect(changed.body).toMatchObject({
      update: 'What will you do today? Tests.',
      answers: [kept('today', 'Tests.')],
      edited: true,
    });
    const {body: revisions} = await workspace.request('GET', `/v1/standups/${body.id}/revisions`);
    expect(revisions.data).toMatchObject([
      {update: body.update, answers: body.answers, questions_version: 1},
    ]);
    const event = (await eventsOf(workspace)).at(-1);
    expect(event?.['previous_attributes']).toMatchObject({answers: body.answers, update: body.update});
  });

  it('does not change an update that was written by itself, and a change of the update does not change the answers', async () => {
    const {body} = await post({update: 'Mine.', answers: [today]});
    const one = await patch(body.id, {answers: [answer('today', 'Tests.')]});
    expect(one.body).toMatchObject({update: 'Mine.', answers: [kept('today', 'Tests.')]});
    const two = await patch(body.id, {update: 'Mine again.'});
    expect(two.body).toMatchObject({update: 'Mine again.', answers: [kept('today', 'Tests.')]});
    const three = await patch(body.id, {answers: null});
    expect(three.body).toMatchObject({update: 'Mine again.', answers: [], questions_version: null});
  });

  it('makes no revision if nothing changes', async () => {
    const {body} = await post({answers: [today]});
    expect((await patch(body.id, {answers: [today]})).body.revision).toBe(1);
  });

  it('accepts an unchanged answer, though its question is gone', async () => {
    const asked = [
      {key: 'today', label: 'Today', type: 'text'},
      {key: 'gone', label: 'Gone', type: 'text'},
    ];
    const {slug} = await make(workspace, '/v1/teams', {slug: randomName(), questions: asked});
    const standup = await make(workspace, '/v1/standups', {
      team: slug,
      answers: [answer('today', 'a'), answer('gone', 'b')],
    });
    await workspace.request('PATCH', `/v1/teams/${slug}`, {body: {questions: asked.slice(0, 1)}});
    const good = await patch(standup.id, {answers: [answer('today', 'c'), answer('gone', 'b')]});
    expect(good.body).toMatchObject({
      answers: [
        {question: 'today', value: 'c'},
        {question: 'gone', label: 'Gone', value: 'b'},
      ],
      questions_version: 2,
    });
    const bad = await patch(standup.id, {answers: [answer('gone', 'd')]});
    expectProblem(bad, 'validation_failed', {pointer: '#/answers/0/question'});
  });
});

it('regression: an unchanged choice is accepted as text or as a list, though its question is gone', async () => {
  const asked = [
    {key: 'place', label: 'Place', type: 'choice', options: ['a', 'b']},
    {key: 'mood', label: 'Mood', type: 'mood'},
  ];
  const {slug} = await make(workspace, '/v1/teams', {slug: randomName(), questions: asked});
  const answers = [answer('place', 'b'), answer('mood', 3)];
  const standup = await make(workspace, '/v1/standups', {team: slug, answers});
  await workspace.request('PATCH', `/v1/teams/${slug}`, {body: {questions: asked.slice(1)}});
  for (const value of ['b', ['b']]) {
    const same = await patch(standup.id, {answers: [answer('mood', 4), answer('place', value)]});
    expect(same.body.answers.at(-1)).toMatchObject({question: 'place', value: ['b']});
  }
});

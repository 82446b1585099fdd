import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {expectProblem} from '../http/expect-problem.js';
import {addPerson} from '../people.js';
import {eventsOf, make, randomName} from '../samples.js';

let service: TestService;
let workspace: TestWorkspace;
let east: Json;
let west: Json;

const asks = (...keys: string[]) => keys.map((key) => ({key, label: `On ${key}`, type: 'text'}));

beforeAll(async () => {
  service = await startService();
  workspace = await service.addWorkspace();
  east = await make(workspace, '/v1/teams', {
    slug: randomName(),
    timezone: 'Pacific/Kiritimati',
    questions: asks('today', 'east'),
  });
  west = await make(workspace, '/v1/teams', {
    slug: randomName(),
    timezone: 'Pacific/Pago_Pago',
    questions: asks('today', 'west'),
  });
});

afterAll(() => service.close());

const post = (body: Json, headers: Record<string, string> = {}) =>
  workspace.request('POST', '/v1/standups', {body, headers});

const standupsOf = async ({slug}: Json): Promise<Json[]> =>
  (await workspace.request('GET', `/v1/standups?team=${slug}`)).body.data;

const dayIn = (timeZone: string) => new Date().toLocaleDateString('en-CA', {timeZone});

describe('one submission for several teams', () => {
  it('makes a standup for each team, on the day of that team and with its own event, in one step', async () => {
    const before = (await eventsOf(workspace)).length;
    const {status, body, headers} = await post({
      teams: [east.slug.toUpperCase(), west.id],
      update: 'For both.',
      metadata: {ticket: 'A-1'},
    });
    expect(status).toBe(201);
    expect(headers.get('location')).toBeNull();
    expect(body).toMatchObject({object: 'list', has_more: false, next_cursor: null});
    expect(body.data).toMatchObject([
      {
        team: east.slug,
        team_id: east.id,
        update: 'For both.',
        date: dayIn('Pacific/Kiritimati'),
        slack: null,
      },
      {team: west.slug, team_id: west.id, update: 'For both.', date: dayIn('Pacific/Pago_Pago')},
    ]);
    expect(new Set(body.data.map(({created_at}: Json) => created_at)).size).toBe(1);
    for (const standup of body.data) {
      expect((await workspace.request('GET', `/v1/standups/${standup.id}`)).body).toEqual(standup);
    }
    const events = (await eventsOf(workspace)).slice(before);
    expect(events.map(({type, data}) => [type, data.id])).toEqual(
      body.data.map(({id}: Json) => ['standup.created', id]),
    );
  });

  it('gets the same answer, byte by byte, when it is repeated with its idempotency key', async () => {
    const key = {'Idempotency-Key': randomName()};
    const given = {teams: [east.slug, west.slug], update: 'Once.'};
    const first = await post(given, key);
    await workspace.request('PATCH', `/v1/standups/${first.body.data[0].id}`, {body: {update: 'Changed.'}});
    const again = await post(given, key);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const made = await standupsOf(west);
    expect(made.filter(({update}) => update === 'Once.')).toHaveLength(1);
  });

  it('contains for each team the answers to its questions', async () => {
    const answers = ['today', 'east', 'west'].map((question) => ({question, value: `about ${question}`}));
    const {body} = await post({teams: [east.slug, west.slug], answers});
    expect(body.data.map(({update}: Json) => update)).toEqual([
      'On today: about today\nOn east: about east',
      'On today: about today\nOn west: about west',
    ]);
    expect(body.data[1].answers.map(({question}: Json) => question)).toEqual(['today', 'west']);
  });

  it.each<[string, () => Json, string, string]>([
    ['team_not_found', () => ({teams: [east.slug, 'nobody']}), '#/teams/1', 'There is no team "nobody"'],
    ['validation_failed', () => ({teams: [west.slug, west.id]}), '#/teams/1', 'named twice'],
    ['validation_failed', () => ({teams: []}), '#/teams', 'at least one'],
    ['validation_failed', () => ({teams: Array(11).fill('a')}), '#/teams', 'at most 10'],
    ['validation_failed', () => ({teams: [east.slug], team: east.slug}), '#/teams', 'cannot be combined'],
    ['validation_failed', () => ({}), '#/team', 'is required'],
    [
      'validation_failed',
      () => ({teams: [east.slug, west.slug], answers: [{question: 'north', value: 'x'}]}),
      '#/answers/0/question',
      'names no question',
    ],
    [
      'validation_failed',
      () => ({teams: [east.slug, west.slug], answers: [{question: 'west', value: 7}]}),
      '#/answers/0/value',
      'must be a text',
    ],
    [
      'date_not_allowed',
      () => ({teams: [east.slug, west.slug], date: '2020-01-01'}),
      '#/date',
      'may be dated from',
    ],
  ])('is refused as %s as a whole, with nothing created: case %#', async (code, given, pointer, detail) => {
    const before = (await eventsOf(workspace)).length;
    const answer = await post({update: 'All or nothing.', ...given()});
    const problem = expectProblem(answer, code as 'validation_failed', {pointer});
    expect(problem.detail).toContain(detail);
    expect(await eventsOf(workspace)).toHaveLength(before);
  });

  it('regression: is refused for an answer to no question of any team, and the error lists the questions of all teams', async () => {
    const answers = [{question: 'north', value: 'x'}];
    const {body} = await post({teams: [east.slug, west.slug], answers});
    expect(body.detail).toBe(
      '`answers.0.question` names no question that is asked ("north"). Asked are: "today", "east", "west".',
    );
  });

  it('is refused if the author is not in every team, naming the team', async () => {
    const {token} = await addPerson(service, workspace, {team: east.slug});
    const answer = await workspace.request('POST', '/v1/standups', {
      body: {teams: [east.slug, west.slug], update: 'Mine.'},
      token,
    });
    expectProblem(answer, 'forbidden', {pointer: '#/teams/1'});
    expect((await standupsOf(east)).filter(({update}) => update === 'Mine.')).toEqual([]);
  });
});

import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {countBlockers} from '../../../src/domain/runs/trends.js';
import {createTrends} from '../../../src/service/runs/trends.js';
import {testRedisUrl} from '../../support/redis-server.js';
import {createTestContext} from '../../support/service-context.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {createTestClock, type TestClock} from '../../support/test-clock.js';
import {expectProblem} from '../http/expect-problem.js';
import {make} from '../samples.js';

let clock: TestClock;
let service: TestService;
let workspace: TestWorkspace;

const questions = [
  {key: 'mood', label: 'Mood', type: 'mood'},
  {key: 'focus', label: 'Focus', type: 'choice', options: ['Build', 'Review', 'Help'], multiple: true},
  {key: 'hours', label: 'Hours', type: 'number'},
  {key: 'help', label: 'Help?', type: 'yes_no'},
  {key: 'note', label: 'Note', type: 'text'},
];

beforeAll(async () => {
  const redisUrl = await testRedisUrl();
  // A Wednesday.
  clock = await createTestClock(redisUrl, Date.parse('2026-11-25T12:00:00Z'));
  service = await startService({redisUrl, time: clock.time, env: {ROLES: 'web'}});
  workspace = await service.addWorkspace();
});

afterAll(async () => {
  await service.close();
  await clock.close();
});

const makeTeam = (slug: string, own: readonly Json[] = questions) =>
  make(workspace, '/v1/teams', {slug, timezone: 'UTC', questions: own});

const post = (team: string, date: string, answers: Json) =>
  make(workspace, '/v1/standups', {
    team,
    date,
    update: 'As planned.',
    answers: Object.entries(answers).map(([question, value]) => ({question, value})),
  });

const get = async (team: string, query = ''): Promise<Json> => {
  const {status, body} = await workspace.request('GET', `/v1/teams/${team}/trends${query}`);
  expect(status).toBe(200);
  return body;
};

const findQuestion = ({questions: found}: Json, key: string): Json =>
  found.find(({question}: Json) => question === key);

describe('the trends of answers', () => {
  it('the trends of answers have the number, mean and counts of each week, for every type but text', async () => {
    const {id} = await makeTeam('weekly');
    await post('weekly', '2026-11-17', {
      mood: 2,
      focus: ['Build', 'Help'],
      hours: 1.5,
      help: true,
      note: 'x',
    });
    await post('weekly', '2026-11-18', {mood: 5, focus: ['Build'], hours: 4, help: false});
    await post('weekly', '2026-11-23', {mood: 4, help: true});
    const found = await get('weekly', '?since=2026-11-16&until=2026-11-25');
    expect(found).toMatchObject({team: 'weekly', team_id: id, by: 'week', since: '2026-11-16'});
    const [first, second] = ['2026-11-16', '2026-11-23'];
    expect(found.questions).toEqual([
      {
        question: 'mood',
        type: 'mood',
        label: 'Mood',
        periods: [
          {
            from: first,
            answers: 2,
            mean: 3.5,
            counts: [
              {value: 2, count: 1},
              {value: 5, count: 1},
            ],
          },
          {from: second, answers: 1, mean: 4, counts: [{value: 4, count: 1}]},
        ],
      },
      {
        question: 'focus',
        type: 'choice',
        label: 'Focus',
        periods: [
          {
            from: first,
            answers: 2,
            mean: null,
            counts: [
              {value: 'Build', count: 2},
              {value: 'Help', count: 1},
            ],
          },
        ],
      },
      {
        question: 'hours',
        type: 'number',
        label: 'Hours',
        periods: [{from: first, answers: 2, mean: 2.75, counts: []}],
      },
      {
        question: 'help',
        type: 'yes_no',
        label: 'Help?',
        periods: [
          {
            from: first,
            answers: 2,
            mean: 0.5,
            counts: [
              {value: false, count: 1},
              {value: true, count: 1},
            ],
          },
          {from: second, answers: 1, mean: 1, counts: [{value: true, count: 1}]},
        ],
      },
    ]);
  });

  it('the trends of answers are by day on request, and the first week of a span begins with the span', async () => {
    await makeTeam('daily');
    await post('daily', '2026-11-18', {mood: 1});
    await post('daily', '2026-11-19', {mood: 3});
    const span = '?since=2026-11-18&until=2026-11-24';
    const byDay = findQuestion(await get('daily', `${span}&by=day`), 'mood');
    expect(byDay.periods.map(({from, mean}: Json) => [from, mean])).toEqual([
      ['2026-11-18', 1],
      ['2026-11-19', 3],
    ]);
    const byWeek = await get('daily', span);
    expect(findQuestion(byWeek, 'mood').periods.map(({from, mean}: Json) => [from, mean])).toEqual([
      ['2026-11-18', 2],
    ]);
    expect(byWeek.blockers.map(({from}: Json) => from)).toEqual(['2026-11-18', '2026-11-23']);
  });

  it('the trends of answers follow edits and deletions at once, and leave out dates beyond the span', async () => {
    await makeTeam('edited');
    const kept = await post('edited', '2026-11-18', {mood: 1});
    const gone = await post('edited', '2026-11-18', {mood: 5});
    await post('edited', '2026-11-10', {mood: 5});
    const answers = [{question: 'mood', value: 2}];
    await workspace.request('PATCH', `/v1/standups/${kept.id}`, {body: {answers}});
    await workspace.request('DELETE', `/v1/standups/${gone.id}`);
    const {periods} = findQuestion(await get('edited', '?since=2026-11-11&until=2026-11-25'), 'mood');
    expect(periods).toEqual([{from: '2026-11-16', answers: 1, mean: 2, counts: [{value: 2, count: 1}]}]);
  });

  it('the trends of answers keep a question that is no longer asked, after those that are', async () => {
    await makeTeam('former', [{key: 'energy', label: 'Energy', type: 'mood'}]);
    await post('former', '2026-11-18', {energy: 3});
    const asked = [{key: 'mood', label: 'Mood', type: 'mood'}];
    await workspace.request('PATCH', '/v1/teams/former', {body: {questions: asked}});
    await post('former', '2026-11-19', {mood: 4});
    const found = await get('former');
    expect(found.questions.map(({question}: Json) => question)).toEqual(['mood', 'energy']);
  });

  it('the trends of answers have a finite mean for the largest numbers', async () => {
    await makeTeam('large');
    for (let i = 0; i < 3; i += 1) await post('large', '2026-11-18', {hours: 1.5e308});
    const {periods} = findQuestion(await get('large'), 'hours');
    expect(periods[0].mean / 1.5e308).toBeCloseTo(1, 10);
  });

  it('the trends of answers are refused for more standups than one answer reads, and given for fewer', async () => {
    await makeTeam('busy');
    for (const date of ['2026-11-18', '2026-11-18', '2026-11-19']) await post('busy', date, {mood: 3});
    const findTrends = createTrends(createTestContext(service.core), 2);
    const days = {since: '2026-11-18', until: '2026-11-19'};
    await expect(findTrends(workspace.operator(), 'busy', days)).rejects.toThrow(
      'From 2026-11-18 to 2026-11-19 there are more than 2 standups: ask for fewer days at once.',
    );
    const found = await findTrends(workspace.operator(), 'busy', {...days, until: '2026-11-18'});
    expect(found.questions[0]?.periods).toMatchObject([{answers: 2}]);
  });

  it('the trends of answers are refused for an unknown team, an unknown step and more than 366 days', async () => {
    await makeTeam('refused');
    const ask = (path: string) => workspace.request('GET', `/v1/teams/${path}`);
    expectProblem(await ask('missing/trends'), 'not_found');
    expectProblem(await ask('refused/trends?by=month'), 'invalid_parameter');
    expectProblem(await ask('refused/trends?since=2020-01-01'), 'invalid_parameter');
  });
});

describe('the trends of blockers', () => {
  it('the trends of blockers count those of the team alone, and show a resolution in its period', async () => {
    await makeTeam('blocked');
    await makeTeam('beside');
    const raise = (team: string, text: string) => make(workspace, '/v1/blockers', {team, text});
    const [first] = await Promise.all([
      raise('blocked', 'No access.'),
      raise('blocked', 'No tests.'),
      raise('beside', 'Not ours.'),
    ]);
    await workspace.request('PATCH', `/v1/blockers/${first.id}`, {body: {state: 'resolved'}});
    const {blockers} = await get('blocked', '?since=2026-11-24&until=2026-11-25&by=day');
    expect(blockers).toEqual([
      {from: '2026-11-24', raised: 0, resolved: 0, open_at_end: 0, median_hours: null},
      {from: '2026-11-25', raised: 2, resolved: 1, open_at_end: 1, median_hours: 0},
    ]);
  });

  it('the trends of blockers have the median time to a resolution, and count blockers from before the span as open', () => {
    const at = (day: string, hour = '00') => `2026-11-${day}T${hour}:00:00.000Z`;
    const blockers = [
      {created_at: at('01'), resolved_at: null},
      {created_at: at('01'), resolved_at: at('05')},
      {created_at: at('17', '22'), resolved_at: at('18', '08')},
      {created_at: at('18'), resolved_at: at('18', '03')},
      {created_at: at('19'), resolved_at: at('24')},
      {created_at: at('26'), resolved_at: null},
    ];
    const span = {since: '2026-11-16', until: '2026-11-24', by: 'week'} as const;
    expect(countBlockers(blockers, span, (instant) => instant.slice(0, 10))).toEqual([
      {from: '2026-11-16', raised: 3, resolved: 2, open_at_end: 2, median_hours: 6.5},
      {from: '2026-11-23', raised: 0, resolved: 1, open_at_end: 1, median_hours: 120},
    ]);
  });
});

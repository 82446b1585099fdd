import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {composeId} from '../../../src/domain/core/ids.js';
import {testRedisUrl} from '../../support/redis-server.js';
import {closeRun, seedRun} from '../../support/seed-runs.js';
import {
  type Json,
  sendRequest,
  startService,
  type TestService,
  type TestWorkspace,
} from '../../support/service.js';
import {measureCpuMs} from '../../support/stopwatch.js';
import {createTestClock, type TestClock} from '../../support/test-clock.js';
import {addPerson} from '../people.js';
import {type RefusedRequest, refusedRequests} from '../refused-requests.js';
import {make} from '../samples.js';
import {asSuffix} from '../../support/ids.js';

// Refusals for a newcomer without documents: each must be enough to correct the request.
let clock: TestClock;
let service: TestService;
let workspace: TestWorkspace;
/** Values of the placeholders in requests. */
let things: Record<string, string>;
let tokens: Record<NonNullable<RefusedRequest['as']>, string | undefined>;

const today = '2026-11-25';

beforeAll(async () => {
  const redisUrl = await testRedisUrl();
  clock = await createTestClock(redisUrl, Date.parse(`${today}T12:00:00Z`));
  service = await startService({redisUrl, time: clock.time, env: {ROLES: 'web'}});
  workspace = await service.addWorkspace();
  const questions = [
    {key: 'mood', label: 'How do you feel?', type: 'mood'},
    {key: 'place', label: 'Where are you?', type: 'choice', options: ['Home', 'Office']},
  ];
  await workspace.request('PATCH', '/v1/teams/platform', {body: {questions, timezone: 'UTC'}});
  await make(workspace, '/v1/teams', {slug: 'design-system', timezone: 'UTC'});
  const ada = await addPerson(service, workspace, {name: 'Ada', email: 'ada@example.com', team: 'platform'});
  const grace = await addPerson(service, workspace, {name: 'Grace', email: 'grace@example.com'});
  await closeRun(
    service,
    workspace,
    await seedRun(service, workspace, {date: today, closes_at: `${today}T10:00:00.000Z`}),
  );
  const standup = await make(workspace, '/v1/standups', {team: 'platform', update: 'Fine.'});
  const blocker = await make(workspace, '/v1/blockers', {team: 'platform', text: 'CI', author: ada.id});
  const webhook = await make(workspace, '/v1/webhooks', {url: 'https://hooks.example.com/', events: ['*']});
  things = {
    team: workspace.team,
    ada: ada.id,
    standup: standup.id,
    blocker: blocker.id,
    webhook: webhook.id,
    unknown: composeId('standup', 0, asSuffix<'standup'>('7000000000000000')),
  };
  const reader = await workspace.addToken({name: 'reader', scopes: ['standups:read']});
  tokens = {nobody: undefined, stranger: 'made.up.token', reader: reader.value, member: grace.token};
});

afterAll(async () => {
  await service.close();
  await clock.close();
});

const filled = (text: string) =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => things[name] ?? whole);

const emptied = (text: string) =>
  Object.entries(things).reduce((left, [name, id]) => left.replaceAll(id, `{${name}}`), text);

async function ask({method, path, body, headers, as}: RefusedRequest): Promise<Json> {
  const token = as === undefined ? workspace.token : tokens[as];
  return sendRequest(service.url, method, filled(path), {
    ...(body !== undefined && {body}),
    ...(headers !== undefined && {headers}),
    ...(token !== undefined && {token}),
  });
}

const answers: string[] = [];

async function answered(request: RefusedRequest): Promise<string> {
  const {status, body} = await ask(request);
  return `${status} ${body?.code}: ${emptied(body?.detail ?? '')}`;
}

it.each(refusedRequests.map(([request, answer], i) => ({i, request, answer})))(
  'refusal $i contains all that is needed to correct the request: $request.method $request.path',
  async ({request, answer}) => {
    const said = await answered(request);
    answers.push(`${written(request)}\n    ${said}`);
    expect(said).toBe(answer);
  },
);

function written({method, path, body, headers, as}: RefusedRequest): string {
  const parts = [method, path, body, headers, as === undefined ? undefined : `as ${as}`];
  return parts
    .filter((part) => part !== undefined)
    .map((part) => (typeof part === 'string' ? part : JSON.stringify(part)).slice(0, 200))
    .join(' ');
}

afterAll(() => {
  if (process.env['PRINT_REFUSALS'] === '1') process.stdout.write(`${answers.join('\n')}\n`);
});

it('regression: a suggestion never names a person that the token may not read', async () => {
  const blind = await workspace.addToken({
    name: 'blind',
    scopes: ['standups:write', 'standups:write_any', 'members:write'],
  });
  const send = async (path: string, body: Json) =>
    (await workspace.request('POST', path, {body, token: blind.value})).body.detail;
  const team = await send('/v1/standups', {team: 'platfrom', update: 'Fine.'});
  expect(team).toBe('There is no team "platfrom" in this workspace.');
  const author = await send('/v1/standups', {team: 'platform', update: 'Fine.', author: 'ada@exmaple.com'});
  expect(author).not.toContain('ada@example.com');
  expect(await send('/v1/absences', {member: 'Ada'})).not.toContain('Did you mean');
});

it('regression: a body of thousands of near misses is refused quickly', async () => {
  const events = Array(4_000).fill('standup.creat');
  const body = {url: 'https://hooks.example.com/', events};
  const ms = await measureCpuMs(async () => {
    expect((await workspace.request('POST', '/v1/webhooks', {body})).status).toBe(422);
  });
  expect(ms).toBeLessThan(2_000);
});

import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {scopes} from '../../../src/domain/core/access.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {expectProblem} from './expect-problem.js';

let service: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startService();
  workspace = await service.addWorkspace();
});

afterAll(() => service.close());

const standup = {team: 'platform', update: 'Fine.'};
const webhook = {url: 'https://hooks.example/', events: ['*']};
const token = {name: 'deploy bot'};
const lifetime = 'must be a whole number of seconds from 60 (a minute) to 31622400 (366 days)';
const key41 = 'k'.repeat(41);

it.each<[string, string, string, Json]>([
  [
    '`events` has at most 50 event types.',
    '#/events',
    '/v1/webhooks',
    {...webhook, events: Array(51).fill('*')},
  ],
  ['`teams` has at most 100 teams.', '#/teams', '/v1/webhooks', {...webhook, teams: Array(101).fill('a')}],
  [
    '`headers` must be of type object, such as {"authorization":"Bearer of-the-receiver"}.',
    '#/headers',
    '/v1/webhooks',
    {...webhook, headers: []},
  ],
  [
    '`metadata` must be of type object, such as {"build":"1432"}; it is null.',
    '#/metadata',
    '/v1/standups',
    {...standup, metadata: null},
  ],
  [
    '`metadata` must be of type object, such as {"build":"1432"}; it is an array.',
    '#/metadata',
    '/v1/standups',
    {...standup, metadata: []},
  ],
  [
    `\`metadata.${key41}\` must have a key of 1 to 40 characters.`,
    `#/metadata/${key41}`,
    '/v1/standups',
    {...standup, metadata: {[key41]: 'v'}},
  ],
  [
    '`metadata.` must have a key of 1 to 40 characters.',
    '#/metadata/',
    '/v1/standups',
    {...standup, metadata: {'': 'v'}},
  ],
  [
    '`metadata.k` has at most 500 characters.',
    '#/metadata/k',
    '/v1/standups',
    {...standup, metadata: {k: 'v'.repeat(501)}},
  ],
  [`\`expires_in\` ${lifetime}; it is 1.5.`, '#/expires_in', '/v1/tokens', {...token, expires_in: 1.5}],
  [`\`expires_in\` ${lifetime}; it is 1e+300.`, '#/expires_in', '/v1/tokens', {...token, expires_in: 1e300}],
  [
    '`scopes` must be of type array, such as ["standups:read"]; it is "standups:read".',
    '#/scopes',
    '/v1/tokens',
    {...token, scopes: 'standups:read'},
  ],
  [
    `\`scopes.0\` must be one of ${scopes.join(', ')}; it is "nope".`,
    '#/scopes/0',
    '/v1/tokens',
    {...token, scopes: ['nope']},
  ],
])('regression: one error is reported once, in terms of the API: %s', async (detail, pointer, path, body) => {
  const answer = await workspace.request('POST', path, {body});
  const problem = expectProblem(answer, 'validation_failed');
  expect(problem.errors).toEqual([{code: 'validation_failed', detail, pointer}]);
});

it.each<[string, string, string, Json]>([
  [
    '`until_date` is not a member of the body, which has `member`, `kind`, `from`, `until`, `reason`, `team`.',
    'POST',
    '/v1/absences',
    {from: '2026-11-24', until_date: '2026-11-27'},
  ],
  [
    '`late_policy.minute` is not a member of `late_policy`, which has `accept`, `minutes`. Did you mean "minutes"?',
    'PATCH',
    '/v1/teams/platform',
    {late_policy: {accept: 'until', minutes: 10, minute: 10}},
  ],
  [
    '`schedule.frequency` must be one of weekly, monthly.',
    'PATCH',
    '/v1/teams/platform',
    {schedule: {opens: '09:00', closes: '11:00'}},
  ],
])('an unknown name or kind is reported with the known ones: %s', async (detail, method, path, body) => {
  const answer = await workspace.request(method, path, {body});
  expect(expectProblem(answer, 'validation_failed').detail).toBe(detail);
});

it('an unknown parameter is reported with the known ones', async () => {
  const {body} = await workspace.request('GET', '/v1/teams/platform/participation?date_from=2026-11-01');
  expect(body.detail).toBe(
    '`date_from` is not a parameter of this request, which has `since`, `until`, `include`.',
  );
  const none = await workspace.request('GET', '/v1/workspace?page=2');
  expect(none.body.detail).toBe('`page` is not a parameter of this request, which has none.');
});

it('regression: an overlap of a rotation that is no whole number is reported with the allowed range', async () => {
  const {body: made} = await workspace.request('POST', '/v1/webhooks', {body: webhook});
  const answer = await workspace.request('POST', `/v1/webhooks/${made.id}/rotate-secret`, {
    body: {overlap_seconds: 1.5},
  });
  const detail = '`overlap_seconds` must be a whole number from 0 to 604800; it is 1.5.';
  expect(expectProblem(answer, 'validation_failed', {pointer: '#/overlap_seconds'}).detail).toBe(detail);
});

it('regression: a search for white space alone is reported as that, and not as too short', async () => {
  const {body} = await workspace.request('GET', '/v1/standups?q=%20');
  expect(body.detail).toBe('`q` must not be only white space.');
  const empty = await workspace.request('GET', '/v1/standups?q=');
  expect(empty.body.detail).toBe('`q` must have 1 to 100 characters.');
});

it.each([
  ['{"team": platform}', 'it has an unexpected character'],
  ['{"team": ', 'it ends too early'],
  ['{"team": "plat', 'it ends too early'],
])('regression: a body is reported to end too early only if it does: %s', async (body, why) => {
  const answer = await workspace.request('POST', '/v1/standups', {
    body,
    headers: {'content-type': 'application/json'},
  });
  expect(expectProblem(answer, 'malformed_json').detail).toMatch(`The body is not JSON: ${why}.`);
});

it('regression: a member with a forbidden name is reported with the remedy', async () => {
  const body = '{"team":"platform","update":"Fine.","metadata":{"constructor":"x"}}';
  const answer = await workspace.request('POST', '/v1/standups', {
    body,
    headers: {'content-type': 'application/json'},
  });
  expect(expectProblem(answer, 'malformed_json').detail).toBe(
    'The body has a member named "constructor", which is not allowed: rename it.',
  );
});

import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {startService, type TestService} from '../support/service.js';
import {runStandup} from './run-standup.js';

let service: TestService;

beforeAll(async () => {
  service = await startService();
  await service.addWorkspace('Only One');
  const made = await runStandup(['member', 'create', 'ada@example.com'], {REDIS_URL: service.redisUrl});
  expect(made.code).toBe(0);
});

afterAll(() => service.close());

it.each([
  ['workspace list', ['team', 'list', '--workspace', 'nowhere']],
  ['member list', ['member', 'create', 'ada@example.com']],
  ['member list', ['member', 'role', 'eve@example.com', 'admin']],
  ['member list', ['member', 'remove', 'eve@example.com']],
  ['member list', ['token', 'create', '--name', 'x', '--member', 'eve@example.com']],
  ['member list', ['login', '--member', 'eve@example.com']],
  ['token list', ['token', 'revoke', 'tok_x']],
  ['webhook list', ['webhook', 'try', 'wh_x']],
  ['webhook list', ['webhook', 'trigger', 'webhook.test', '--webhook', 'wh_x']],
  ['team list', ['webhook', 'trigger', 'standup.created', '--team', 'nowhere']],
  ['keys list', ['keys', 'drop', 'nothing']],
])('the message suggests `standup-admin %s`, and no API request, when %j is refused', async (list, args) => {
  const {code, stderr} = await runStandup(args, {REDIS_URL: service.redisUrl});
  expect(code).toBe(1);
  expect(stderr).toContain(`standup-admin ${list}`);
  expect(stderr).not.toContain('/v1/');
});

import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {createTestBrowser} from '../dashboard/test-browser.js';
import {startService, type TestService, type TestWorkspace} from '../support/service.js';
import {rowsOf, runStandup} from './run-standup.js';

let service: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startService();
  workspace = await service.addWorkspace('Only One');
});

afterAll(() => service.close());

const standup = (...args: string[]) =>
  runStandup(args, {REDIS_URL: service.redisUrl, PUBLIC_URL: 'https://standup.example.com'});

it('standup-admin member creates a member with the role owner, and events name the operator as the actor', async () => {
  const made = await standup(
    'member',
    'create',
    'Ada@example.com',
    '--name',
    'Ada Lovelace',
    '--role',
    'owner',
  );
  expect(made).toEqual({code: 0, stdout: expect.stringMatching(/^mem_[0-9a-z]+\n$/), stderr: ''});
  const id = made.stdout.trim();
  const link = await standup('login');
  const {body} = await createTestBrowser(service).signIn(link.stdout.trim());
  expect(body.holder).toMatchObject({id, name: 'Ada Lovelace'});
  const events = await workspace.request('GET', `/v1/events?types=member.*&about=${id}`);
  expect(events.body.data).toMatchObject([
    {type: 'member.joined', actor: {type: 'operator', id: null, source: 'cli'}},
  ]);
});

it('standup-admin member gives roles, lists members and removes them, but never removes the last owner', async () => {
  const {stdout: made} = await standup('member', 'create', 'grace@example.com');
  const grace = made.trim();
  expect(await standup('member', 'role', 'GRACE@example.com', 'owner')).toEqual({
    code: 0,
    stdout: `${grace} owner\n`,
    stderr: '',
  });
  expect((await standup('member', 'role', 'ada@example.com', 'member')).code).toBe(0);
  const rows = rowsOf((await standup('member', 'list')).stdout);
  expect(rows).toEqual(
    expect.arrayContaining([
      ['grace', 'grace@example.com', 'owner', '-', grace],
      ['Ada Lovelace', 'ada@example.com', 'member', '-', expect.stringMatching(/^mem_/)],
    ]),
  );
  const last =
    /^This member is the workspace's last owner and cannot be (removed|given another role)\. .*\n$/;
  for (const args of [
    ['remove', grace],
    ['role', grace, 'admin'],
  ]) {
    expect(await standup('member', ...args)).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(last),
    });
  }
  expect((await standup('member', 'remove', 'ada@example.com')).stdout).toMatch(/^removed mem_/);
  expect((await standup('member', 'list')).stdout).not.toContain('ada@example.com');
});

it('standup-admin member list shows every member, however many there are', async () => {
  const {services} = workspace.core;
  for (let n = 0; n < 101; n++) {
    await services.members.createMember(workspace.operator(), {name: `Person ${n}`});
  }
  const named = rowsOf((await standup('member', 'list')).stdout).filter(([name]) =>
    name?.startsWith('Person'),
  );
  expect(new Set(named.map(([name]) => name)).size).toBe(101);
});

it.each<[string, string[], 1 | 2, RegExp]>([
  [
    'no address',
    ['member', 'create', 'ada'],
    2,
    /^"ada" is not an e-mail address such as ada@example\.com\.\n$/,
  ],
  ['an unknown role', ['member', 'create', 'x@example.com', '--role', 'boss'], 2, /owner, admin, member/],
  [
    'an address that is in use',
    ['member', 'create', 'grace@example.com'],
    1,
    /^Another member has the e-mail address .*standup-admin member list\n$/,
  ],
  [
    'an unknown member',
    ['member', 'role', 'nobody@example.com', 'owner'],
    1,
    /^There is no member "nobody@example\.com"\. To list them: standup-admin member list\n$/,
  ],
  [
    'an owner without an address',
    ['workspace', 'create', 'Two', '--owner', 'ada'],
    2,
    /^"ada" is not an e-mail/,
  ],
  [
    'a name without an owner',
    ['workspace', 'create', 'Two', '--owner-name', 'Ada'],
    2,
    /^--owner-name needs --owner/,
  ],
])('standup refuses %s and creates nothing', async (_, args, code, says) => {
  expect(await standup(...args)).toEqual({code, stdout: '', stderr: expect.stringMatching(says)});
  expect(rowsOf((await standup('workspace', 'list')).stdout)).toHaveLength(1);
});

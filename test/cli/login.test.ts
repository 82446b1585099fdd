import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {addPerson} from '../api/people.js';
import {createTestBrowser} from '../dashboard/test-browser.js';
import {startService, type TestService, type TestWorkspace} from '../support/service.js';
import {runStandup} from './run-standup.js';

let service: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startService();
  workspace = await service.addWorkspace('Only One');
});

afterAll(() => service.close());

const loginTo = ({redisUrl}: TestService, ...args: string[]) =>
  runStandup(['login', ...args], {REDIS_URL: redisUrl, PUBLIC_URL: 'https://standup.example.com'});

const login = (...args: string[]) => loginTo(service, ...args);

it('standup-admin login reports that there is no owner', async () => {
  const ownerless = await startService();
  await ownerless.addWorkspace('Only One');
  const said = await loginTo(ownerless);
  await ownerless.close();
  expect(said).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'There is no owner yet. Create one: standup-admin member create EMAIL --role owner, or name a member with --member.\n',
  });
});

it('standup-admin login prints only a link, which signs in the first owner or the named member', async () => {
  const owner = await addPerson(service, workspace, {name: 'Olga Owner', role: 'owner'});
  const ada = await addPerson(service, workspace, {email: 'ada@example.com'});
  for (const [args, id] of [
    [[], owner.id],
    [['--member', 'ada@example.com'], ada.id],
  ] as const) {
    const {code, stdout, stderr} = await login(...args);
    expect({code, stderr}).toEqual({code: 0, stderr: ''});
    expect(stdout).toMatch(/^https:\/\/standup\.example\.com\/app\/sign-in#[\w.-]+\n$/);
    const {status, body} = await createTestBrowser(service).signIn(stdout.trim());
    expect({status, holder: body.holder.id}).toEqual({status: 201, holder: id});
  }
});

it('standup-admin login prints a link to the service address in the command’s environment', async () => {
  for (const [env, origin] of [
    [{PORT: '27009'}, 'http://localhost:27009'],
    [{PORT: '27009', PUBLIC_URL: 'https://standup.example.com'}, 'https://standup.example.com'],
  ] as const) {
    const {stdout} = await runStandup(['login'], {REDIS_URL: service.redisUrl, ...env});
    expect(stdout).toContain(`${origin}/app/sign-in#`);
  }
});

it('standup-admin login reports that the named member does not exist', async () => {
  expect(await login('--member', 'nobody@example.com')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'There is no member "nobody@example.com". To list them: standup-admin member list\n',
  });
});

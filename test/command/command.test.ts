import {execFile, spawn} from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import {promisify} from 'node:util';
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {Client} from '@modelcontextprotocol/client';
import {StdioClientTransport} from '@modelcontextprotocol/client/stdio';
import {parse} from 'yaml';
import {addPerson, type Person} from '../api/people.js';
import {createSessionToken} from '../dashboard/test-browser.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../support/service.js';
import {expectEventually} from '../support/expect-eventually.js';
import {findFreePort} from '../support/free-port.js';
import {describeImports} from './describe-imports.js';
import {createMachine, type Machine, makeRepository} from './machine.js';
import {packCommand, packedFolder} from './pack-command.js';

let service: TestService;
let workspace: TestWorkspace;
let ada: Person;
let machine: Machine;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  machine = createMachine();
  workspace = await service.addWorkspace();
  ada = await addPerson(service, workspace, {name: 'Ada', team: 'platform', email: 'ada@example.com'});
});
afterEach(() => machine.remove());

const signIn = (token = ada.token) =>
  machine.run(['login', service.url, '--with-token'], {input: `${token}\n`});
const listStandups = async (): Promise<Json[]> => (await workspace.request('GET', '/v1/standups')).body.data;
const unreachable = async (): Promise<Response> => {
  throw new TypeError('fetch failed', {cause: Object.assign(new Error('refused'), {code: 'ECONNREFUSED'})});
};

describe('the sign-in of the command', () => {
  it('keeps a token from stdin in a file for its owner alone, and shows who is signed in', async () => {
    expect(await signIn()).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^You are signed in to \w+ as Ada\. Post with: standup post\n$/),
    });
    const file = path.join(machine.config, 'credentials.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(machine.config).mode & 0o777).toBe(0o700);
    const {code, stdout} = await machine.run(['whoami']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Ada \(member\) in \w+ at http:\S+\nTeams: platform\nScopes: /);
  });

  it('is refused with exit code 4 when the token is wrong, and keeps nothing', async () => {
    const {code, stderr} = await signIn('not.a.token');
    expect({code, stderr}).toEqual({code: 4, stderr: 'Your sign-in has ended. Run `standup login`.\n'});
    expect(existsSync(path.join(machine.config, 'credentials.json'))).toBe(false);
  });

  it('names the command to sign in with, and ends with 4, without one', async () => {
    expect(await machine.run(['today'])).toEqual({
      code: 4,
      stdout: '',
      stderr: 'Sign in first: standup login https://standup.example.com\n',
    });
  });

  it('uses the address and the token of the environment first', async () => {
    const env = {STANDUP_URL: service.url, STANDUP_TOKEN: ada.token};
    expect((await machine.run(['whoami'], {env})).stdout).toMatch(/^Ada /);
  });

  it('never sends a saved token to another address', async () => {
    await signIn();
    const asked: string[] = [];
    const send = async (request: Request) => {
      asked.push(request.url);
      return unreachable();
    };
    const {code} = await machine.run(['whoami'], {env: {STANDUP_URL: 'http://127.0.0.1:1'}, send});
    expect({code, asked}).toEqual({code: 4, asked: []});
  });

  it('is used no more when others can read its file', async () => {
    await signIn();
    chmodSync(path.join(machine.config, 'credentials.json'), 0o644);
    const {code, stderr} = await machine.run(['whoami']);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^Others can read \S+credentials\.json \(mode 0644\)\. Delete it, revoke its token/,
    );
  });

  it('by a code gets a token once a person approves it, and logout revokes that token', async () => {
    const session = await createSessionToken(workspace, ada.id);
    let code = '';
    const approve = async (request: Request) => {
      const response = await fetch(request);
      if (new URL(request.url).pathname === '/app/device') {
        const started = (await response.clone().json()) as {user_code: string};
        code = started.user_code;
        await workspace.request('POST', `/v1/device-logins/${code}`, {
          token: session,
          body: {decision: 'approve'},
        });
      }
      return response;
    };
    const signedIn = await machine.run(['login', service.url], {send: approve});
    // PUBLIC_URL of this service has the port 3000.
    expect(signedIn).toMatchObject({code: 0, stderr: expect.stringMatching(/^This page is not of /)});
    expect(signedIn.stdout).toContain(`  ${code}\n`);
    expect((await machine.run(['post', 'Signed in.'])).code).toBe(0);
    expect(await listStandups()).toMatchObject([{update: 'Signed in.', source: 'cli'}]);
    const saved: Json = JSON.parse(readFileSync(path.join(machine.config, 'credentials.json'), 'utf8'));
    const token = saved[`default@${service.url}`];
    expect((await workspace.request('GET', '/v1/me', {token})).status).toBe(200);
    expect(await machine.run(['logout'])).toEqual({code: 0, stdout: 'You are signed out.\n', stderr: ''});
    expect((await workspace.request('GET', '/v1/me', {token})).status).toBe(401);
  });

  it('ends with logout, which revokes the token', async () => {
    await signIn();
    expect(await machine.run(['logout'])).toMatchObject({
      code: 0,
      stdout: 'You are signed out.\n',
      stderr: '',
    });
    expect((await machine.run(['whoami'])).code).toBe(4);
    expect((await workspace.request('GET', '/v1/me', {token: ada.token})).status).toBe(401);
  });
});

describe('standup post', () => {
  beforeEach(() => signIn());

  it('posts its words, shows what was posted, and undo deletes it', async () => {
    const {code, stdout} = await machine.run(['post', 'Fixed', 'the importer.']);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Posted for platform, \d{4}-\d\d-\d\d:\n {2}Fixed the importer\.\nUndo: standup undo\n$/,
    );
    expect(await listStandups()).toMatchObject([{update: 'Fixed the importer.', author: {name: 'Ada'}}]);
    expect(await machine.run(['undo'])).toMatchObject({code: 0, stdout: 'Your update was deleted.\n'});
    expect(await listStandups()).toEqual([]);
    expect(await machine.run(['undo'])).toMatchObject({code: 1});
  });

  it('posts what is piped in, for several teams in one step, with blockers', async () => {
    await workspace.core.services.teams.createTeam(workspace.operator(), {slug: 'mobile', name: 'Mobile'});
    await workspace.core.services.teamMembers.setTeamMember(workspace.operator(), 'mobile', ada.id, 'member');
    const args = ['post', '--team', 'platform,mobile', '--blocker', 'No staging.', '--blocker', 'No key.'];
    expect(await machine.run(args, {input: 'One.\nTwo.\n'})).toMatchObject({code: 0});
    expect((await listStandups()).map(({team, update}) => [team, update]).toSorted()).toEqual([
      ['mobile', 'One.\nTwo.'],
      ['platform', 'One.\nTwo.'],
    ]);
    const {stdout} = await machine.run(['blockers', '--team', 'platform']);
    expect(stdout).toContain('No staging.');
    const asked = await machine.run(['post', 'Which team?']);
    expect(asked).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('You are in several teams: mobile, platform.'),
    });
  });

  it('posts what the editor saves, with the questions of the team as headings', async () => {
    const questions = [
      {key: 'done', type: 'text', label: 'What did you do?'},
      {key: 'mood', type: 'mood', label: 'How are you?'},
      {key: 'place', type: 'choice', label: 'Where?', options: ['Office', 'Home']},
      {key: 'help', type: 'yes_no', label: 'Need help?'},
    ];
    await workspace.request('PATCH', '/v1/teams/platform', {body: {questions}});
    let shown = '';
    const {code} = await machine.run(['post'], {
      edit(before) {
        shown = before;
        return before
          .replace('# What did you do?\n', '# What did you do?\nShipped it.\n')
          .replace('# How are you?\n', '# How are you?\n4\n')
          .replace('# Where?\n', '# Where?\nhome\n')
          .replace('# Need help?\n', '# Need help?\nno\n');
      },
    });
    expect(code).toBe(0);
    expect(shown).toMatch(
      /^# What did you do\?\n\n# How are you\?\n[^]*\n-+ >8 -+\nWrite your update for platform \(/,
    );
    const [{answers}] = await listStandups();
    expect(answers.map(({question, value}: Json) => [question, value])).toEqual([
      ['done', 'Shipped it.'],
      ['mood', 4],
      ['place', ['Home']],
      ['help', false],
    ]);
    expect(readdirSync(machine.state).filter((name) => name.endsWith('.md'))).toEqual([]);
    const empty = await machine.run(['post'], {edit: (before) => before});
    expect(empty).toMatchObject({code: 2, stderr: 'The text is empty. Nothing was posted.\n'});
  });

  it('posts Markdown from the editor, and plain text from words and pipes, unless --format says otherwise', async () => {
    const text = '- **Shipped** it';
    let shown = '';
    const edit = (before: string) => {
      shown = before;
      return text;
    };
    const post = async (args: readonly string[], options = {}) =>
      expect(await machine.run(['post', ...args], options)).toMatchObject({code: 0});
    await post([], {edit});
    expect(shown).toContain('You can use Markdown: **bold**');
    await post(['--format', 'plain'], {edit});
    expect(shown).not.toContain('Markdown');
    await post(['Words.']);
    await post([], {input: 'Piped.'});
    await post(['--format', 'markdown', 'Words of **Markdown**.']);
    const standups = await listStandups();
    expect(standups.map(({update, format}) => [update, format]).toReversed()).toEqual([
      [text, 'markdown'],
      [text, undefined],
      ['Words.', undefined],
      ['Piped.', undefined],
      ['Words of **Markdown**.', 'markdown'],
    ]);
    expect((await machine.run(['post', 'x', '--format', 'html'])).code).toBe(2);
  });

  it('shows a refused text again, so that nothing typed is lost', async () => {
    const {code, stderr} = await machine.run(['post', '--date', '1999-01-01'], {
      edit: () => 'Typed for long.',
    });
    expect(code).toBe(1);
    expect(stderr).toContain('Your text was:\n\n  Typed for long.\n');
    expect(readdirSync(path.join(machine.state, 'kept'))).toEqual([]);
  });

  it('takes a draft from the user’s own commits, and posts it only if asked to', async () => {
    const folder = path.join(machine.home, 'repository');
    await makeRepository(folder, 'ada@example.com', [
      ['ada@example.com', 'Fix the importer'],
      ['eve@example.com', 'Not mine'],
      ['xada@example.com', 'Not mine either'],
      ['ada@example.com', 'Fix the importer'],
      ['ada@example.com', 'Colour \u001b[31m the page\u202e'],
    ]);
    const draft = '- Fix the importer\n- Colour [31m the page';
    expect(await machine.run(['post', '--from', 'git'], {cwd: folder})).toEqual({
      code: 0,
      stdout: `${draft}\n`,
      stderr: 'Nothing was posted. Add --yes to post it.\n',
    });
    expect(await listStandups()).toEqual([]);
    expect(await machine.run(['post', '--from', 'git', '--yes'], {cwd: folder})).toMatchObject({code: 0});
    expect(await listStandups()).toMatchObject([{update: draft}]);
  });

  it('takes the draft that programs and notes have prepared', async () => {
    const links = [{url: 'https://example.com/42', title: 'Retry page'}];
    const body = {team: 'platform', source: 'github', update: 'Merged the retry page.', links};
    await workspace.request('PUT', '/v1/drafts/me', {body, token: ada.token});
    expect((await machine.run(['draft', 'set', 'Reviewed', 'it.'])).code).toBe(0);
    const {stdout} = await machine.run(['draft']);
    expect(stdout).toContain('From github\n  Merged the retry page.\n  Retry page  https://example.com/42\n');
    expect(stdout).toContain('From notes\n  Reviewed it.\n');
    let shown = '';
    const edit = (before: string) => {
      shown = before;
      return before.replace('Reviewed it.', 'Done.');
    };
    expect((await machine.run(['post', '--from', 'draft'], {edit})).code).toBe(0);
    expect(shown).toMatch(/^Merged the retry page\.\n\nReviewed it\.\n/);
    expect(await listStandups()).toMatchObject([{update: 'Merged the retry page.\n\nDone.'}]);
    expect((await machine.run(['draft'])).stdout).toMatch(/^There is no draft for platform, /);
    expect((await machine.run(['post', '--from', 'draft', '--yes'])).code).toBe(1);
    expect((await machine.run(['post', '--from', 'memory'])).code).toBe(2);
  });

  it('keeps an update without an answer, and sends it once when the service is back', async () => {
    await machine.run(['missing']);
    const away = await machine.run(['post', 'Written on a train.'], {send: unreachable});
    expect(away).toMatchObject({code: 6});
    expect(away.stderr).toBe(
      `${service.url} does not answer (ECONNREFUSED).\nYour update is kept. To send it later: standup post --retry\n`,
    );
    const [kept = ''] = readdirSync(path.join(machine.state, 'kept'));
    expect(statSync(path.join(machine.state, 'kept', kept)).mode & 0o777).toBe(0o600);
    expect(await machine.run(['undo'])).toMatchObject({
      code: 1,
      stderr: 'It is not known whether your last change arrived. See: standup today\n',
    });
    expect(await machine.run(['post', '--retry'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Posted for'),
    });
    expect(await machine.run(['post', '--retry'])).toMatchObject({
      code: 0,
      stdout: 'Nothing waits to be sent.\n',
    });
    expect(await listStandups()).toMatchObject([{update: 'Written on a train.'}]);
  });

  it.each([
    ['an hour', 1],
    ['three days', 72],
  ])('posts once when its answer is lost and the update is sent again after %s', async (_, hours) => {
    const lost = async (request: Request) => {
      const isPost = request.method === 'POST';
      const response = await fetch(request);
      return isPost ? unreachable() : response;
    };
    expect((await machine.run(['post', 'Answered in vain.'], {send: lost})).code).toBe(6);
    expect(await listStandups()).toHaveLength(1);
    const now = () => Date.now() + hours * 3_600_000;
    const {code, stdout} = await machine.run(['post', '--retry'], {now});
    expect({code, stdout}).toEqual({code: 0, stdout: expect.stringMatching(/^Already posted: platform, /)});
    expect(await listStandups()).toHaveLength(1);
    expect(readdirSync(path.join(machine.state, 'kept'))).toEqual([]);
  });

  it('posts once when the process is killed between the answer and its record', async () => {
    // The answer never comes: what follows in the process does not happen.
    await new Promise<void>((resolve, reject) => {
      const kill = async (request: Request): Promise<Response> => {
        const response = await fetch(request);
        if (request.method !== 'POST') return response;
        resolve();
        return new Promise(() => undefined);
      };
      machine.run(['post', 'Killed.'], {send: kill}).catch(reject);
    });
    expect(await listStandups()).toHaveLength(1);
    expect((await machine.run(['undo'])).stderr).toContain('It is not known whether');
    expect((await machine.run(['post', '--retry'])).stdout).toMatch(/^Already posted: /);
    expect(await listStandups()).toHaveLength(1);
  });

  it('says that an update is posted although the machine cannot record it', async () => {
    const breakState = async (request: Request) => {
      const response = await fetch(request);
      if (request.method === 'POST') {
        rmSync(path.join(machine.state, 'last.json'));
        mkdirSync(path.join(machine.state, 'last.json'));
      }
      return response;
    };
    const {code, stdout, stderr} = await machine.run(['post', 'Posted.'], {send: breakState});
    expect({code, stdout}).toEqual({code: 0, stdout: expect.stringMatching(/^Posted for platform/)});
    expect(stderr).toMatch(/^The update is posted, but cannot be undone here: /);
    expect(readdirSync(path.join(machine.state, 'kept'))).toEqual([]);
  });

  it('shows the text of a kept update that is refused later, and sends the others', async () => {
    await machine.run(['missing']);
    await machine.run(['post', 'For a team that goes.', '--team', 'gone'], {send: unreachable});
    await machine.run(['post', 'For one that stays.'], {send: unreachable});
    const {code, stderr} = await machine.run(['post', '--retry']);
    expect(code).toBe(1);
    expect(stderr).toContain('Your text was:\n\n  For a team that goes.\n');
    expect(await listStandups()).toMatchObject([{update: 'For one that stays.'}]);
    expect(readdirSync(path.join(machine.state, 'kept'))).toEqual([]);
  });

  it('leaves out a kept update that others can read, and sends the others', async () => {
    await machine.run(['missing']);
    await machine.run(['post', 'Readable.'], {send: unreachable});
    const [file = ''] = readdirSync(path.join(machine.state, 'kept'));
    chmodSync(path.join(machine.state, 'kept', file), 0o644);
    await machine.run(['post', 'Private.'], {send: unreachable});
    const {code, stderr} = await machine.run(['post', '--retry']);
    expect({code, stderr}).toEqual({
      code: 0,
      stderr: expect.stringMatching(/^Others can read .*\. Delete it\.\n$/),
    });
    expect(await listStandups()).toMatchObject([{update: 'Private.'}]);
    expect((await machine.run(['post', 'Now.'])).code).toBe(0);
  });

  it('posts once when two processes send a kept update at the same time', async () => {
    await machine.run(['missing']);
    await machine.run(['post', 'Twice at once.'], {send: unreachable});
    const codes = await Promise.all([0, 1, 2].map(() => machine.run(['post', '--retry'])));
    expect(codes.map(({code}) => code)).toContain(0);
    expect(await listStandups()).toHaveLength(1);
  });

  it('keeps an update when the sign-in has ended, and sends it with the next one of the same person', async () => {
    await workspace.request('GET', '/v1/me', {token: ada.token});
    const refuse = async (request: Request) =>
      request.method === 'POST'
        ? Response.json(
            {status: 401, code: 'invalid_token', detail: 'x'},
            {status: 401, headers: {'content-type': 'application/problem+json'}},
          )
        : fetch(request);
    const ended = await machine.run(['post', 'Kept.'], {send: refuse});
    expect(ended).toMatchObject({code: 4, stderr: expect.stringContaining('Your update is kept.')});
    const eve = await addPerson(service, workspace, {name: 'Eve', team: 'platform'});
    await signIn(eve.token);
    const other = await machine.run(['post', '--retry']);
    expect(other.stderr).toBe('One update was kept by another sign-in, and stays kept.\n');
    expect(await listStandups()).toEqual([]);
    await signIn();
    expect((await machine.run(['post', '--retry'])).code).toBe(0);
    expect(await listStandups()).toMatchObject([{update: 'Kept.', author: {name: 'Ada'}}]);
  });

  it('prints the answer of the API unchanged with --json', async () => {
    const {stdout} = await machine.run(['post', 'For \u200b programs.', '--json']);
    expect(stdout).toMatch(/^\{"id":"std_\w+",.*For \\u200b programs.*\}\n$/);
    expect(JSON.parse(stdout)).toMatchObject({object: 'standup', update: 'For \u200b programs.'});
  });
});

describe('standup mcp', () => {
  const call = {jsonrpc: '2.0', id: 7, method: 'tools/list', params: {}};

  it('answers with an error that names the sign-in when the token has ended', async () => {
    const env = {STANDUP_URL: service.url, STANDUP_TOKEN: 'not.a.token'};
    const {stdout} = await machine.run(['mcp'], {env, input: `${JSON.stringify(call)}\n`});
    expect(JSON.parse(stdout)).toEqual({
      jsonrpc: '2.0',
      id: 7,
      error: {code: -32_001, message: 'The sign-in has ended: run `standup login`.'},
    });
  });

  it('regression: survives a line of JSON that is no message', async () => {
    const env = {STANDUP_URL: service.url, STANDUP_TOKEN: ada.token};
    const input = ['null', '5', '[]', JSON.stringify(call)];
    const {stdout} = await machine.run(['mcp'], {env, input: input.join('\n'), send: unreachable});
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((one): Json => JSON.parse(one));
    expect(answers.map(({id, error}) => [id, error.code])).toEqual([
      [null, -32_600],
      [null, -32_600],
      [null, -32_600],
      [7, -32_000],
    ]);
  });

  it('answers each request when the service is silent, and says nothing to a notification', async () => {
    const env = {STANDUP_URL: service.url, STANDUP_TOKEN: ada.token};
    const input = [
      'no JSON',
      JSON.stringify(call),
      JSON.stringify({jsonrpc: '2.0', method: 'notifications/initialized'}),
    ];
    const {stdout} = await machine.run(['mcp'], {env, input: input.join('\n'), send: unreachable});
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((one): Json => JSON.parse(one));
    expect(answers.map(({id, error}) => [id, error.code])).toEqual([
      [null, -32_700],
      [7, -32_000],
    ]);
    expect(answers[1].error.message).toContain('standup login');
  });
});

describe('the command', () => {
  beforeEach(() => signIn());

  it('shows today, who is missing, and history, without control sequences of others', async () => {
    const evil = await addPerson(service, workspace, {name: 'Gus', team: 'platform'});
    const update = 'Hello SEQUENCE evil\nsecond line';
    /** Stands for a service that lets such characters through. */
    const send = async (request: Request) => {
      const response = await fetch(request);
      const text = await response.text();
      const sequence = String.raw`\u001b]0;title\u0007\u001b[2J \u009b1m\u202e`;
      return new Response(text.replaceAll('SEQUENCE', sequence), {headers: response.headers});
    };
    await workspace.request('POST', '/v1/standups', {body: {team: 'platform', update}, token: evil.token});
    const today = await machine.run(['today'], {send});
    expect(today).toMatchObject({code: 0, stderr: ''});
    expect(today.stdout).toContain('Ada  not yet posted');
    expect(today.stdout).toContain(
      '  Hello \\u{1b}]0;title\\u{7}\\u{1b}[2J \\u{9b}1m\\u{202e} evil\n  second line\n',
    );
    const missing = await machine.run(['missing']);
    expect(missing.stdout).toMatch(/^NAME +STATUS\nAda +not yet posted/);
    for (const args of [
      ['history', '--team', 'platform'],
      ['history', '--team', 'platform', '--all'],
      ['today', '--json'],
    ]) {
      const {code, stdout} = await machine.run(args, {send});
      expect({code, found: stdout.includes('evil')}).toEqual({code: 0, found: true});
      // oxlint-disable-next-line no-control-regex
      expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    }
    expect((await machine.run(['history', '--q', 'second', '--author', 'all'])).stdout).toContain('Gus');
    expect((await machine.run(['history'])).stdout).toBe('There are no standups.\n');
  });

  it('walks all pages of the history as lines of JSON', async () => {
    for (const n of [1, 2, 3]) await machine.run(['post', `Number ${n}.`]);
    const {stdout} = await machine.run(['history', '--all', '--limit', '2']);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((one) => JSON.parse(one).update)).toEqual(['Number 3.', 'Number 2.', 'Number 1.']);
  });

  it('edits the newest update of today, and undo brings back the text before', async () => {
    await machine.run(['post', 'First.']);
    expect(await machine.run(['edit', 'Second.'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Second.'),
    });
    const asked = await machine.run(['edit'], {edit: (before) => before.replace('Second.', 'Third.')});
    expect(asked.code).toBe(0);
    expect(await listStandups()).toMatchObject([{update: 'Third.'}]);
    expect(await machine.run(['undo'])).toMatchObject({
      code: 0,
      stdout: 'Your update says again:\n  Second.\n',
    });
    expect(await listStandups()).toMatchObject([{update: 'Second.'}]);
  });

  it('does not undo an update that was changed in the meantime, and ends with 7', async () => {
    await machine.run(['post', 'First.']);
    const [{id}] = await listStandups();
    await workspace.request('PATCH', `/v1/standups/${id}`, {
      body: {update: 'Changed elsewhere.'},
      token: ada.token,
    });
    expect(await machine.run(['undo'])).toMatchObject({code: 7});
    expect(await listStandups()).toMatchObject([{update: 'Changed elsewhere.'}]);
  });

  it('undoes nothing after 15 minutes, and nothing of another person', async () => {
    await machine.run(['post', 'First.']);
    const late = await machine.run(['undo'], {now: () => Date.now() + 16 * 60_000});
    expect(late.stderr).toBe('There is nothing to undo: you did nothing here in the last 15 minutes.\n');
    const eve = await addPerson(service, workspace, {name: 'Eve', role: 'admin', team: 'platform'});
    await signIn(eve.token);
    expect((await machine.run(['undo'])).code).toBe(1);
    expect(await listStandups()).toHaveLength(1);
  });

  it('raises, lists, acknowledges and resolves blockers', async () => {
    expect((await machine.run(['blockers'])).stdout).toBe('platform has no open blocker.\n');
    const raised = await machine.run(['blockers', 'raise', 'No', 'access.', '--team', 'platform', '--json']);
    const {id} = JSON.parse(raised.stdout);
    expect((await machine.run(['blockers', 'ack', id])).stdout).toBe('You are on it: No access.\n');
    expect((await machine.run(['blockers'])).stdout).toContain('acknowledged');
    expect((await machine.run(['blockers', 'resolve', id])).stdout).toBe('Resolved: No access.\n');
    expect((await machine.run(['blockers', 'resolve', 'blk_none'])).code).toBe(3);
  });

  it('records days off as typed in Slack, and ends them', async () => {
    const away = await machine.run(['ooo', 'until', 'friday']);
    expect(away.stdout).toMatch(
      /^You are away (?:from \S+ until|on) \S+\. No reminders come on these days\.\n/,
    );
    expect((await machine.run(['ooo', '--back'])).stdout).toBe(
      'Welcome back. You are expected again from today.\n',
    );
    expect((await machine.run(['ooo', '--back'])).stdout).toBe('You are not away today.\n');
    const unclear = await machine.run(['ooo', '3/4']);
    expect(unclear).toMatchObject({code: 2, stderr: expect.stringMatching(/^Which days\?/)});
  });

  it('lists people with the time where they are', async () => {
    await addPerson(service, workspace, {name: 'Grace', team: 'platform', timezone: 'Asia/Tokyo'});
    const {stdout} = await machine.run(['who', 'gra']);
    expect(stdout).toMatch(
      /^NAME +E-MAIL +ROLE +TIME ZONE +NOW\nGrace +member +Asia\/Tokyo +\w{3},? \d\d:\d\d\n$/,
    );
  });

  it('ends with 3 for an unknown team, with 5 without the right, and with 2 for wrong words', async () => {
    expect((await machine.run(['today', 'nowhere'])).code).toBe(3);
    expect((await machine.run(['tody'])).code).toBe(2);
    const reader = await addPerson(service, workspace, {
      name: 'Reader',
      team: 'platform',
      scopes: ['standups:read'],
    });
    await signIn(reader.token);
    const {code, stderr} = await machine.run(['post', 'Not allowed.', '--team', 'platform']);
    expect({code, stderr}).toEqual({
      code: 5,
      stderr: expect.stringMatching(/^Your token may not do this\. /),
    });
  });

  it('takes the team from .standup.json of a repository, and nothing else', async () => {
    const folder = path.join(machine.home, 'work', 'deep');
    mkdirSync(folder, {recursive: true});
    const file = path.join(machine.home, 'work', '.standup.json');
    writeFileSync(file, '{"team": "nowhere"}');
    expect((await machine.run(['today'], {cwd: folder})).code).toBe(3);
    for (const [content, says] of [
      ['{"team": "platform", "token": "secret"}', 'may only name a `team`. Remove `token` from it.'],
      [
        '{"team": "platform", "url": "https://evil.example"}',
        'may only name a `team`. Remove `url` from it.',
      ],
      ['{"team": ["platform"]}', 'is not the name of a team.'],
      ['nothing', 'does not contain a JSON object.'],
      [String.raw`{"\u001b[2J": 1}`, 'Remove `\\u{1b}[2J` from it.'],
    ] as const) {
      writeFileSync(file, content);
      const {code, stderr} = await machine.run(['today'], {cwd: folder});
      expect({code, stderr}).toEqual({code: 2, stderr: expect.stringContaining(says)});
    }
  });

  it('opens the dashboard without a shell', async () => {
    const {stdout} = await machine.run(['open'], {isInteractive: true, env: {BROWSER: 'my-browser'}});
    expect(stdout).toBe(`${service.url}/app\n`);
    expect(machine.started).toEqual([{program: 'my-browser', args: [`${service.url}/app`]}]);
  });
});

describe('the transcripts of docs/command.md', () => {
  const address = 'https://standup.example.com';

  it('show what the commands print', async () => {
    const blocks = readFileSync('docs/command.md', 'utf8').matchAll(/^```console\n([^]*?)^```$/gm);
    const documented = [...blocks].map(([, block = '']) => block).join('');
    const session = await createSessionToken(workspace, ada.id);
    let isConnected = true;
    let userCode = '';
    /** The service is at another address than in the document. */
    const send = async (request: Request): Promise<Response> => {
      if (!isConnected)
        throw new TypeError('fetch failed', {cause: Object.assign(new Error('gone'), {code: 'ENETUNREACH'})});
      const response = await fetch(new Request(request.url.replace(address, service.url), request));
      const text = (await response.text()).replaceAll(/http:\/\/localhost:\d+/g, address);
      if (new URL(request.url).pathname === '/app/device') userCode = JSON.parse(text).user_code;
      return new Response(response.status === 204 ? null : text, response);
    };
    const approve = () =>
      workspace.request('POST', `/v1/device-logins/${userCode}`, {
        token: session,
        body: {decision: 'approve'},
      });
    const events: Readonly<Record<string, () => unknown>> = {
      'Ada enters the code in the dashboard.': () => undefined,
      'Ada commits "Show retries" and "Test retries".': () =>
        makeRepository(machine.home, 'ada@example.com', [
          ['ada@example.com', 'Show retries'],
          ['ada@example.com', 'Test retries'],
        ]),
      'The connection breaks.': () => (isConnected = false),
      'The connection is back.': () => (isConnected = true),
      'An admin revokes the token.': async () => {
        const {body} = await workspace.request('GET', '/v1/tokens?limit=100');
        const {id} = body.data.find(({client}: Json) => client === 'cli');
        expect((await workspace.request('DELETE', `/v1/tokens/${id}`)).status).toBe(204);
      },
    };
    const shell = async (script: string) =>
      (await promisify(execFile)('bash', ['-c', script], {cwd: machine.home})).stdout;
    let lastCode = 0;

    /** Runs a command as a shell does, whose last part is `standup`. */
    async function enter(line: string): Promise<string> {
      if (line === 'echo $?') return `${lastCode}\n`;
      const [, left, words = ''] = /^(?:(.*) \| )?standup (.*)$/.exec(line) ?? [];
      const args = (await shell(`printf '%s\\0' ${words}`)).split('\0').slice(0, -1);
      const {code, stdout, stderr} = await machine.run(args, {
        send,
        ...(left !== undefined && {input: await shell(left)}),
        // The command asks for its token when the person has approved it.
        sleep: async () => void (await approve()),
      });
      lastCode = code;
      return stdout + stderr;
    }

    const {body: me} = await workspace.request('GET', '/v1/me', {token: ada.token});
    let printed = '';
    for (const line of documented.split('\n')) {
      if (line.startsWith('$ ')) printed += `${line}\n${await enter(line.slice(2))}`;
      if (!line.startsWith('# ')) continue;
      const event = events[line.slice(2)];
      if (event === undefined) throw new Error(`The test does not know “${line}”.`);
      await event();
      if (!line.includes('enters the code')) printed += `${line}\n`;
    }
    const shown = printed
      .replaceAll(me.workspace.name, 'Example Inc')
      .replaceAll(userCode, 'WDJB-MJHT')
      .replaceAll(/(sign-in ends on )[\d-]+/g, '$12027-02-21')
      .replaceAll(
        /(?:for platform|platform), \d{4}-\d\d-\d\d/g,
        (found) => `${found.slice(0, -10)}2026-11-23`,
      )
      .replaceAll(/posted at \d\d:\d\d/g, 'posted at 09:12');
    expect(shown).toBe(documented.replace('# Ada enters the code in the dashboard.\n', ''));
  });
});
describeImports(() => ({service, workspace, machine}));

describe('the packed command', () => {
  const run = promisify(execFile);
  const folder = packedFolder;

  beforeAll(packCommand);

  it.each([
    ['2025-11-25', 'legacy'],
    ['2026-07-28', {pin: '2026-07-28'}],
  ] as const)('connects an assistant that speaks %s by stdio', async (_, mode) => {
    const client = new Client({name: 'test', version: '1'}, {versionNegotiation: {mode}});
    const env = {STANDUP_URL: service.url, STANDUP_TOKEN: ada.token, HOME: machine.home};
    const args = [path.join(folder, 'standup.js'), 'mcp'];
    await client.connect(new StdioClientTransport({command: process.execPath, args, env}));
    try {
      expect((await client.listTools()).tools).toHaveLength(14);
      const text = {team: 'platform', update: 'By stdio.'};
      const posted = await client.callTool({name: 'standup_post', arguments: text});
      expect(posted.structuredContent).toMatchObject({update: 'By stdio.', source: 'mcp'});
      const refused = await client.callTool({
        name: 'standup_post',
        arguments: {team: 'nowhere', update: 'x'},
      });
      expect(refused.isError).toBe(true);
      const {resources} = await client.listResources();
      const {contents} = await client.readResource({uri: resources[0]?.uri ?? ''});
      expect(JSON.stringify(contents)).toContain('team_day');
      expect((await client.listPrompts()).prompts).toHaveLength(2);
      await expect(client.callTool({name: 'größe 🙂', arguments: {}})).rejects.toThrow(
        /größe|Unknown|no tool/i,
      );
    } finally {
      await client.close();
    }
  });

  it('is one file without packages that runs from an empty folder with an empty home', async () => {
    const packed = await run('npm', ['pack', folder, '--json', '--pack-destination', machine.home]);
    const [{files, filename}] = JSON.parse(packed.stdout) as [{files: {path: string}[]; filename: string}];
    expect(files.map((file) => file.path).toSorted()).toEqual([
      'LICENSE',
      'README.md',
      'package.json',
      'standup.js',
    ]);
    await run('tar', ['-xzf', path.join(machine.home, filename), '-C', machine.home]);
    const standup = (args: string[], input = '') =>
      new Promise<{code: number | null; stdout: string; stderr: string}>((resolve, reject) => {
        const child = spawn(process.execPath, [path.join(machine.home, 'package', 'standup.js'), ...args], {
          cwd: machine.home,
          env: {PATH: process.env['PATH'], HOME: machine.home},
        });
        let stdout = '';
        let stderr = '';
        child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
        child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
        child.once('error', reject);
        child.once('close', (code) => resolve({code, stdout, stderr}));
        child.stdin.end(input);
      });
    expect((await standup(['--version'])).stdout).toBe('0.1.0\n');
    expect((await standup(['login', service.url, '--with-token'], ada.token)).code).toBe(0);
    expect((await standup(['post', 'From', 'the', 'shell.'])).stdout).toContain('  From the shell.\n');
    expect((await standup(['post'], 'From a pipe.')).stdout).toContain('  From a pipe.\n');
    expect((await standup(['today'])).stdout).toContain('  From a pipe.\n');
    const silent = `http://127.0.0.1:${await findFreePort()}`;
    const unanswered = await standup(['login', silent, '--profile', 'other', '--with-token'], 'x');
    expect(unanswered).toMatchObject({code: 6, stderr: `${silent} does not answer (ECONNREFUSED).\n`});
    const operator = await standup(['workspace', 'list']);
    expect(operator).toEqual({
      code: 2,
      stdout: '',
      stderr:
        '`workspace` is a command of the operator: run `standup-admin workspace` on the machine of the service. It needs REDIS_URL.\n',
    });
    await standup(['logout']);
    expect((await standup(['post', 'Too late.'])).code).toBe(4);
  });

  it.each([
    ['bash', ['--noprofile', '--norc', '-c']],
    ['zsh', ['-f', '-c']],
    ['fish', ['--no-config', '-c']],
  ])('completes the names of teams in a real %s', async (shell, options) => {
    const isThere = await run('sh', ['-c', `command -v ${shell}`]).then(
      () => true,
      () => false,
    );
    if (!isThere)
      return void process.stderr.write(`The completion in ${shell} was not tried: it is not here.\n`);
    const bin = path.join(machine.home, 'bin');
    mkdirSync(bin);
    const file = path.join(bin, 'standup');
    writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' '${path.join(folder, 'standup.js')}' "$@"\n`, {
      mode: 0o755,
    });
    const env = {
      PATH: `${bin}:${process.env['PATH']}`,
      HOME: machine.home,
      STANDUP_URL: service.url,
      STANDUP_TOKEN: ada.token,
    };
    const asked: Readonly<Record<string, string>> = {
      bash: `source <(standup completion bash); COMP_WORDS=(standup post --team pl); COMP_CWORD=3; _standup; printf '%s\\n' "\${COMPREPLY[@]}"`,
      zsh: `compdef() { }; compadd() { print -l -- $values }; source <(standup completion zsh); words=(standup post --team pl); CURRENT=4; _standup`,
      fish: `standup completion fish | source; complete -C 'standup post --team pl' | string replace -r '\\t.*' ''`,
    };
    const press = async () =>
      (await run(shell, [...options, asked[shell] ?? ''], {env, cwd: machine.home})).stdout.trim();
    expect(await press()).toBe('');
    // The first key press has started the fetching in the background.
    await expectEventually(press).toBe('platform');
  });

  describe('the action for GitHub', () => {
    /** Runs the step of the action as the runner does: inputs become variables, and a file is run by bash. */
    async function act(inputs: Readonly<Record<string, string>>) {
      const action = path.join(machine.home, 'action');
      cpSync('examples/github-action', action, {recursive: true});
      cpSync(folder, path.join(action, 'command'), {recursive: true});
      const described: Json = parse(readFileSync(path.join(action, 'action.yml'), 'utf8'));
      const [step] = described.runs.steps;
      const given: Record<string, string> = {url: service.url, token: ada.token, team: 'platform', ...inputs};
      const fill = (value: string) =>
        value.replaceAll(
          /\$\{\{ inputs\.(\w+) \}\}/g,
          (_, name: string) => given[name] ?? described.inputs[name].default,
        );
      const file = path.join(machine.home, 'step.sh');
      writeFileSync(file, fill(step.run));
      const env = Object.entries<string>(step.env).map(([name, value]) => [name, fill(value)]);
      return new Promise<{code: number | null; said: string}>((resolve, reject) => {
        const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', file], {
          cwd: machine.home,
          env: {
            PATH: `${path.dirname(process.execPath)}:${process.env['PATH']}`,
            HOME: machine.home,
            GITHUB_ACTION_PATH: action,
            ...Object.fromEntries(env),
          },
        });
        let said = '';
        for (const stream of [child.stdout, child.stderr])
          stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
        child.once('error', reject);
        child.once('close', (code) => resolve({code, said}));
        child.stdin.end();
      });
    }

    it('posts a text, in whose log the runner obeys no command, and prints no token', async () => {
      const text = '::add-mask::platform\n--help $(touch ran) `touch ran` "quoted"';
      const {code, said} = await act({text});
      expect({code, said}).toEqual({code: 0, said: expect.stringContaining('Posted for platform')});
      expect(await listStandups()).toMatchObject([{update: text, author: {name: 'Ada'}}]);
      const [, word = ''] = /^::stop-commands::(\S+)\n/.exec(said) ?? [];
      expect(word).toMatch(/^[\w-]{36}$/);
      expect(said.endsWith(`::${word}::\n`)).toBe(true);
      expect(said).not.toContain(ada.token);
      expect(existsSync(path.join(machine.home, 'ran'))).toBe(false);
      expect(readdirSync(machine.home).toSorted()).toEqual(['action', 'step.sh']);
    });

    it('posts the own commits of a repository, and succeeds without a post if there are none', async () => {
      await makeRepository(machine.home, 'someone@example.com', [
        ['ada@example.com', 'Fix the importer'],
        ['eve@example.com', 'Not mine'],
      ]);
      const none = await act({from: 'git', email: 'grace@example.com'});
      expect(none).toEqual({code: 0, said: expect.stringContaining('Nothing was posted.\n')});
      expect(await act({from: 'git', email: 'ada@example.com'})).toMatchObject({code: 0});
      expect(await listStandups()).toMatchObject([{update: '- Fix the importer'}]);
    });

    it('fails with the code of the command, and posts nothing', async () => {
      const refused = await act({text: 'Too late.', token: 'not.a.token'});
      expect(refused).toEqual({code: 4, said: expect.stringContaining('Your sign-in has ended.')});
      const outside = await act({from: 'git', email: 'ada@example.com'});
      expect(outside).toMatchObject({code: expect.any(Number), said: expect.stringContaining('git')});
      expect(outside.code).not.toBe(0);
      for (const inputs of [
        {},
        {text: 'x', from: 'git'},
        {from: 'draft'},
        {text: 'x', url: 'http://localhost.example'},
      ])
        expect((await act(inputs)).code).toBe(2);
      expect(await listStandups()).toEqual([]);
    });
  });
});

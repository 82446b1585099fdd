import {execFile} from 'node:child_process';
import {cp, mkdtemp, readFile, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {promisify} from 'node:util';
import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {buildClient, needs} from '../../scripts/clients/go.mjs';
import {cacheFolder, findInPath} from '../../scripts/paths.mjs';
import {addPerson} from '../api/people.js';
import {startFaultyProxy} from './faulty-proxy.js';
import {startService, type TestService, type TestWorkspace} from '../support/service.js';

const execute = promisify(execFile);
const lacks = needs.filter((program) => findInPath(program) === undefined);
const itWithGo = lacks.length === 0 ? it : it.skip;
const suffix = lacks.length === 0 ? '' : ` (skipped: this machine has no ${lacks.join(', ')})`;

let service: TestService;
let workspace: TestWorkspace;
let owner: string;
let client: string;
/** An empty folder with a module that uses the client. */
let user: string;

const go = (folder: string, args: readonly string[], env: Record<string, string> = {}) =>
  execute('go', args, {cwd: folder, env: {...process.env, ...env}});

beforeAll(async () => {
  service = await startService();
  workspace = await service.addWorkspace();
  owner = (await addPerson(service, workspace, {role: 'owner', team: 'platform'})).token;
  if (lacks.length > 0) return;
  const built = await buildClient();
  client = built.folder;
  user = await mkdtemp(path.join(tmpdir(), 'standup-go-'));
  await cp('test/clients/go', user, {recursive: true});
  await go(user, ['mod', 'init', 'twenty']);
  const [, ...install] = built.install.split(' ');
  await go(user, install);
  await go(user, ['build', '-o', 'calls', '.'], {GOFLAGS: '-mod=mod'});
}, 600_000);

afterAll(async () => {
  await service.close();
  if (user) await rm(user, {recursive: true});
});

async function runCalls(env: Record<string, string>): Promise<Record<string, unknown>> {
  const all = {...process.env, STANDUP_URL: service.url, STANDUP_TOKEN: owner, ...env};
  const {stdout} = await execute(path.join(user, 'calls'), [], {env: all});
  return JSON.parse(stdout);
}

itWithGo(`the Go client has no fault that gofmt, go vet or its own tests find${suffix}`, async () => {
  const written = ['call.go', 'client.go', 'lists.go', 'problem.go', 'retry.go', 'webhook.go'];
  const tests = ['client_test.go', 'webhook_test.go'];
  expect(await execute('gofmt', ['-l', ...written, ...tests], {cwd: client})).toMatchObject({stdout: ''});
  await go(client, ['vet', '.']);
  const {stdout} = await go(client, ['test', '-count=1', '-shuffle=on', '.']);
  expect(stdout).toMatch(/^ok /m);
});

itWithGo(`the Go client has a method for each operation of the document${suffix}`, async () => {
  const {paths} = JSON.parse(await readFile('docs/openapi.json', 'utf8')) as {
    paths: Record<string, Record<string, {operationId: string}>>;
  };
  const names = Object.values(paths).flatMap((item) =>
    Object.values(item).map(({operationId}) => operationId),
  );
  const code = await readFile(path.join(client, 'generated.go'), 'utf8');
  const methods = Array.from(code.matchAll(/^func \(c \*Client\) (\w+)\(/gm), ([, name = '']) => name);
  const wanted = names.map((name) => `${name[0]?.toUpperCase()}${name.slice(1)}`);
  expect(methods.toSorted()).toEqual(wanted.toSorted());
});

itWithGo(`the Go client is installed into an empty folder and makes the twenty calls${suffix}`, async () => {
  const reader = await addPerson(service, workspace, {name: 'Reader', scopes: ['standups:read']});
  expect(await runCalls({READER_TOKEN: reader.token})).toEqual({
    '1 getMe': 'owner',
    '2 createTeam': 'crew',
    '3 listTeams': ['crew', 'platform'],
    '4 getTeam': 'Crew',
    '5 postStandup': 'Fixed the printer.',
    '6 the same key': [true, 'true'],
    '7 getStandup': 'Fixed the printer.',
    '8 editStandup': ['Fixed both printers.', 2],
    '9 a stale object': {status: 412, code: 'precondition_failed', pointer: '', request_id: true},
    '10 listStandups': [['Fixed both printers.', 'Second.', 'Third.'], 2],
    '11 a search': [1, true],
    '12 getTeamDay': 3,
    '13 raiseBlocker': 'raised',
    '14 changeBlocker': 'resolved',
    '15 createAbsence': ['2026-12-24', '2026-12-26'],
    '16 by v1, by v1a': ['webhook.test', 'webhook.test'],
    '16 changed': ['true', 'true'],
    '16 four and six minutes old': ['webhook.test', 'true'],
    '17 listDeliveries': [1, 'succeeded'],
    '18 followEvents': [3, ['Posted while the feed waits.']],
    '19 a wrong body': {status: 422, code: 'validation_failed', pointer: '#/update', request_id: true},
    '19 without the scope': {status: 403, code: 'insufficient_scope', pointer: '', request_id: true},
    '20 deleteStandup': {status: 404, code: 'not_found', pointer: '', request_id: true},
  });
});

itWithGo(
  `the Go client tries again after 503 and after a connection that broke, and doubles nothing${suffix}`,
  async () => {
    const away = {status: 503, headers: {'retry-after': '1'}};
    const proxy = await startFaultyProxy(service.url, [away, 'lose', 'break']);
    try {
      const began = performance.now();
      const env = {STANDUP_URL: proxy.url, READER_TOKEN: owner, ONLY_POST: '1'};
      expect(await runCalls(env)).toEqual({posted: 'Sent four times.'});
      expect(performance.now() - began).toBeGreaterThan(1_000);
      expect(proxy.keys).toHaveLength(4);
      expect(new Set(proxy.keys).size).toBe(1);
      const {body} = await workspace.request('GET', '/v1/standups?q=Sent');
      expect(body.data).toHaveLength(1);
    } finally {
      await proxy.close();
    }
  },
);

itWithGo(`the built Go client is also a module proxy that go get installs from${suffix}`, async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'standup-go-'));
  const env = {
    GOPROXY: `file://${path.join(cacheFolder, 'clients', 'go-proxy')}`,
    GONOSUMDB: 'example.com/standup',
    GOFLAGS: '-mod=mod -modcacherw',
    GOMODCACHE: path.join(folder, 'modules'),
  };
  try {
    await cp('test/clients/go', path.join(folder, 'calls'), {recursive: true});
    await go(path.join(folder, 'calls'), ['mod', 'init', 'twenty'], env);
    await go(path.join(folder, 'calls'), ['get', 'example.com/standup@v0.1.0'], env);
    await go(path.join(folder, 'calls'), ['vet', '.'], env);
  } finally {
    await rm(folder, {recursive: true});
  }
});

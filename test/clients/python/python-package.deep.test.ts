// The Python client as a user has it: a wheel in an empty environment, in programs of their own.
import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {createInterface} from 'node:readline';
import {afterAll, afterEach, beforeAll, expect, it} from '@jest/globals';
import {cacheFolder} from '../../../scripts/paths.mjs';
import {addPerson} from '../../api/people.js';
import {type Json, startService, type TestService} from '../../support/service.js';
import {until} from '../../support/until.js';
import {startFaultyProxy} from '../faulty-proxy.js';
import {installClient, packageFolder, python, run} from './install.js';

const programs = path.resolve('test/clients/python');
const sample = path.resolve('examples/receivers/python');

const lack = await installClient();
const runOrSkip = lack === undefined ? it : it.skip;
const reason = lack === undefined ? '' : ` (skipped: ${lack})`;

const withinMs = 300_000;

let service: TestService;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.close());

const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

async function runProgram(name: string, env: Readonly<Record<string, string>>): Promise<Json> {
  return JSON.parse(await run(python, [path.join(programs, name)], {env: {...process.env, ...env}}));
}

const checkTypes = (args: readonly string[], cwd = '.') =>
  run(python, ['-m', 'mypy', '--cache-dir', path.join(cacheFolder, 'clients', 'mypy'), ...args], {cwd});

runOrSkip(
  `the Python client makes the twenty calls of docs/clients.md${reason}`,
  async () => {
    const workspace = await service.addWorkspace();
    const owner = await addPerson(service, workspace, {role: 'owner', email: 'ada@example.com'});
    const narrow = await workspace.addToken({name: 'narrow', scopes: ['standups:read']});
    const results = await runProgram('twenty_calls.py', {
      STANDUP_URL: service.url,
      OWNER_TOKEN: owner.token,
      NARROW_TOKEN: narrow.value,
    });
    expect(results).toEqual({
      '1 getMe': ['owner', 'Ada Lovelace'],
      '2 createTeam': ['python', 1],
      '3 listTeams': ['platform', 'python'],
      '4 getTeam': true,
      '5 postStandup': ['python', 'Wrote the client.', 'api'],
      '6 the same key': true,
      '7 getStandup': true,
      '8 editStandup': ['Wrote and tested the client.', 2],
      '9 a stale If-Match': [412, 'precondition_failed', true],
      '10 listStandups': ['Planned the next one.', 'Reviewed a change.', 'Wrote and tested the client.'],
      '11 a search': ['Reviewed a change.'],
      '12 getTeamDay': ['python', [3]],
      '13 raiseBlocker': ['raised', 'The build is red.'],
      '14 changeBlocker': 'resolved',
      '15 createAbsence': ['away', true, 'Vacation'],
      '16 createWebhook': {v1: 'standup.created', v1a: true, changed: [true, true], old: [true, true]},
      '17 listDeliveries': [true, 1],
      '18 followEvents': [true],
      '19 a wrong body': [422, 'validation_failed', ['#/update']],
      '19 no scope': [403, 'insufficient_scope'],
      '20 deleteStandup': [404, 'not_found'],
    });
  },
  withinMs,
);

runOrSkip(
  `the Python client waits after a 503, and a connection that breaks after the write doubles nothing${reason}`,
  async () => {
    const workspace = await service.addWorkspace();
    const busy = {status: 503, headers: {'retry-after': '2'}};
    const proxy = await startFaultyProxy(service.url, [busy, 'forward', 'lose', 'break', 'forward']);
    const [waited, broken] = await runProgram('unreliable.py', {
      STANDUP_URL: proxy.url,
      STANDUP_TOKEN: workspace.token,
      UPDATES: 'Waited.\nBroken.',
    });
    await proxy.close();
    const {body} = await workspace.request('GET', '/v1/standups?order=asc');
    expect(body.data.map(({id, update}: Json) => [id, update])).toEqual([
      [waited.result, 'Waited.'],
      [broken.result, 'Broken.'],
    ]);
    expect(waited.seconds).toBeGreaterThanOrEqual(2);
    const [first, second, ...others] = proxy.keys;
    expect([first === second, new Set(others).size, others.length]).toEqual([true, 1, 3]);
    expect(second).not.toBe(others[0]);
  },
  withinMs,
);

runOrSkip(
  `the unit tests of the Python client pass, and mypy finds no wrong types in it${reason}`,
  async () => {
    await run(python, ['-m', 'unittest', 'discover', '-s', path.resolve('clients/python/tests')]);
    await checkTypes([], packageFolder);
  },
  withinMs,
);

runOrSkip(
  `programs that use the Python client have its types: the receiver, the twenty calls, the README${reason}`,
  async () => {
    const text = await readFile('clients/python/README.md', 'utf8');
    const blocks = [...text.matchAll(/```python\n(.*?)```/gs)].map(([, code]) => code);
    const folder = await mkdtemp(path.join(tmpdir(), 'standup-readme-'));
    const file = path.join(folder, 'readme.py');
    await writeFile(file, blocks.join('\n'));
    const called = ['twenty_calls.py', 'unreliable.py'].map((name) => path.join(programs, name));
    await checkTypes(['--strict', path.join(sample, 'receiver.py'), ...called, file]);
    await writeFile(file, `${blocks.join('\n')}\nclient.post_standup({"team": "platform", "updat": "x"})\n`);
    await expect(checkTypes(['--strict', file])).rejects.toThrow('Extra key "updat"');
    await rm(folder, {recursive: true});
  },
  withinMs,
);

const kills = 20;

runOrSkip(
  `the Python receiver, killed ${kills} times during a delivery, counts each event once${reason}`,
  async () => {
    const workspace = await service.addWorkspace();
    const folder = await mkdtemp(path.join(tmpdir(), 'standup-receiver-'));
    const database = path.join(folder, 'standups.db');
    const start = async (args: readonly string[], env: Readonly<Record<string, string>>) => {
      const child = spawn(python, args, {
        env: {...process.env, DATABASE: database, ...env},
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      children.push(child);
      const exited = once(child, 'exit');
      const [line] = await once(createInterface(child.stdout), 'line');
      return {child, exited, port: String(line).replace(/.*:/, '')};
    };
    const sampleFile = path.join(sample, 'receiver.py');
    // The address is needed for the webhook, and the secret of the webhook for the receiver.
    const probe = await start([sampleFile], {PORT: '0', WEBHOOK_SECRET: 'whsec_cHJvYmU='});
    probe.child.kill();
    await probe.exited;
    const {body: webhook} = await workspace.request('POST', '/v1/webhooks', {
      body: {
        url: `http://127.0.0.1:${probe.port}/`,
        events: ['standup.created'],
        retry_schedule: Array(15).fill(900),
      },
    });
    const env = {PORT: probe.port, WEBHOOK_SECRET: webhook.secret};

    const list = async () =>
      (await workspace.request('GET', `/v1/webhooks/${webhook.id}/deliveries?limit=100`)).body.data as Json[];
    const hasArrived = async () => (await list()).every(({state}) => state === 'succeeded');
    /** Sends what waits, until all of it has arrived. The service may still wait for a killed receiver. */
    const drain = () =>
      until(
        async () =>
          (await hasArrived()) || void (await workspace.request('POST', `/v1/webhooks/${webhook.id}/try`)),
        {everyMs: 100, what: 'all has arrived'},
      );
    const post = (n: number) =>
      workspace.request('POST', '/v1/standups', {body: {team: 'platform', update: `Standup ${n}`}});

    for (let n = 0; n < kills; n += 1) {
      // The first delivery is the one that was killed in the last round.
      const DELIVERIES = n === 0 ? '1' : '2';
      const DIE = n % 2 === 0 ? 'before-commit' : 'after-commit';
      const program = [path.join(programs, 'killed_receiver.py'), sample];
      const killed = await start(program, {...env, DIE, DELIVERIES});
      if (n > 0) await drain();
      await post(n);
      expect(await killed.exited).toEqual([null, 'SIGKILL']);
    }
    const last = await start([sampleFile], env);
    await drain();
    // An event that has arrived comes again, on request.
    const [delivery] = await list();
    await workspace.request('POST', `/v1/deliveries/${delivery.id}/redeliver`);
    await until(async () => (await list())[0].attempts > delivery.attempts && (await hasArrived()));
    last.child.kill();
    await last.exited;
    const count = 'SELECT (SELECT count(*) FROM received), (SELECT sum(posted) FROM standups)';
    const read = `import sqlite3, sys; print(*sqlite3.connect(sys.argv[1]).execute("${count}").fetchone())`;
    expect((await run(python, ['-c', read, database])).trim()).toBe(`${kills} ${kills}`);
    await rm(folder, {recursive: true});
  },
  withinMs,
);

import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {sendToRedis} from '../../scripts/redis-protocol.mjs';
import {emptyCommit} from '../../src/domain/commit/commit.js';
import type {RedisConnection} from '../../src/store/core/connection.js';
import {globalKeys, workspaceKeys} from '../../src/store/core/keys.js';
import {importWorkspace} from '../../src/store/import-workspace.js';
import {readEverything, withoutInstallation} from '../api/read-everything.js';
import {addPerson, type Person} from '../api/people.js';
import {addFixtures, type Fixtures} from '../api/samples.js';
import {runStandup} from '../cli/run-standup.js';
import {addWebhook, deliveriesOf, type JobWebhook, postStandups} from '../jobs/stage.js';
import {deep} from '../support/deep.js';
import {queueInviteMails} from '../support/queued-mails.js';
import {type Receiver, startReceiver} from '../support/receiver.js';
import {testRedisUrl} from '../support/redis-server.js';
import {
  type Json,
  sendRequest,
  startService,
  type TestResponse,
  type TestService,
  type TestWorkspace,
} from '../support/service.js';
import {until} from '../support/until.js';
import {dumpRedis} from './dump.js';
import {newDeadline, openTestStore, type TestStore} from './open-test-store.js';

const otherKey = 'the secret key of the other installation, long';
const installer = {slackUser: 'U0INSTALLER', name: 'Ines', timezone: null};
const headers = {'idempotency-key': 'before-the-move'};
const post = {team: 'platform', update: 'Before the move. Größe, 🚀, "quotes" and\u2028 another line.'};

let folder: string;
let file: string;
let passphraseFile: string;
let receiver: Receiver;
let source: TestService;
let workspace: TestWorkspace;
let fixtures: Fixtures;
let waiting: JobWebhook;
let answer: string;
let ada: Person;
/** An import that is open during the move. */
let history: string;
/** The answer to the creation of a webhook, with its secret. */
let hookAnswer: string;
let otherUrl: string;
let digest: string;
/** The answers of the source to every read, by operation. */
let before: Map<string, TestResponse>;

const atSource = (...args: string[]) => runStandup(['workspace', ...args], {REDIS_URL: source.redisUrl});
const atOther = (...args: string[]) =>
  runStandup(['workspace', ...args], {REDIS_URL: otherUrl, SECRET_KEY: otherKey});
const protect = () => ['--passphrase-file', passphraseFile];
/** The deliveries that the receiver has taken from the source, as path and id. */
const succeeded = new Set<string>();

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'standup-move-'));
  file = path.join(folder, 'acme.ndjson');
  passphraseFile = path.join(folder, 'passphrase');
  await writeFile(passphraseFile, 'correct horse battery\n');
  receiver = await startReceiver();
  receiver.respondWith(({path: to, id}) => {
    if (to === '/waiting') return 500;
    succeeded.add(`${to} ${id}`);
    return 204;
  });
  source = await startService();
  workspace = await source.addWorkspace('Acme');
  otherUrl = await testRedisUrl();
  fixtures = await addFixtures(workspace, `${receiver.url}/fixtures`);
  await queueInviteMails(workspace, ['grace@example.com']);
  await source.core.store.slackInstallations.claim('T0MOVED', workspace.id, {alone: true}, newDeadline());
  await source.core.services.slackConnections.connect(
    {slackId: 'T0MOVED', name: 'Moved', botToken: 'xoxb-moved', installer},
    performance.now() + 5_000,
  );
  ada = await addPerson(source, workspace, {name: 'Ada', team: 'platform'});
  history = (
    await workspace.request('POST', '/v1/imports', {
      body: {source: 'geekbot', people: [{person: 'U1', member: ada.id}]},
    })
  ).body.id;
  await workspace.request('POST', `/v1/imports/${history}/rows`, {body: {rows: [rowOf('1')]}});
  await workspace.request('PUT', '/v1/drafts/me', {
    token: ada.token,
    body: {team: 'platform', source: 'git', update: 'Drafted before the move.'},
  });
  answer = (await workspace.request('POST', '/v1/standups', {body: post, headers})).text;
  hookAnswer = (await workspace.request('POST', '/v1/webhooks', newHook())).text;
  const settings = {url: `${receiver.url}/waiting`, headers: {authorization: 'Bearer moved'}};
  waiting = await addWebhook(workspace, receiver, {...settings, retry_schedule: [3_600, 3_600]});
  await postStandups(workspace, 3);
  await until(async () => (await deliveriesOf(workspace, waiting)).every(({attempts}) => attempts === 1), {
    what: 'the first attempts',
  });
});

afterAll(async () => {
  await source.close();
  await receiver.close();
  await rm(folder, {recursive: true, force: true});
});

const rowOf = (external_id: string) => ({
  external_id,
  team: 'platform',
  date: '2024-03-14',
  author: {name: 'Ada', external_id: 'U1'},
  update: 'History.',
});

const newHook = () => ({
  body: {url: `${receiver.url}/quiet`, events: ['team.deleted']},
  headers: {'idempotency-key': 'a-webhook-before-the-move'},
});

/** Signs a token of the source for the other installation, so that both show the same to the same caller. */
async function signFor({core}: TestService, token: string): Promise<string> {
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  const {accessTokens} = core;
  return accessTokens.sign(
    {
      id: claims.jti,
      subject: claims.sub,
      workspace: claims.workspace,
      scopes: claims.scope.split(' '),
      issuedAt: claims.iat,
      expiresAt: claims.exp,
      ...(claims.session && {session: true}),
    },
    await accessTokens.findSigningKeyId(performance.now() + 5_000),
  );
}

/** The lines of a dump that belong to the workspace, without encrypted values and what belongs to a moment. */
async function dumpWorkspace(url: string): Promise<string[]> {
  const {text} = await dumpRedis(url);
  return text
    .split('\n')
    .filter((line) => line.startsWith(`{${workspace.id}}:`))
    .filter((line) => !/^\{\w+\}:(?:a:|import |[si]:|w:\w+:headers |slack-token |j:\w+:secret )/.test(line))
    .map((line) => (/ (?:hash|set) /.test(line) ? sortHash(line) : line));
}

function sortHash(line: string): string {
  const at = line.indexOf(' [');
  const flat = JSON.parse(line.slice(at)) as string[];
  const isSet = line.slice(0, at).endsWith(' set');
  const parts = isSet ? flat : flat.flatMap((name, i) => (i % 2 === 0 ? [`${name}=${flat[i + 1]}`] : []));
  const all = parts.filter((part) => !/^(?:frozen|exported)=/.test(part)).toSorted();
  return `${line.slice(0, at)} ${all.join(',')}`;
}

/** Imports the file, but the connection dies at a write. Returns the number of writes, and closes the store. */
async function importDyingAt({store}: TestStore, diesAt: number) {
  let writes = 0;
  const die = (): void => {
    writes += 1;
    if (writes >= diesAt) throw new Error('killed');
  };
  const connection: RedisConnection = {
    ...store.connection,
    async run(...args) {
      die();
      return store.connection.run(...args);
    },
    async call(deadline, args) {
      if (args[0]?.startsWith('HSET')) die();
      return store.connection.call(deadline, args);
    },
  };
  try {
    const passphrase = (await readFile(passphraseFile, 'utf8')).trim();
    const text = await readFile(file, 'utf8');
    async function* readLines() {
      yield* text.trimEnd().split('\n');
    }
    await importWorkspace({connection, cipher: store.cipher}, {readLines, passphrase});
    return {writes, error: undefined};
  } catch (error) {
    return {writes: Math.min(writes, diesAt), error: (error as Error).message};
  } finally {
    await store.close();
  }
}

describe('a workspace with every kind of thing', () => {
  it('must be read-only before it is exported', async () => {
    const {code, stdout, stderr} = await atSource('export', workspace.id, ...protect());
    expect({code, stdout, stderr}).toEqual({
      code: 1,
      stdout: '',
      stderr: 'acme is not read-only. First: standup-admin workspace freeze acme\n',
    });
  });

  it('is exported to one file, in which no secret can be read', async () => {
    expect((await atSource('freeze', 'acme')).code).toBe(0);
    before = await readEverything(fixtures, (to, token) =>
      workspace.request('GET', to, {...(token && {token})}),
    );
    const {code, stderr} = await atSource('export', 'acme', '--out', file, ...protect());
    expect({code, stderr}).toEqual({
      code: 0,
      stderr: expect.stringMatching(/^Exported acme: \d+ keys, \d+ bytes\. Digest: [0-9a-f]{64}\n$/),
    });
    const text = await readFile(file, 'utf8');
    for (const secret of [waiting.secret, 'Bearer moved', 'xoxb-moved']) expect(text).not.toContain(secret);
    // Also no key of the source opens them.
    expect(text).not.toContain(
      await sendToRedis(source.redisUrl, [['GET', workspaceKeys(workspace.id).secret(waiting.suffix)]]).then(
        String,
      ),
    );
    expect(JSON.parse(text.split('\n')[0] ?? '')).toMatchObject({
      form: 'standup-workspace/1',
      workspace: workspace.id,
      slug: 'acme',
    });
  });

  it.each([
    ['with another passphrase', 'wrong', /^The passphrase does not open this file\./],
    ['without its end', 'cut', /^The end of the file is missing/],
    ['with a changed byte', 'changed', /^(?:The file|Line \d+ of the file) was changed or damaged\./],
    ['with a changed secret', 'secret', /^Line \d+ of the file was changed or damaged\./],
    ['that is no export', 'other', /^This is no file of `standup-admin workspace export`\./],
    ['that is empty', 'empty', /^The file is empty\./],
  ])('is not imported from a file %s, and nothing is left of it', async (_, what, says) => {
    const text = await readFile(file, 'utf8');
    const broken = path.join(folder, what);
    const at = text.indexOf('Before the move');
    const secretLine = /"k":"s:\w+","t":"string","n":0,"v":\["(.)/.exec(text);
    const secretAt = (secretLine?.index ?? 0) + (secretLine?.[0].length ?? 0) + 20;
    const contents: Record<string, string> = {
      wrong: text,
      cut: text.slice(0, text.trimEnd().lastIndexOf('\n') + 1),
      changed: `${text.slice(0, at)}b${text.slice(at + 1)}`,
      secret: text.slice(0, secretAt) + (text[secretAt] === 'A' ? 'B' : 'A') + text.slice(secretAt + 1),
      other: 'A diary.\n',
      empty: '',
    };
    await writeFile(broken, contents[what] ?? '');
    const wrong = path.join(folder, 'wrong-passphrase');
    await writeFile(wrong, 'wrong horse battery');
    const result = await atOther(
      'import',
      broken,
      '--passphrase-file',
      what === 'wrong' ? wrong : passphraseFile,
    );
    expect({code: result.code, stdout: result.stdout}).toEqual({code: 1, stdout: ''});
    expect(result.stderr).toMatch(says);
    expect(result.stderr.trimEnd()).not.toContain('\n');
    expect((await dumpRedis(otherUrl)).keys.filter((key) => key.includes(workspace.id))).toEqual([]);
  });

  it('is imported into an installation with another key, with all data', async () => {
    const {code, stdout, stderr} = await atOther('import', file, ...protect());
    expect({code, stderr}).toEqual({code: 0, stderr: ''});
    expect(stdout).toMatch(
      /^Imported acme \(ws_\w+\): \d+ keys\. Digest: [0-9a-f]{64}\n\d+ access tokens were signed/,
    );
    digest = /Digest: (\w+)/.exec(stdout)?.[1] ?? '';
    const [slackOwner] = await sendToRedis(otherUrl, [['HGET', globalKeys.slackWorkspaces(), 'T0MOVED']]);
    expect(slackOwner).toBe(workspace.id);
    const {store} = await openTestStore({url: otherUrl, secretKey: otherKey});
    const {encrypted = ''} = (await store.slackInstallations.find(workspace.id, newDeadline())) ?? {};
    expect(store.cipher.decrypt('slack-installation', workspace.id, encrypted)).toBe('xoxb-moved');
    await store.close();
    expect(await dumpWorkspace(otherUrl)).toEqual(await dumpWorkspace(source.redisUrl));
  });

  it('shows the same to every read, repeats earlier requests, and delivers once what waited', async () => {
    const web = await startService({redisUrl: otherUrl, env: {SECRET_KEY: otherKey, ROLES: 'web'}});
    try {
      const token = await signFor(web, workspace.token);
      const own = async (signed?: string) => (signed === undefined ? token : signFor(web, signed));
      const after = await readEverything(fixtures, async (to, signed) =>
        sendRequest(web.url, 'GET', to, {token: await own(signed)}),
      );
      expect(withoutInstallation(after)).toEqual(withoutInstallation(before));
      const again = await sendRequest(web.url, 'POST', '/v1/standups', {token, body: post, headers});
      expect([again.status, again.headers.get('idempotent-replayed'), again.text]).toEqual([
        201,
        'true',
        answer,
      ]);
      const hook = await sendRequest(web.url, 'POST', '/v1/webhooks', {token, ...newHook()});
      expect(hook.text).toBe(hookAnswer);
      expect(hook.body.secret).toMatch(/^whsec_/);
      const old = await sendRequest(web.url, 'GET', '/v1/me', {token: workspace.token});
      expect(old.status).toBe(401);
    } finally {
      await web.close();
    }
    const receivedBefore = receiver.received.length;
    const waited = (await deliveriesOf(workspace, waiting)).map(({id}) => id as string);
    receiver.respondWith(204);
    await sendToRedis(otherUrl, [
      ...waited.map((id) => [
        'ZADD',
        workspaceKeys(workspace.id).pending(waiting.suffix),
        'XX',
        '0',
        id.slice(-16),
      ]),
      ['ZADD', workspaceKeys(workspace.id).ready(), '0', `deliver/${waiting.suffix}`],
    ]);
    const other = await startService({redisUrl: otherUrl, env: {SECRET_KEY: otherKey}});
    try {
      await until(() => receiver.received.length >= receivedBefore + waited.length, {
        what: 'what waited is delivered',
      });
      const token = await signFor(other, workspace.token);
      const hook = `/v1/webhooks/${waiting.id}/deliveries?limit=100`;
      await until(
        async () =>
          (await sendRequest(other.url, 'GET', hook, {token})).body.data.every(
            ({state}: Json) => state === 'succeeded',
          ),
        {what: 'all have succeeded'},
      );
      const rows = {rows: [rowOf('1'), rowOf('2')]};
      const added = await sendRequest(other.url, 'POST', `/v1/imports/${history}/rows`, {token, body: rows});
      expect(added.body).toMatchObject({
        counts: {created: 1, existing: 1},
        authors: [{index: 1, member: ada.id, former: false}],
      });
      const draft = await sendRequest(other.url, 'GET', '/v1/drafts/me?team=platform', {
        token: await signFor(other, ada.token),
      });
      expect(draft.body.update).toBe('Drafted before the move.');
      const made = await sendRequest(other.url, 'POST', '/v1/standups', {
        token,
        body: {team: 'platform', update: 'After the move.'},
      });
      expect(made.status).toBe(201);
      await until(
        () =>
          receiver.received.slice(receivedBefore).some(({body}) => String(body).includes('After the move.')),
        {
          what: 'a new event',
        },
      );
    } finally {
      await other.close();
    }
    const later = receiver.received.slice(receivedBefore).filter(({path: to}) => to === '/waiting');
    expect(later.map(({headers: sent}) => sent['authorization'])).toEqual(later.map(() => 'Bearer moved'));
    expect(later.map(({id}) => id)).toHaveLength(new Set(later.map(({id}) => id)).size);
    const again = receiver.received
      .slice(receivedBefore)
      .filter(({path: to, id}) => succeeded.has(`${to} ${id}`));
    expect(again).toEqual([]);
    expect(succeeded.size).toBeGreaterThan(0);
  });

  it('is not imported again while it is there', async () => {
    const {code, stdout, stderr} = await atOther('import', file, ...protect());
    expect({code, stdout, stderr}).toEqual({
      code: 1,
      stdout: '',
      stderr: `The workspace ${workspace.id} is here already. Nothing was written.\n`,
    });
  });

  it('is imported whole by a repeat, wherever the import before has died', async () => {
    const complete = await importDyingAt(
      await openTestStore({secretKey: otherKey}),
      Number.POSITIVE_INFINITY,
    );
    expect(complete.error).toBeUndefined();
    // The last two writes are those of the indexes.
    const positions = [
      60,
      complete.writes - 2,
      1,
      2,
      105,
      ...[6, 5, 4, 3, 1, 0].map((left) => complete.writes - left),
    ];
    for (const diesAt of deep ? positions : positions.slice(0, 2)) {
      const target = await openTestStore({secretKey: otherKey});
      const died = await importDyingAt(target, diesAt);
      expect([died.error, died.writes]).toEqual(['killed', diesAt]);
      const repeated = await importDyingAt(
        await openTestStore({secretKey: otherKey, url: target.url}),
        Number.POSITIVE_INFINITY,
      );
      expect(repeated.error).toBeUndefined();
      expect({diesAt, data: await dumpWorkspace(target.url)}).toEqual({
        diesAt,
        data: await dumpWorkspace(source.redisUrl),
      });
    }
  });

  it('is not visible while only a part of it is imported', async () => {
    const target = await openTestStore({secretKey: otherKey});
    await importDyingAt(target, 60);
    const {store} = await openTestStore({secretKey: otherKey, url: target.url});
    expect(await store.commits.run({workspace: workspace.id, deadline: newDeadline()}, emptyCommit)).toEqual(
      expect.objectContaining({kind: 'store-lost'}),
    );
    expect(await store.workspaces.list(newDeadline())).toEqual([]);
    // No background work begins with the part.
    expect(await store.frozen.isFrozen(workspace.id, newDeadline())).toBe(true);
    await store.close();
  });

  it('keeps its access tokens if the whole installation moves to an empty one', async () => {
    const out = path.join(folder, 'all');
    const exported = await atSource('export', '--all', '--out', out, ...protect());
    expect(exported).toEqual({code: 0, stdout: '', stderr: expect.stringMatching(/^Exported acme:/)});
    digest = /Digest: (\w+)/.exec(exported.stderr)?.[1] ?? '';
    const taken = await atOther('import', '--all', out, ...protect());
    expect({code: taken.code, stdout: taken.stdout, stderr: taken.stderr}).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'This installation has workspaces already. Import single files without --all. Nothing was written.\n',
    });
    const env = {REDIS_URL: await testRedisUrl(), SECRET_KEY: otherKey};
    const importAll = () => runStandup(['workspace', 'import', '--all', out, ...protect()], env);
    const {code, stdout, stderr} = await importAll();
    expect({code, stderr}).toEqual({code: 0, stderr: ''});
    expect(stdout).toMatch(/^Imported acme /);
    expect(stdout).not.toMatch(/must be created again/);
    expect((await importAll()).stdout).toMatch(/^The workspace ws_\w+ is here already\./);
    const web = await startService({redisUrl: env.REDIS_URL, env: {SECRET_KEY: otherKey, ROLES: 'web'}});
    try {
      const {status, body} = await sendRequest(web.url, 'GET', '/v1/me', {token: workspace.token});
      expect([status, body.workspace?.id ?? body.workspace]).toEqual([200, expect.anything()]);
    } finally {
      await web.close();
    }
    expect(await readFile(path.join(out, 'installation.json'), 'utf8')).not.toContain('PRIVATE');
  });

  it('is removed from the source by its digest alone, and nothing is left', async () => {
    const wrong = await atSource('remove', '--moved', 'acme', '--digest', digest.replace(/^./, 'x'));
    expect({code: wrong.code, stdout: wrong.stdout}).toEqual({code: 1, stdout: ''});
    expect(wrong.stderr).toMatch(/^acme is not read-only, or this is not the digest/);
    const {code, stdout, stderr} = await atSource('remove', '--moved', 'acme', '--digest', digest);
    expect({code, stderr}).toEqual({code: 0, stderr: ''});
    expect(stdout).toMatch(/^acme is removed: \d+ keys\n$/);
    const {text} = await dumpRedis(source.redisUrl);
    const left = text.split('\n').filter((line) => line.includes(workspace.id));
    // A quota lasts for a minute.
    expect(left.filter((line) => !line.startsWith(`{${workspace.id}}:a:`))).toEqual([]);
    expect((await workspace.request('GET', '/v1/me')).status).toBe(503);
  });
});

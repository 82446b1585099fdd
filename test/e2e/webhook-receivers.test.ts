import {randomBytes} from 'node:crypto';
import {readFileSync, rmSync} from 'node:fs';
import path from 'node:path';
import {afterAll, afterEach, beforeAll, expect, it} from '@jest/globals';
import {transformSync} from '@swc/core';
import {Webhook} from 'standardwebhooks';
import {triggerable} from '../../src/cli/webhook-trigger.js';
import {retrySchedule} from '../../src/domain/webhooks/retry.js';
import type {SignatureVersion} from '../../src/domain/webhooks/webhook-settings.js';
import {createSecret, createSigner, createSigningPair, joinSecrets} from '../../src/webhook/signature.js';
import {deep} from '../support/deep.js';
import {findBlockContaining, findNamedBlock} from '../support/document-blocks.js';
import {findFreePort} from '../support/free-port.js';
import {type ReceivedRequest, startReceiver} from '../support/receiver.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../support/service.js';
import {minimalEnv, startProcess, type TestProcess} from '../support/service-process.js';
import {until} from '../support/until.js';
import {type Example, examplesHere, page, works, write} from './webhook-receivers.js';

const folder = path.resolve('.cache/webhook-receivers');
const sign = createSigner();
const {here, absent} = examplesHere();
/** TypeScript and Python in `npm test`. */
const chosen = deep ? here : here.slice(0, 2);
const hasOpenssl = works(['openssl', 'version']) && works(['sh', '-c', 'od -An -tx1 /dev/null']);
const hasCurl = works(['curl', '--version']);

let service: TestService;
let processes: TestProcess[] = [];

beforeAll(async () => {
  service = await startService();
});

afterEach(async () => {
  await Promise.all(processes.map((one) => one.kill()));
  processes = [];
});

afterAll(async () => {
  await service.close();
  rmSync(folder, {recursive: true, force: true});
});

interface TestWebhook {
  readonly id: string;
  readonly secret: string;
}

async function addWebhook(workspace: TestWorkspace, url: string): Promise<TestWebhook> {
  const {status, body} = await workspace.request('POST', '/v1/webhooks', {
    body: {url, events: ['standup.*']},
  });
  expect(status).toBe(201);
  return body;
}

/** Posts a standup and waits until the webhook's delivery has succeeded. Returns the delivery. */
async function deliver(workspace: TestWorkspace, {id}: TestWebhook) {
  const newest = async (): Promise<Json> =>
    (await workspace.request('GET', `/v1/webhooks/${id}/deliveries?limit=1`)).body.data[0];
  const before = await newest();
  await workspace.request('POST', '/v1/standups', {body: {team: 'platform', update: 'Größe ✅ \u2028'}});
  return until(
    async () => {
      const delivery = await newest();
      return delivery?.state === 'succeeded' && delivery.id !== before?.id && delivery;
    },
    {what: 'the receiver answered 2xx'},
  );
}

async function startExample(
  example: Example,
  env: {readonly WEBHOOK_SECRET: string; readonly PORT: string},
): Promise<TestProcess> {
  const [command, ...args] = await example.prepare(folder);
  const started = startProcess(command, args, {env: minimalEnv(env)});
  processes.push(started);
  const url = `http://127.0.0.1:${env.PORT}/`;
  await until(
    () =>
      fetch(url, {method: 'POST', body: '{}'}).then(
        ({status}) => status === 400,
        () => false,
      ),
    {what: `${example.file} listens and refuses what is not signed; ${started.stderr()}`},
  );
  return started;
}

/** A request like the sender's, except for the given changes. */
function signed(options: {
  secrets: readonly string[];
  id?: string;
  age?: number;
  sent?: string;
  versions?: readonly SignatureVersion[];
}) {
  const {secrets, versions = ['v1'], id = `evt_${randomBytes(6).toString('hex')}`, age = 0} = options;
  const body = JSON.stringify({id, type: 'standup.created', sequence: 1, data: {}});
  const timestamp = Math.floor(Date.now() / 1_000) - age;
  return {
    headers: {'content-type': 'application/json', ...sign({id, timestamp, body, secrets, versions})},
    body: options.sent ?? body,
  };
}

async function post(url: string, request: {headers: Record<string, string>; body: string}): Promise<number> {
  const response = await fetch(url, {method: 'POST', ...request});
  await response.arrayBuffer();
  return response.status;
}

const linesOf = (run: TestProcess) => run.stdout().split('\n').slice(0, -1);

it.each(chosen.map((example) => [example.language, example] as const))(
  '%s: the documented receiver accepts a true delivery once, even by a rotated secret, and refuses forged, stale or wrongly signed ones',
  async (_language, example) => {
    const workspace = await service.addWorkspace();
    const port = String(await findFreePort());
    const url = `http://127.0.0.1:${port}/`;
    const webhook = await addWebhook(workspace, url);
    const {secret} = webhook;
    const run = await startExample(example, {WEBHOOK_SECRET: secret, PORT: port});

    const first = await deliver(workspace, webhook);
    await until(() => linesOf(run).length === 1, {what: `${example.file} printed the event`});

    // The same event again, as in a redelivery.
    await workspace.request('POST', `/v1/deliveries/${first.id}/redeliver`);
    await until(async () => {
      const {body} = await workspace.request('GET', `/v1/deliveries/${first.id}`);
      return body.state === 'succeeded' && body.attempts === 2;
    });

    const other = createSecret(randomBytes);
    const forged = '{"id":"evt_1","type":"standup.deleted","sequence":1,"data":{}}';
    expect({
      forged: await post(url, signed({secrets: [secret], sent: forged})),
      stale: await post(url, signed({secrets: [secret], age: 310})),
      early: await post(url, signed({secrets: [secret], age: -310})),
      foreign: await post(url, signed({secrets: [other]})),
      foreignPair: await post(url, signed({secrets: [other, createSecret(randomBytes)]})),
      unsigned: await post(url, {headers: {'content-type': 'application/json'}, body: forged}),
      good: await post(url, signed({secrets: [secret], id: 'evt_good', age: 290})),
      secondOfTwo: await post(url, signed({secrets: [other, secret], id: 'evt_pair'})),
    }).toEqual({
      forged: 400,
      stale: 400,
      early: 400,
      foreign: 400,
      foreignPair: 400,
      unsigned: 400,
      good: 204,
      secondOfTwo: 204,
    });

    const rotated = await workspace.request('POST', `/v1/webhooks/${webhook.id}/rotate-secret`);
    expect(rotated.body.secret).not.toBe(secret);
    const second = await deliver(workspace, webhook);
    expect(second).toMatchObject({attempts: 1, last_attempt: {status: 204}});

    const expected = [first.event_id, 'evt_good', 'evt_pair', second.event_id];
    await until(() => linesOf(run).length >= expected.length, {what: `${example.file} printed all events`});
    expect(linesOf(run)).toEqual(expected.map((id) => `standup.created ${id}`));
    expect(run.stderr()).toBe('');
  },
  // The first program of a language compiles its standard library.
  300_000,
);

it.each(
  chosen.flatMap((example) => ['', 'whsec_'].map((secret) => [example.language, secret, example] as const)),
)('%s: the receiver of the page does not start with the secret "%s"', async (_language, secret, example) => {
  const [command, ...args] = await example.prepare(folder);
  const env = {WEBHOOK_SECRET: secret, PORT: String(await findFreePort())};
  const run = startProcess(command, args, {env: minimalEnv(env)});
  processes.push(run);
  const {code} = await run.exited;
  expect({code: code === 0 || code === null, says: run.stderr()}).toEqual({
    code: false,
    says: expect.stringMatching(/secret/i),
  });
});

it(`the documented receivers ran here in these languages: ${chosen.map(({language}) => language).join(', ')}; not on this machine: ${
  [...absent, ...(hasOpenssl ? [] : ['openssl']), ...(hasCurl ? [] : ['curl'])].join(', ') || 'none'
}`, () => {
  expect(chosen.map(({language}) => language)).toContain('TypeScript');
});

if (deep) {
  it('the documented TypeScript receiver compiles under `strict`', async () => {
    const files = ['receiver.ts', 'verify-v1a.ts'].map((name) =>
      write(folder, name, findNamedBlock(page, name)),
    );
    const flags = ['--noEmit', '--strict', '--noUncheckedIndexedAccess', '--skipLibCheck'];
    const target = ['--target', 'es2023', '--module', 'nodenext', '--types', 'node', '--ignoreConfig'];
    const run = startProcess(process.execPath, [
      'node_modules/typescript/bin/tsc',
      ...flags,
      ...target,
      ...files,
    ]);
    processes.push(run);
    expect({...(await run.exited), says: run.stdout()}).toEqual({code: 0, signal: null, says: ''});
  });
}

it('the documented example signature equals that of the sender, the official library and Standard Webhooks', () => {
  const vector = JSON.parse(findBlockContaining(page, 'json', 'webhook-signature'));
  expect(vector['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  const id = vector['webhook-id'];
  const timestamp = Number(vector['webhook-timestamp']);
  const {body, secret} = vector;
  expect(sign({id, timestamp, body, secrets: [secret]})['webhook-signature']).toBe(
    vector['webhook-signature'],
  );
  expect(new Webhook(secret).sign(id, new Date(timestamp * 1_000), body)).toBe(vector['webhook-signature']);
});

it('v1a: the documented code accepts a delivery by its public key, even in a rotation, and refuses forged, stale or wrongly signed ones', async () => {
  const workspace = await service.addWorkspace();
  const receiver = await startReceiver();
  try {
    const {code} = transformSync(findNamedBlock(page, 'verify-v1a.ts'), {
      jsc: {parser: {syntax: 'typescript'}},
    });
    const {isOurs} = (await import(write(folder, 'verify-v1a.mjs', code))) as {
      isOurs(headers: object, body: Buffer, publicKey: string): boolean;
    };
    const {body: webhook} = await workspace.request('POST', '/v1/webhooks', {
      body: {url: receiver.url, events: ['standup.*'], signature_versions: ['v1', 'v1a']},
    });
    await deliver(workspace, webhook);
    const {body: rotated} = await workspace.request('POST', `/v1/webhooks/${webhook.id}/rotate-secret`);
    await deliver(workspace, webhook);
    const [single, pair] = receiver.received as [ReceivedRequest, ReceivedRequest];
    const own = createSigningPair(randomBytes);
    const aged = (age: number) => {
      const {headers, body} = signed({secrets: [joinSecrets(own)], age, versions: ['v1', 'v1a']});
      return isOurs(headers, Buffer.from(body), own.publicKey);
    };
    expect({
      single: isOurs(single.headers, single.body, webhook.public_key),
      byOld: isOurs(pair.headers, pair.body, webhook.public_key),
      byNew: isOurs(pair.headers, pair.body, rotated.public_key),
      fresh: aged(290),
      forged: isOurs(single.headers, Buffer.from(`${single.body} `), webhook.public_key),
      foreign: isOurs(single.headers, single.body, rotated.public_key),
      stale: aged(310),
      early: aged(-310),
      unsigned: isOurs({}, single.body, webhook.public_key),
      noTime: isOurs({...single.headers, 'webhook-timestamp': 'now'}, single.body, webhook.public_key),
    }).toEqual({
      single: true,
      byOld: true,
      byNew: true,
      fresh: true,
      forged: false,
      foreign: false,
      stale: false,
      early: false,
      unsigned: false,
      noTime: false,
    });
  } finally {
    await receiver.close();
  }
});

/** Runs the page's verify.sh on one captured request. */
async function verifyBySh(
  {headers, body}: Pick<ReceivedRequest, 'headers' | 'body'>,
  secret: string,
  tolerance?: number,
): Promise<string> {
  const run = startProcess('sh', [write(folder, 'verify.sh', findNamedBlock(page, 'verify.sh'))], {
    env: minimalEnv({
      SECRET: secret,
      ID: headers['webhook-id'] ?? '',
      TIMESTAMP: headers['webhook-timestamp'] ?? '',
      SIGNATURES: headers['webhook-signature'] ?? '',
      BODY: write(folder, `${randomBytes(6).toString('hex')}.json`, body.toString()),
      ...(tolerance !== undefined && {TOLERANCE: String(tolerance)}),
    }),
  });
  processes.push(run);
  const {code} = await run.exited;
  return `${code} ${run.stdout().trim().split('\n').at(-1)}`;
}

if (hasOpenssl) {
  it('openssl: the documented script verifies a captured delivery, even in a rotation, and refuses forged, stale or wrongly signed ones', async () => {
    const workspace = await service.addWorkspace();
    const receiver = await startReceiver();
    try {
      const webhook = await addWebhook(workspace, receiver.url);
      await deliver(workspace, webhook);
      const rotated = await workspace.request('POST', `/v1/webhooks/${webhook.id}/rotate-secret`);
      await deliver(workspace, webhook);
      const [single, pair] = receiver.received as [ReceivedRequest, ReceivedRequest];
      const stale = signed({secrets: [webhook.secret], age: 400});
      const vector = JSON.parse(findBlockContaining(page, 'json', 'webhook-signature'));
      const known = {headers: vector, body: Buffer.from(vector.body)};
      const none = '1 no signature matches';
      expect({
        single: await verifyBySh(single, webhook.secret),
        byOld: await verifyBySh(pair, webhook.secret),
        byNew: await verifyBySh(pair, rotated.body.secret),
        known: await verifyBySh(known, vector.secret, 10_000_000_000),
        beforeRotation: await verifyBySh(single, rotated.body.secret),
        empty: await verifyBySh(single, ''),
        emptyKey: await verifyBySh(single, 'whsec_'),
        forged: await verifyBySh(
          {...single, body: Buffer.from(`${single.body.toString()} `)},
          webhook.secret,
        ),
        stale: await verifyBySh({headers: stale.headers, body: Buffer.from(stale.body)}, webhook.secret),
      }).toEqual({
        single: '0 the signature is good',
        byOld: '0 the signature is good',
        byNew: '0 the signature is good',
        known: '0 the signature is good',
        beforeRotation: none,
        empty: '1 SECRET is not a secret',
        emptyKey: '1 SECRET is not a secret',
        forged: none,
        stale: expect.stringMatching(/^1 signed 40\d seconds ago$/),
      });
    } finally {
      await receiver.close();
    }
  });
}

if (hasOpenssl && hasCurl) {
  it('curl: the documented receiver accepts the delivery that the documentation sends by hand', async () => {
    const secret = createSecret(randomBytes);
    const port = String(await findFreePort());
    const [example] = here;
    if (example === undefined) throw new Error('there is no example');
    await startExample(example, {WEBHOOK_SECRET: secret, PORT: port});
    const script = write(folder, 'send.sh', findNamedBlock(page, 'send.sh'));
    const env = (value: string) => ({env: minimalEnv({SECRET: value, URL: `http://127.0.0.1:${port}/`})});
    for (const [by, answer] of [
      [secret, '204\n'],
      [createSecret(randomBytes), '400\n'],
    ] as const) {
      const run = startProcess('sh', [script], env(by));
      processes.push(run);
      await run.exited;
      expect(run.stdout()).toBe(answer);
    }
  });
}

it('the documented table of retries equals the schedule of the code', () => {
  const units: Record<string, number> = {s: 1, min: 60, h: 3_600};
  const seconds = (text: string) =>
    [...text.matchAll(/(\d+) (s|min|h)/g)].reduce(
      (sum, [, n, unit]) => sum + Number(n) * (units[unit ?? ''] ?? 0),
      0,
    );
  const rows = [...readFileSync(page, 'utf8').matchAll(/^\| (\d+) \| (.*?) ?\| (.*?) ?\|$/gm)];
  expect(rows.map(([, number]) => Number(number))).toEqual(retrySchedule.map((_, i) => i + 1));
  expect(rows.map(([, , wait = '']) => seconds(wait) * 1_000)).toEqual(retrySchedule);
  let sum = 0;
  for (const [, number, wait = '', since = ''] of rows) {
    sum += seconds(wait);
    // The first wait of a few seconds is left out where it makes no difference.
    expect([number, Math.abs(seconds(since) - sum) <= 5]).toEqual([number, true]);
  }
});

it('the documentation lists exactly the events that the command can trigger', () => {
  const text = readFileSync(page, 'utf8');
  const listed = text.slice(text.indexOf('`trigger TYPE')).split('\n')[2] ?? '';
  expect([...listed.matchAll(/`([^`]+)`/g)].map(([, type]) => type)).toEqual(triggerable);
});

it('the documented commands make, test and rotate a webhook and send it past events', async () => {
  const {request} = await service.addWorkspace();
  const receiver = await startReceiver();
  try {
    let webhook = '';
    const run = (part: string, change: (text: string) => string = (text) => text) => {
      const text = change(findBlockContaining(page, 'sh', part)).replace('$WEBHOOK', webhook);
      const path = /localhost:3000(\S+)/.exec(text)?.[1] ?? '';
      const body = /-d '([^']+)'/.exec(text)?.[1];
      return request('POST', path, {
        ...(body !== undefined && {body, headers: {'content-type': 'application/json'}}),
      });
    };
    const made = await run('/v1/webhooks ', (text) => text.replace('http://127.0.0.1:4000/', receiver.url));
    expect(made).toMatchObject({status: 201, body: {secret: expect.stringMatching(/^whsec_/)}});
    webhook = made.body.id;
    expect((await run('/test')).status).toBe(202);
    const rotated = await run('/rotate-secret');
    expect(rotated).toMatchObject({status: 200, body: {secret: expect.stringMatching(/^whsec_/)}});
    expect(rotated.body.secret).not.toBe(made.body.secret);
    const since = new Date(Date.now() - 60_000).toISOString();
    const replay = await run('/replay', (text) => text.replace('2026-11-23T08:00:00Z', since));
    expect(replay).toMatchObject({status: 202, body: {only: 'missed', dry_run: true}});
    await receiver.waitFor(1, 20_000);
  } finally {
    await receiver.close();
  }
});

it('every link in the documentation of receivers leads to an existing page', () => {
  const text = readFileSync(page, 'utf8');
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(
    ([, title = '']) =>
      `#${title
        .toLowerCase()
        .replaceAll(/[^a-z0-9 -]/g, '')
        .replaceAll(' ', '-')}`,
  );
  const links = [...text.matchAll(/\]\((?!http)([^)]+)\)/g)].map(([, link = '']) => link);
  expect(links.length).toBeGreaterThan(10);
  for (const link of links) {
    if (link.startsWith('#')) expect(headings).toContain(link);
    else expect(() => readFileSync(path.join('docs', link.replace(/#.*/, '')))).not.toThrow();
  }
});

import {randomUUID} from 'node:crypto';
import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import type {Emulator} from 'emulate';
import {suffixOf} from '../../../src/domain/core/ids.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {type Receiver, startReceiver} from '../../support/receiver.js';
import {startTestRedis, type TestRedis} from '../../support/redis-server.js';
import {
  type Json,
  type RequestOptions,
  sendRequest,
  startService,
  type TestService,
  type TestWorkspace,
} from '../../support/service.js';
import {type ServiceProcess, startServiceProcess, testSecretKey} from '../../support/service-process.js';
import {type FailureServer, startFailureServer} from '../../support/slack-failure-server.js';
import {
  admin,
  botToken,
  channel,
  sendSigned,
  signingSecret,
  startEmulator,
} from '../../support/slack-harness.js';
import {until} from '../../support/until.js';
import {sendRaw} from '../raw.js';
import {addFixtures, type Fixtures, routes, sampleOf} from '../samples.js';
import {sampleUnlessDeep} from '../../support/deep.js';

/** Part of every text that a person could have written here. */
const secretText = 'Quetzalcoatl';
const metricsToken = 'the-token-of-the-metrics';
const trace = '4bf92f3577b34da6a3ce929d0e0e4736';

/** False for a stream, which is logged only when it ends. */
const isLogged = ({operation}: {operation: string}): boolean => !operation.startsWith('stream');

interface HttpLogLine {
  readonly level: number;
  readonly time: number;
  readonly msg: string;
  readonly [member: string]: unknown;
}

let redis: TestRedis;
let emulator: Emulator;
let slack: FailureServer;
let receiver: Receiver;
/** Makes the data that the logged process serves. */
let setUp: TestService;
let workspace: TestWorkspace;
let fixtures: Fixtures;
let served: ServiceProcess;

/** Secrets that must not be in the log; answers add more. */
const secrets = new Set([
  testSecretKey,
  botToken,
  signingSecret,
  metricsToken,
  secretText,
  `${secretText}@example.com`,
]);
/** Ids of the requests that the process itself has answered. */
const answered: string[] = [];
let output = '';
let lines: HttpLogLine[] = [];

const env = () => ({
  LOG_LEVEL: 'trace',
  METRICS_TOKEN: metricsToken,
  SLACK_BOT_TOKEN: botToken,
  SLACK_SIGNING_SECRET: signingSecret,
  SLACK_API_URL: `${slack.url}/api/`,
});

beforeAll(async () => {
  redis = await startTestRedis();
  emulator = await startEmulator();
  slack = await startFailureServer(() => emulator.url);
  receiver = await startReceiver();
  secrets.add(new URL(redis.url).password);
  setUp = await startService({redisUrl: redis.url});
  workspace = await setUp.addWorkspace();
  secrets.add(workspace.token);
  fixtures = await addFixtures(workspace, receiver.url);
  await setUp.core.services.teams.changeTeam(workspace.operator(), 'platform', {slack_channel_id: channel});
  served = await startServiceProcess({redisUrl: redis.url, env: env()});

  await askEverything();
  await askThroughSlack();
  await breakThings();
  await served.stop();
  output = served.current().stdout();
  lines = output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as HttpLogLine);
});

afterAll(async () => {
  await served.kill();
  await setUp.close();
  await receiver.close();
  await slack.close();
  await emulator.close();
  await redis.stop();
});

/** Sends a request to the process, and remembers the secrets in its answer. */
async function ask(method: string, path: string, options: RequestOptions = {}) {
  const answer = await sendRequest(served.url, method, path, {token: workspace.token, ...options});
  const id = answer.headers.get('x-request-id');
  if (id !== null) answered.push(id);
  for (const name of ['secret', 'token']) {
    const value = answer.body?.[name];
    if (typeof value === 'string') secrets.add(value);
  }
  return answer;
}

/** Adds the secret text to every free text of a body. */
function withSecretText(body: Json): Json {
  if (typeof body !== 'object' || body === null) return body;
  const written = ['update', 'description'];
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      written.includes(name) || (name === 'name' && typeof value === 'string')
        ? `${secretText} ${String(value)}`
        : value,
    ]),
  );
}

/** Sends every operation, and some of them with each kind of error and without a token. */
async function askEverything(): Promise<void> {
  const {value: narrow} = await workspace.addToken({name: 'narrow', scopes: []});
  secrets.add(narrow);
  const deletesLast = routes.toSorted(
    (a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'),
  );
  const wrongToo = sampleUnlessDeep(deletesLast, 20);
  for (const route of deletesLast) {
    const {path, body} = sampleOf(route, fixtures);
    const headers = {
      'idempotency-key': `${secretText}-${route.operation}`,
      traceparent: `00-${trace}-00f067aa0ba902b7-01`,
    };
    if (isLogged(route)) await ask(route.method, path, {body: withSecretText(body), headers});
    if (!wrongToo.includes(route)) continue;
    await ask(route.method, path, {token: `${secretText}.${secretText}.${secretText}`});
    await ask(route.method, path, {token: narrow, body});
    await ask(route.method, `${path}${path.includes('?') ? '&' : '?'}${secretText}=1`, {body});
    if (body === undefined) continue;
    await ask(route.method, path, {body: {...body, [secretText]: secretText}});
    await ask(route.method, path, {
      body: `{"update": ${secretText}`,
      headers: {'content-type': 'application/json'},
    });
  }
  await ask('POST', '/v1/standups', {
    body: {team: secretText, update: secretText, metadata: {[secretText]: secretText}},
  });
  await ask('POST', '/v1/members', {body: {name: secretText, email: `${secretText}@example.com`}});
  await ask('GET', `/v1/standups?q=${secretText}&cursor=${secretText}`);
  await ask('GET', `/v1/${secretText}`);
  await ask('PUT', `/v1/teams/${secretText}`, {body: {name: secretText}});
  await ask('GET', `/v1/teams/%ff${secretText}`);
  await ask('GET', '/v1/me', {
    headers: {'user-agent': secretText, 'x-forwarded-for': secretText, cookie: secretText},
  });
  await sendRaw(served.url, `${secretText} ${secretText}\r\n\r\n`);
  await sendRequest(served.url, 'GET', '/metrics', {headers: {authorization: `Bearer ${metricsToken}`}});
  await ask('GET', '/metrics', {token: secretText});
}

/** Posts standups from Slack, while Slack refuses and fails. */
async function askThroughSlack(): Promise<void> {
  const command = (text: string) =>
    sendSigned(served.url, {
      command: '/standup',
      text,
      user_id: admin.id,
      user_name: secretText,
      team_id: 'T000000001',
      channel_id: channel,
      trigger_id: randomUUID(),
      response_url: `${slack.url}/respond/${secretText}`,
    });
  await command(`${secretText} by Slack`);
  await command('');
  await command('help');
  await sendSigned(served.url, {command: '/standup', text: secretText}, {signature: `v0=${'0'.repeat(64)}`});
}

/** Causes errors: a failing receiver, a record that is no JSON, and a store that goes away. */
async function breakThings(): Promise<void> {
  receiver.respondWith({status: 500, body: secretText});
  const {body: hook} = await ask('POST', '/v1/webhooks', {
    body: {url: receiver.url, events: ['standup.created']},
  });
  const arrived = receiver.received.length;
  const {body: standup} = await ask('POST', '/v1/standups', {
    body: {team: 'platform', update: `${secretText} again`},
  });
  await until(() => receiver.received.length > arrived, {what: 'the failing attempt'});
  await ask('PATCH', `/v1/webhooks/${hook.id}`, {body: {url: 'http://127.0.0.1:9/'}});

  const record = workspaceKeys(workspace.id).record(suffixOf(standup.id));
  await setUp.core.store.connection.call(performance.now() + 5_000, [
    'SET',
    record,
    `{"id":"${standup.id}",${secretText}`,
  ]);
  expect((await ask('GET', `/v1/standups/${standup.id}`)).status).toBe(500);

  await redis.kill();
  await until(
    async () =>
      (await ask('POST', '/v1/standups', {body: {team: 'platform', update: secretText}})).status === 503,
  );
  await ask('GET', '/v1/standups');
}

it('every line is JSON with a level, a time and a message', () => {
  expect(lines.length).toBeGreaterThan(routes.length);
  for (const line of lines) {
    expect(line).toMatchObject({
      level: expect.any(Number),
      time: expect.any(Number),
      msg: expect.stringMatching(/\S/),
    });
  }
});

it('every answered request has one line with its id, operation, method, status and milliseconds', () => {
  const operations = ['none', ...routes.map(({operation}) => operation)];
  const requests = lines.filter(({msg}) => msg === 'request');
  const ids = requests.map((line) => line['request_id']);
  expect(ids.toSorted()).toEqual(answered.toSorted());
  for (const line of requests) {
    expect(operations).toContain(line['operation']);
    expect(line).toMatchObject({
      request_id: expect.stringMatching(/^req_/),
      method: expect.stringMatching(/^[A-Z]+$/),
      status: expect.any(Number),
      ms: expect.any(Number),
    });
    expect(typeof line['code']).toBe(Number(line['status']) >= 400 ? 'string' : 'undefined');
  }
});

it('an authenticated request names its principal and workspace, and no other request does', () => {
  const requests = lines.filter(({msg, operation}) => msg === 'request' && operation !== 'none');
  const known = requests.filter(({status}) => status !== 401);
  expect(known.length).toBeGreaterThan(routes.length / 2);
  const store = new Set(['service_unavailable']);
  for (const line of known.filter(({code}) => !store.has(String(code)))) {
    expect(line).toMatchObject({workspace: workspace.id, principal: expect.stringMatching(/^svc_/)});
  }
  for (const line of requests.filter(({code}) => code === 'authentication_required')) {
    expect(line['principal']).toBeUndefined();
  }
});

it('every change by the API and in Slack has a line that names its actor', () => {
  const changes = lines.filter(({msg}) => msg === 'change');
  const bySource = new Map(changes.map((line) => [line['source'], line]));
  const both = {workspace: workspace.id, events: expect.stringMatching(/^\w+\.\w+ evt_\w{26}/)};
  expect(bySource.get('api')).toMatchObject({
    ...both,
    actor: 'service_account',
    token: expect.stringMatching(/^tok_/),
    request_id: expect.any(String),
  });
  expect(bySource.get('slack')).toMatchObject({...both, actor: 'member', token: null});
});

it('the line of a request names the trace from the header traceparent', () => {
  const traced = lines.filter((line) => line['trace_id'] === trace);
  expect(traced.length).toBe(routes.filter(isLogged).length);
});

it('a bug is logged once, with its request id and location', () => {
  const [bug, ...more] = lines.filter(({level}) => level === 50);
  expect(more).toEqual([]);
  expect(bug).toMatchObject({
    msg: 'unexpected error',
    request_id: expect.stringMatching(/^req_/),
    err: {type: 'SyntaxError', stack: expect.stringContaining(' at ')},
  });
});

it('the log says that the store is unavailable', () => {
  expect(lines.some(({level, msg}) => level === 40 && msg === 'the store is unavailable')).toBe(true);
  expect(
    lines.some(
      ({code, msg}) =>
        msg === 'refused a request: the store is unavailable' && code === 'service_unavailable',
    ),
  ).toBe(true);
});

describe('the log', () => {
  it('contains nothing that a member wrote, and no secret, token or password', () => {
    expect(secrets.size).toBeGreaterThan(10);
    for (const secret of secrets) {
      const found = lines.filter((line) => JSON.stringify(line).includes(secret));
      expect({secret, found}).toEqual({secret, found: []});
    }
    expect(output).not.toMatch(/eyJ[\w-]+\.|xox[a-z]-|whsec_/);
  });

  it('regression: names the network of a client whose authentication failed, and of no other client', () => {
    const failed = ({code, principal}: Json) =>
      code === 'invalid_token' || (code === 'rate_limited' && principal === undefined);
    const requests = lines.filter(({msg}) => msg === 'request');
    expect(requests.filter(failed).length).toBeGreaterThan(10);
    const wrong = requests.filter((line) =>
      failed(line) ? line.network !== '127.0.0.1' : 'network' in line,
    );
    expect(wrong).toEqual([]);
  });

  it('contains no IP address or e-mail address of a person, and no URL of a webhook', () => {
    const addresses = lines.filter((line) =>
      /"(?:ip|address|remote|url|path|host|user_agent)":/i.test(JSON.stringify(line)),
    );
    expect(addresses).toEqual([]);
    expect(output).not.toContain('@example.com');
    expect(output).not.toContain(new URL(receiver.url).port);
  });

  it('goes to stdout alone, and nothing is written to stderr', () => {
    expect(served.current().stderr()).toBe('');
  });
});

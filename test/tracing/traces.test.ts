import {afterEach, beforeEach, describe, expect, it} from '@jest/globals';
import type {Emulator} from 'emulate';
import {addWebhook, createCleanUps, silentLog} from '../jobs/stage.js';
import {type CollectedSpan, type Collector, startCollector} from '../support/collector.js';
import {type Receiver, startReceiver} from '../support/receiver.js';
import {testRedisUrl} from '../support/redis-server.js';
import {sendRequest, startService, type TestService, type TestWorkspace} from '../support/service.js';
import {botToken, channel, signingSecret, startEmulator} from '../support/slack-harness.js';
import {startSmtp, type TestSmtp} from '../support/smtp.js';
import {until} from '../support/until.js';

const cleanUps = createCleanUps();
const metricsToken = 'a-token-for-the-metrics';
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;

let collector: Collector;
let receiver: Receiver;
let smtp: TestSmtp;
let redisUrl: string;
let workspace: TestWorkspace;

beforeEach(async () => {
  redisUrl = await testRedisUrl();
  collector = await startCollector();
  receiver = await startReceiver();
  smtp = await startSmtp();
  for (const {close} of [collector, receiver, smtp]) cleanUps.add(close);
});

afterEach(() => cleanUps.run());

/** Starts a service that sends traces when it closes. A second `close` does nothing. */
async function start(env: Record<string, string> = {}, log = silentLog): Promise<TestService> {
  const started = await startService({
    redisUrl,
    log,
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      SMTP_URL: smtp.url,
      MAIL_FROM: 'standup@example.com',
      METRICS_TOKEN: metricsToken,
      ...env,
    },
  });
  let closing: Promise<void> | undefined;
  const service = {...started, close: () => (closing ??= started.close())};
  cleanUps.add(service.close);
  return service;
}

const post = ({url}: TestService, update: string, headers: Record<string, string> = {}) =>
  sendRequest(url, 'POST', '/v1/standups', {
    token: workspace.token,
    headers,
    body: {team: 'platform', update},
  });

function find(name: string, more: object = {}): CollectedSpan {
  const matching = collector.spans.filter((span) => span.name === name);
  const wanted = matching.find((span) =>
    Object.entries(more).every(([key, value]) => span.attributes[key] === value),
  );
  if (wanted === undefined)
    throw new Error(`no span ${name} ${JSON.stringify(more)} in ${JSON.stringify(matching)}`);
  return wanted;
}

/** Returns the span of the commit that a request has made. A commit whose plan was out of date has one, too. */
const findCommit = (requestId: unknown) =>
  find('commit', {'standup.request_id': requestId, 'standup.outcome': 'committed'});

const idsOf = ({traceId: trace, spanId}: CollectedSpan) => ({traceId: trace, spanId});

describe('the traces of a posted standup', () => {
  it('lead from the request over its commit and the time slices of another process to the receiver', async () => {
    const web = await start({ROLES: 'web'});
    workspace = await web.addWorkspace();
    const {id: webhook} = await addWebhook(workspace, receiver);
    const {headers} = await post(web, 'On my way.', {traceparent});
    await web.close();
    const worker = await start({ROLES: 'worker'});
    const [delivery] = await receiver.waitFor(1);
    await worker.close();

    const request = find('POST /v1/standups');
    expect(request).toMatchObject({traceId, parentSpanId: '00f067aa0ba902b7', kind: 2, status: {}});
    expect(request.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/v1/standups',
      'http.response.status_code': 201,
      'standup.request_id': headers.get('x-request-id'),
      'standup.workspace': workspace.id,
    });
    const commit = findCommit(headers.get('x-request-id'));
    expect(commit).toMatchObject({traceId, parentSpanId: request.spanId, kind: 3});
    expect(commit.attributes).toMatchObject({'db.system.name': 'redis', 'standup.outcome': 'committed'});

    const [fanOut, deliver] = [find('process fan-out'), find('process deliver')];
    for (const slice of [fanOut, deliver]) {
      expect(slice).toMatchObject({kind: 5, parentSpanId: undefined});
      expect(slice.links).toContainEqual(expect.objectContaining(idsOf(commit)));
    }
    const attempt = find('POST webhook');
    expect(attempt).toMatchObject({kind: 3, traceId: deliver.traceId, parentSpanId: deliver.spanId});
    expect(attempt.links).toMatchObject([idsOf(commit)]);
    expect(attempt.attributes).toMatchObject({
      'standup.webhook': webhook,
      'standup.event': delivery?.id,
      'standup.event_type': 'standup.created',
      'standup.delivery': delivery?.headers['standup-delivery'],
      'http.response.status_code': 204,
    });
    expect(delivery?.headers['traceparent']).toBe(`00-${attempt.traceId}-${attempt.spanId}-01`);
  });

  it('begin in the service if the caller sends none, and the log line of the request names them', async () => {
    const lines: Record<string, unknown>[] = [];
    const service = await start(
      {ROLES: 'web'},
      {...silentLog, info: (fields) => void lines.push({...fields})},
    );
    workspace = await service.addWorkspace();
    await post(service, 'On my way.');
    await service.close();
    const request = find('POST /v1/standups');
    expect(request.parentSpanId).toBeUndefined();
    const line = lines.find((one) => one['operation'] === request.attributes['standup.operation']);
    expect(line).toMatchObject({
      trace_id: request.traceId,
      request_id: request.attributes['standup.request_id'],
    });
    expect(findCommit(request.attributes['standup.request_id'])).toMatchObject({
      traceId: request.traceId,
      parentSpanId: request.spanId,
    });
  });

  it('lead to Slack, which shows it', async () => {
    const emulator: Emulator = await startEmulator();
    cleanUps.add(() => emulator.close());
    const service = await start({
      SLACK_BOT_TOKEN: botToken,
      SLACK_SIGNING_SECRET: signingSecret,
      SLACK_API_URL: `${emulator.url}/api/`,
    });
    workspace = await service.addWorkspace();
    const {services} = service.core;
    await services.teams.changeTeam(workspace.operator(), 'platform', {slack_channel_id: channel});
    const {body} = await post(service, 'On my way.', {traceparent});
    const isShown = async () => {
      const shown = await sendRequest(service.url, 'GET', `/v1/standups/${body.id}`, {
        token: workspace.token,
      });
      return shown.body.slack?.message_ts !== null && shown.body.slack !== null;
    };
    await until(isShown, {what: 'the standup is in Slack'});
    await service.close();
    const commit = findCommit(find('POST /v1/standups').attributes['standup.request_id']);
    const slice = collector.spans.find(
      ({name, links}) => name === 'process post-slack' && links.some(({spanId}) => spanId === commit.spanId),
    );
    expect(slice).toBeDefined();
    const calls = collector.spans.filter(({parentSpanId}) => parentSpanId === slice?.spanId);
    expect(calls.map(({name}) => name)).toContain('slack chat.postMessage');
    for (const call of calls) expect(call.links).toMatchObject([idsOf(commit)]);
  });
});

it('the trace of an invite leads to the mail that another process sends', async () => {
  const web = await start({ROLES: 'web'});
  workspace = await web.addWorkspace();
  const body = {emails: ['grace@example.com'], teams: [{team_id: 'platform'}]};
  const {status} = await sendRequest(web.url, 'POST', '/v1/invites', {
    token: workspace.token,
    headers: {traceparent},
    body,
  });
  expect(status).toBe(201);
  await web.close();
  const worker = await start({ROLES: 'worker'});
  await until(() => smtp.mails.length === 1, {what: 'the mail arrives'});
  await worker.close();
  const sending = find('send mail');
  expect(sending.attributes).toMatchObject({
    'standup.mail': 'invite',
    'smtp.response.status_code': expect.anything(),
  });
  const slice = find('process send-mail');
  expect(sending).toMatchObject({traceId: slice.traceId, parentSpanId: slice.spanId});
  const commit = findCommit(find('POST /v1/invites').attributes['standup.request_id']);
  for (const {links} of [slice, sending]) expect(links).toMatchObject([idsOf(commit)]);
});

describe('traces', () => {
  const canary = 'canary-of-the-tests';

  it('contain no words of people, no addresses, no tokens and no URLs', async () => {
    const service = await start();
    workspace = await service.addWorkspace();
    const {token} = workspace;
    let asked = 0;
    const ask = async (method: string, path: string, body?: object) => {
      const headers = {'idempotency-key': `${canary}-${(asked += 1)}`, traceparent};
      return sendRequest(service.url, method, path, {token, headers, ...(body && {body})});
    };
    receiver.respondWith({status: 500, body: canary, headers: {'x-said': canary}});
    const webhook = {
      url: `${receiver.url}/${canary}?secret=${canary}`,
      events: ['*'],
      description: canary,
      headers: {'x-key': canary},
    };
    const standup = {team: canary, update: canary, blockers: canary};
    const made = [
      await ask('POST', '/v1/webhooks', webhook),
      await ask('POST', '/v1/teams', {
        slug: canary,
        name: canary,
        questions: [{key: 'next', label: canary, type: 'text'}],
      }),
      await ask('POST', '/v1/members', {name: canary, email: `${canary}@example.com`}),
      await ask('POST', '/v1/tokens', {name: canary, scopes: ['standups:read']}),
      await ask('POST', '/v1/invites', {emails: [`${canary}@example.org`], teams: [{team_id: canary}]}),
      await ask('POST', '/v1/standups', standup),
    ];
    expect(made.map(({request, status, text}) => (status === 201 ? status : `${request} ${text}`))).toEqual(
      made.map(() => 201),
    );
    const refused = [
      await ask('POST', '/v1/standups', {...standup, team: `no-${canary}`}),
      await ask('POST', '/v1/standups', {...standup, [canary]: canary}),
      await ask('GET', `/v1/standups?team=${canary}&cursor=${canary}`),
      await ask('GET', `/v1/teams/no-${canary}`),
      await ask('GET', `/${canary}`),
    ];
    expect(refused.map(({status}) => status)).toEqual([422, 422, 400, 404, 404]);
    await receiver.waitFor(3);
    await until(() => smtp.mails.length === 1, {what: 'the mail arrives'});
    await service.close();
    expect(collector.spans.length).toBeGreaterThan(20);
    const exported = collector.requests.map(({text}) => text).join('\n');
    const secrets = [token, ...made.flatMap(({body}) => [body?.secret, body?.token, body?.value])];
    for (const secret of [
      canary,
      '@example',
      receiver.url,
      smtp.url,
      ...secrets.filter((one) => typeof one === 'string'),
    ])
      expect(exported).not.toContain(secret);
  });

  it('are made of no request, and lead to no receiver, without a collector', async () => {
    const service = await start({OTEL_EXPORTER_OTLP_ENDPOINT: ''});
    workspace = await service.addWorkspace();
    await addWebhook(workspace, receiver);
    await post(service, 'On my way.', {traceparent});
    const [delivery] = await receiver.waitFor(1);
    await service.close();
    expect(collector.requests).toEqual([]);
    expect(delivery?.headers).not.toHaveProperty('traceparent');
  });

  it('lead to no receiver if they are not recorded', async () => {
    const service = await start({OTEL_TRACES_SAMPLER: 'parentbased_always_off'});
    workspace = await service.addWorkspace();
    await addWebhook(workspace, receiver);
    await post(service, 'first');
    await post(service, 'second', {traceparent});
    const received = await receiver.waitFor(2);
    await service.close();
    const traced = received.filter(({headers}) => headers['traceparent'] !== undefined);
    expect(traced.map(({body}) => JSON.parse(body.toString()).data.update)).toEqual(['second']);
    expect(new Set(collector.spans.map((span) => span.name))).toContain('POST webhook');
  });

  it('leave the header traceparent that a webhook sets itself', async () => {
    const service = await start();
    workspace = await service.addWorkspace();
    await addWebhook(workspace, receiver, {headers: {traceparent: 'of the owner'}});
    await post(service, 'On my way.');
    const [delivery] = await receiver.waitFor(1);
    expect(delivery?.headers['traceparent']).toBe('of the owner');
    await service.close();
  });

  it('that the collector does not take delay no request, and are counted', async () => {
    collector.respondWith('hang');
    const service = await start({OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=a%20key'});
    workspace = await service.addWorkspace();
    const begun = performance.now();
    for (let i = 0; i < 5; i++) await post(service, `update ${i}`);
    expect(performance.now() - begun).toBeLessThan(5_000);
    const headers = {authorization: `Bearer ${metricsToken}`};
    const metrics = await (await fetch(`${service.url}/metrics`, {headers})).text();
    expect(metrics).toContain('standup_spans_lost_total{reason="queue_full"} 0');
    collector.respondWith(400);
    await service.close();
    expect(collector.requests[0]?.headers['x-api-key']).toBe('a key');
  });
});

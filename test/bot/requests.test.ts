import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import {createHmac} from 'node:crypto';
import {connect} from 'node:net';
import {actions, shortcuts, views} from '../../src/bot/slack/blocks/names.js';
import {AppError} from '../../src/domain/core/errors.js';
import {type SlackHarness, signRequest, signingSecret, startSlack} from '../support/slack-harness.js';
import {measureTime} from '../support/stopwatch.js';
import {until} from '../support/until.js';

let slack: SlackHarness;
beforeAll(async () => {
  slack = await startSlack();
});
afterAll(() => slack.close());

const seconds = () => Math.floor(Date.now() / 1_000);
const count = async () => (await slack.standups()).length;

describe('a forged or stale request', () => {
  test.each([
    ['with a wrong signature', () => ({signature: signRequest(String(seconds()), 'another body')})],
    [
      'signed with another secret',
      () => ({signature: `v0=${createHmac('sha256', 'other').update('x').digest('hex')}`}),
    ],
    ['without a readable signature', () => ({signature: 'v0=zz'})],
    ['six minutes old', () => ({timestamp: seconds() - 360})],
    ['six minutes ahead', () => ({timestamp: seconds() + 360})],
  ])('is refused without effect: %s', async (_, options) => {
    const before = await count();
    const {status} = await slack.command('must not be posted', options());
    expect(status).toBe(401);
    expect(await count()).toBe(before);
  });

  test('is refused without effect when its signature is in another notation', async () => {
    const timestamp = String(seconds());
    const body = 'command=%2Fstandup';
    const request = (signature: string) =>
      fetch(`${slack.url}/slack/events`, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'x-slack-request-timestamp': timestamp,
          'x-slack-signature': signature,
        },
        body,
      });
    expect((await request(`${signRequest(timestamp, body)}=again`)).status).toBe(401);
  });
});

test('regression: the log says only that a signed body cannot be read, and nothing of its content', async () => {
  const timestamp = String(seconds());
  const body = 'My password is {"hunter2"';
  const answer = await fetch(`${slack.url}/slack/events`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': signRequest(timestamp, body),
    },
    body,
  });
  expect(answer.status).toBe(400);
  const logged = slack.lines.filter(({fields}) =>
    String(fields['sdk']).includes('Parsing request body failed'),
  );
  expect(logged).toHaveLength(1);
  expect(JSON.stringify(slack.lines)).not.toMatch(/My pass|hunter/);
});

test('a request at most five minutes early or late is served', async () => {
  const before = await count();
  await slack.command('a little late', {timestamp: seconds() - 280});
  await slack.command('a little early', {timestamp: seconds() + 280});
  expect(await count()).toBe(before + 2);
});

test.each([
  'application/x-www-form-urlencoded; charset=utf-8',
  'Application/X-WWW-Form-URLencoded;charset=UTF-8',
])('a content type like %s is served', async (contentType) => {
  const before = await count();
  expect((await slack.command('with a charset', {contentType})).body.text).toContain('Posted');
  expect(await count()).toBe(before + 1);
});

test('a repeated request is answered with a 200 and has no effect', async () => {
  const before = await count();
  const timestamp = seconds();
  const trigger = 'replayed.trigger';
  const first = await slack.command('replayed', {timestamp, trigger});
  const again = await slack.command('replayed', {timestamp, trigger});
  expect(first.body.text).toContain('Posted');
  expect(again).toMatchObject({status: 200, text: ''});
  expect(await count()).toBe(before + 1);
});

test('a request that we failed to serve is served when Slack repeats it', async () => {
  let broken = true;
  const flaky = await startSlack({
    services: (services) => ({
      ...services,
      standups: {
        ...services.standups,
        postFromChannel: (...args) =>
          broken
            ? Promise.reject(new AppError('service_unavailable', 'away'))
            : services.standups.postFromChannel(...args),
      },
    }),
  });
  const timestamp = seconds();
  const send = () => flaky.command('post: not lost', {timestamp, trigger: 'the.same'});
  expect((await send()).body.text).toContain('Not posted');
  broken = false;
  expect((await send()).body.text).toContain('✅ Posted in <#C000000001>');
  await flaky.close();
});

test('requests are served while the record of earlier requests is unavailable', async () => {
  const blind = await startSlack({
    signatures: () => ({
      remember: () => Promise.reject(new Error('away')),
      forget: () => Promise.reject(new Error('away')),
    }),
  });
  expect((await blind.command('post: still posted')).body.text).toContain('Posted');
  await blind.close();
});

test('regression: a person is notified of an error that happens after the press of their button was acknowledged', async () => {
  const flaky = await startSlack({
    services: (services) => ({
      ...services,
      standups: {
        ...services.standups,
        listShownStandups: () => Promise.reject(new AppError('service_unavailable', 'away')),
      },
    }),
  });
  await flaky.command('so that there is somebody to ask for');
  const home = {view: {id: 'V1', type: 'home'}, channel: undefined, response_url: undefined};
  expect(await flaky.action({action_id: actions.homeHistory}, home)).toMatchObject({status: 200, text: ''});
  const [opened] = await until(() => flaky.slack.of('views.open').length > 0 && flaky.slack.of('views.open'));
  expect(JSON.stringify(opened?.body)).toMatch(/Reference: [0-9a-f]{8}/);
  await flaky.close();
});

test('regression: a body that is too large does not delay the next request on its connection', async () => {
  const stamp = String(seconds());
  const post = (signature: string, body: string) =>
    [
      'POST /slack/events HTTP/1.1',
      'Host: slack.test',
      'Content-Type: application/x-www-form-urlencoded',
      `X-Slack-Request-Timestamp: ${stamp}`,
      `X-Slack-Signature: ${signature}`,
      `Content-Length: ${body.length}`,
      '',
      body,
    ].join('\r\n');
  const unknown = 'command=%2Fstandups&user_id=U1&team_id=T000000001&trigger_id=behind&text=';
  const connection = connect(Number(new URL(slack.url).port), '127.0.0.1');
  let answers = '';
  connection.on('data', (chunk: Buffer) => (answers += chunk.toString()));
  // A sender of this request does not need the secret.
  connection.write(post(`v0=${'0'.repeat(64)}`, 'x'.repeat(700_000)));
  await until(() => answers.includes('HTTP/1.1 413'), {what: 'the refusal'});
  connection.write(post(signRequest(stamp, unknown), unknown));
  await until(() => answers.includes('HTTP/1.1 200'), {what: 'the answer behind it'});
  connection.destroy();
});

describe('every kind of request from Slack', () => {
  const payloads = [
    {
      type: 'block_actions',
      actions: [{action_id: 'unknown', block_id: 'b', type: 'button'}],
      trigger_id: 't',
    },
    {type: 'view_submission', view: {id: 'V1', callback_id: 'unknown', state: {values: {}}}},
    {type: 'view_closed', view: {id: 'V1', callback_id: 'standup-form', state: {values: {}}}},
    {type: 'shortcut', callback_id: 'unknown', trigger_id: 't'},
    {type: 'block_suggestion', action_id: 'unknown', block_id: 'b', value: 'x', view: {id: 'V1'}},
  ];
  test.each(payloads.map((payload) => [payload.type, payload] as const))(
    'is answered at once: %s',
    async (_, payload) => {
      const whole = {...payload, team: {id: 'T1'}, user: {id: 'U1', name: 'u'}};
      const [{status}, ms] = await measureTime(() => slack.send({payload: JSON.stringify(whole)}));
      expect(status).toBe(200);
      expect(ms).toBeLessThan(1_000);
    },
  );
});

describe('a name that Slack sends back to us', () => {
  const person = {user: {id: 'U000000001', name: 'admin'}};
  test.each(Object.values(actions))('has a listener as button %s', async (name) => {
    expect(await slack.action({action_id: name, value: '{}'}, {}, person)).toMatchObject({status: 200});
  });
  test.each(Object.values(views))('has a listener as form %s', async (name) => {
    const view = {id: 'V1', callback_id: name, private_metadata: '{}', blocks: [], state: {values: {}}};
    expect((await slack.submit(view, person)).status).toBe(200);
  });
  test.each(Object.values(shortcuts))('has a listener as shortcut %s', async (name) => {
    const message = name === shortcuts.addMessage && {message: {text: 'x', ts: '1.1'}};
    expect((await slack.shortcut(name, {...message}, person)).status).toBe(200);
  });
});

test('the URL check of Slack is answered with its challenge', async () => {
  const body = JSON.stringify({type: 'url_verification', challenge: 'abc'});
  const timestamp = String(seconds());
  const response = await fetch(`${slack.url}/slack/events`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': signRequest(timestamp, body),
    },
    body,
  });
  expect(await response.json()).toEqual({challenge: 'abc'});
  expect(signingSecret).not.toBe('');
});

test('the entry point of Slack changes no other path of the application', async () => {
  const response = await fetch(`${slack.url}/v1/standups`, {method: 'POST', body: '{}'});
  expect(response.status).toBe(404);
});

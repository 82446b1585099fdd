import {spawn} from 'node:child_process';
import {mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {findFreePort} from '../support/free-port.js';
import {sendRequest, startService, type TestService} from '../support/service.js';
import {until} from '../support/until.js';

const readme = readFileSync('README.md', 'utf8');
const apiGuide = readFileSync('docs/api.md', 'utf8');
const slackGuide = readFileSync('docs/slack.md', 'utf8');
const folder = path.resolve('.cache/readme');

let service: TestService;

beforeAll(async () => {
  service = await startService();
  mkdirSync(folder, {recursive: true});
});

afterAll(async () => {
  await service.close();
  rmSync(folder, {recursive: true, force: true});
});

/** The first block in this language that contains `part`, in the README or another document. */
function block(language: string, part: string, text = readme): string {
  const blocks = [...text.matchAll(/^ *```(\w+)\n([\s\S]*?)^ *```$/gm)];
  const found = blocks.find(([, kind, shown]) => kind === language && shown?.includes(part));
  if (found?.[2] === undefined) throw new Error(`the document has no ${language} block with ${part}`);
  return found[2];
}

/** Sends the request of a `curl` command in the README to the service of this test. */
async function runCurl(text: string, token: string) {
  const method = /-X (\w+)/.exec(text)?.[1] ?? 'POST';
  const address = /http:\/\/localhost:3000(\S*)/.exec(text)?.[1] ?? '';
  const body = /-d '([^']+)'/.exec(text)?.[1];
  return sendRequest(service.url, method, address, {
    token,
    headers: {'content-type': 'application/json'},
    ...(body !== undefined && {body}),
  });
}

it.each([
  'README.md',
  'docs/api.md',
  'docs/dashboard.md',
  'docs/schedules.md',
  'docs/slack.md',
  'docs/webhooks.md',
])('requests of %s use only variables that an earlier step has exported', (file) => {
  const shell = (text: string) =>
    [...text.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)].map(([, lines]) => lines);
  // The other documents continue after the README.
  const blocks = [...shell(readme), ...shell(readFileSync(file, 'utf8'))];
  const missing = blocks.flatMap((lines = '', at) => {
    if (!lines.includes('http://localhost:3000')) return [];
    const before = blocks.slice(0, at + 1).join('');
    return [...lines.matchAll(/\$(\w+)/g)].flatMap(([, name = '']) =>
      before.includes(`export ${name}=`) ? [] : [name],
    );
  });
  expect(missing).toEqual([]);
});

it('the first request of the README answers 201', async () => {
  const {token} = await service.addWorkspace();
  expect((await runCurl(block('sh', '/v1/standups'), token)).status).toBe(201);
});

it('giving a team a schedule as docs/schedules.md shows answers 200', async () => {
  const {token} = await service.addWorkspace();
  const guide = readFileSync('docs/schedules.md', 'utf8');
  const given = await runCurl(block('sh', '"schedule"', guide), token);
  expect({status: given.status, opens: given.body.schedule?.opens}).toEqual({status: 200, opens: '09:00'});
});

it('linking a team to its Slack channel as the guide for Slack shows answers 200', async () => {
  const {token} = await service.addWorkspace();
  const linked = await runCurl(block('sh', 'slack_channel_id', slackGuide), token);
  expect(linked.status).toBe(200);
  expect(linked.body.slack_channel_id).toBe('C024BE91L');
});

it('making a token over HTTP as the guide of the API shows answers 201 with a token that works', async () => {
  const {token} = await service.addWorkspace();
  const made = await runCurl(block('sh', '/v1/tokens', apiGuide), token);
  expect(made.status).toBe(201);
  const me = await sendRequest(service.url, 'GET', '/v1/me', {token: made.body.token});
  expect(me.body.scopes).toEqual(['standups:write']);
});

it('the receiver of the README verifies a webhook with the official library', async () => {
  const workspace = await service.addWorkspace();
  const port = await findFreePort();
  const curl = block('sh', '/v1/webhooks').replace('localhost:4000', `localhost:${port}`);
  const webhook = await runCurl(curl, workspace.token);
  expect(webhook.status).toBe(201);

  const file = path.join(folder, 'receiver.mjs');
  writeFileSync(file, block('js', 'standardwebhooks').replace('.listen(4000)', `.listen(${port})`));
  const receiver = spawn(process.execPath, [file], {
    env: {...process.env, WEBHOOK_SECRET: webhook.body.secret},
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  receiver.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  try {
    await until(
      () =>
        sendRequest(`http://localhost:${port}`, 'POST', '/', {body: {}}).then(
          ({status}) => status === 400,
          () => false,
        ),
      {what: 'the receiver listens and refuses what is not signed'},
    );
    await workspace.request('POST', '/v1/standups', {body: {team: 'platform', update: 'Read the README.'}});
    await until(() => output.includes('standup.created') && output.includes('Read the README.'), {
      what: 'the event was printed',
    });
  } finally {
    receiver.kill();
  }
});

it('the rule of idempotency is the same in docs/api.md and the OpenAPI document', async () => {
  const rule = apiGuide
    .split('\n')
    .filter((line) => line.startsWith('> '))
    .map((line) => line.slice(2))
    .join(' ');
  expect(rule).toContain('Idempotent-Replayed');
  const document = await sendRequest(service.url, 'GET', '/openapi.json');
  expect(document.body.info.description).toContain(rule);
});

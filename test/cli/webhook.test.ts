import {randomBytes} from 'node:crypto';
import {afterEach, beforeEach, describe, expect, it} from '@jest/globals';
import {triggerable} from '../../src/cli/webhook-trigger.js';
import {createSecret, createSigner} from '../../src/webhook/signature.js';
import {type Receiver, startReceiver, verifyWebhook} from '../support/receiver.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../support/service.js';
import {minimalEnv, startProcess, type TestProcess, testSecretKey} from '../support/service-process.js';
import {until} from '../support/until.js';
import {rowsOf, type RunningStandup, runStandup, startStandup} from './run-standup.js';

let service: TestService;
let workspace: TestWorkspace;
let processes: TestProcess[] = [];
let listeners: RunningStandup[] = [];
let receivers: Receiver[] = [];

beforeEach(async () => {
  service = await startService();
  workspace = await service.addWorkspace();
});

afterEach(async () => {
  await Promise.all(processes.map((one) => one.kill()));
  await Promise.all(listeners.map((one) => one.stop()));
  await Promise.all(receivers.map((one) => one.close()));
  await service.close();
  processes = [];
  listeners = [];
  receivers = [];
});

const env = () => ({REDIS_URL: service.redisUrl, SECRET_KEY: testSecretKey});

/** Starts `standup-admin webhook …` as a process, for signals. */
function spawnWebhook(...args: string[]): TestProcess {
  const started = startProcess(process.execPath, ['dist/cli.js', 'webhook', ...args], {
    env: minimalEnv(env()),
  });
  processes.push(started);
  return started;
}

function startWebhook(...args: string[]): RunningStandup {
  const started = startStandup(['webhook', ...args], env());
  listeners.push(started);
  return started;
}

type Output = Pick<RunningStandup, 'stdout' | 'stderr'>;

/** The objects of one kind that `--json` has printed so far. */
function objectsOf(run: Output, kind: string): Json[] {
  const lines = run.stdout().split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line)).filter((one) => one.kind === kind);
}

/** Waits until the service has reached the listener, and returns the listener's first line. */
async function reached(run: Output): Promise<Json> {
  await until(() => objectsOf(run, 'reached').length === 1, {
    what: `the listener is reached; it says: ${run.stdout()}${run.stderr()}`,
  });
  return objectsOf(run, 'listening')[0];
}

const listenArgs = ['listen', '--port', '0', '--json'];

async function startListening(...args: string[]): Promise<{run: RunningStandup; about: Json}> {
  const run = startWebhook(...listenArgs, ...args);
  return {run, about: await reached(run)};
}

const eventsOf = (run: Output) => objectsOf(run, 'event');

async function trigger(...args: string[]): Promise<string> {
  const {code, stdout, stderr} = await runStandup(['webhook', 'trigger', ...args], env());
  expect({code, says: stderr}).toEqual({code: 0, says: ''});
  return stdout;
}

async function listWebhooks(): Promise<Json[]> {
  return (await workspace.request('GET', '/v1/webhooks')).body.data;
}

async function stop(run: TestProcess, signal: NodeJS.Signals): Promise<void> {
  run.signal(signal);
  expect({...(await run.exited), says: run.stderr()}).toEqual({code: 0, signal: null, says: ''});
}

it('listen verifies each event and prints a line for it, and removes its webhook at Ctrl-C', async () => {
  const run = spawnWebhook('listen', '--port', '0', '--events', 'standup.* team.created');
  await until(() => run.stdout().includes('The service reaches this listener.'));
  const [webhook] = await listWebhooks();
  expect(webhook).toMatchObject({
    events: ['standup.*', 'team.created'],
    description: 'standup-admin webhook listen',
  });
  const [, port, id] =
    /^Listening on http:\/\/127\.0\.0\.1:(\d+)\/ for standup\.\* team\.created as (\w+)\.\n/.exec(
      run.stdout(),
    ) as unknown as [string, string, string];
  expect([`http://127.0.0.1:${port}/`, id]).toEqual([webhook.url, webhook.id]);

  const posted = await workspace.request('POST', '/v1/standups', {
    body: {team: 'platform', update: 'Hello.'},
  });
  expect(posted.status).toBe(201);
  await until(() => run.stdout().includes('standup.created'));
  expect(run.stdout().trimEnd().split('\n').at(-1)).toMatch(
    /^\d\d:\d\d:\d\d\.\d{3}Z {2}standup\.created {7}evt_[0-9a-z]{26} {2}attempt 1 {2}verified$/,
  );
  const listSucceeded = async () => {
    const {body} = await workspace.request('GET', `/v1/webhooks/${id}/deliveries?state=succeeded`);
    return body.data.map(({event_type}: Json) => event_type) as string[];
  };
  // An attempt is recorded a moment after its answer.
  await until(async () => (await listSucceeded()).length === 2);
  expect(await listSucceeded()).toEqual(['standup.created', 'webhook.test']);

  await stop(run, 'SIGINT');
  expect(await listWebhooks()).toEqual([]);
});

it('listen --forward passes requests unchanged to a program, and the program’s answers to the service', async () => {
  const receiver = await startReceiver();
  receivers.push(receiver);
  const {run, about} = await startListening('--forward', `${receiver.url}/hooks?a=b`);
  // The listener does not forward its own test request.
  expect(receiver.received).toEqual([]);

  receiver.respondWith({status: 422, headers: {'webhook-delivery': 'abort'}, body: 'no such team'});
  await workspace.request('POST', '/v1/standups', {body: {team: 'platform', update: 'Größe ✅ \u2028'}});
  await until(() => eventsOf(run).length === 1);
  const [event] = eventsOf(run);
  const [forwarded] = receiver.received;
  if (forwarded === undefined) throw new Error('nothing was passed on');
  expect(verifyWebhook(forwarded, about.secret)).toMatchObject({
    type: 'standup.created',
    data: {update: 'Größe ✅ \u2028'},
  });
  expect(forwarded).toMatchObject({method: 'POST', path: '/hooks?a=b', body: Buffer.from(event.body)});
  expect(forwarded.headers).toMatchObject({...event.headers, 'content-type': 'application/json'});
  expect(forwarded.headers['user-agent']).toMatch(/^team-standup-service\//);
  expect(event).toMatchObject({
    type: 'standup.created',
    id: forwarded.id,
    attempt: 1,
    verified: true,
    fault: null,
    forwarded: 422,
  });
  const delivery = event.headers['standup-delivery'];
  const seen = await until(async () => {
    const {body} = await workspace.request('GET', `/v1/deliveries/${delivery}`);
    return body.state === 'aborted' && body;
  });
  expect(seen.last_attempt).toMatchObject({status: 422});
  const {body: attempts} = await workspace.request('GET', `/v1/deliveries/${delivery}/attempts`);
  expect(attempts.data[0].response.body).toBe('no such team');
  expect(await run.stop()).toBe(0);
});

it('listen refuses requests that the service has not signed, and does not forward them', async () => {
  const receiver = await startReceiver();
  receivers.push(receiver);
  const {run, about} = await startListening('--forward', receiver.url);
  const sign = createSigner();
  const body = '{"type":"standup.created"}';
  const timestamp = Math.floor(Date.now() / 1_000);
  const other = createSecret(randomBytes);
  const send = async (headers: object, sent = body) => {
    const url = `http://127.0.0.1:${about.port}/`;
    const answer = await fetch(url, {method: 'POST', headers: {...headers}, body: sent});
    return `${answer.status} ${await answer.text()}`;
  };
  const signed = {id: 'evt_1', timestamp, body, secrets: [about.secret]};
  expect([
    await send({}),
    await send(sign({...signed, secrets: [other]})),
    await send(sign(signed), `${body} `),
    await send(sign({...signed, timestamp: timestamp - 310})),
    await send(sign({...signed, timestamp: timestamp + 310})),
    await send({...sign(signed), 'webhook-timestamp': 'now'}),
  ]).toEqual([
    '400 it is not signed',
    '400 no signature matches',
    '400 no signature matches',
    '400 its timestamp is too old',
    '400 its timestamp is ahead',
    '400 its timestamp cannot be read',
  ]);
  expect(receiver.received).toEqual([]);
  expect(await send(sign({...signed, secrets: [other, about.secret]}))).toBe('204 ');
  expect(receiver.received).toHaveLength(1);
  expect(eventsOf(run).map(({verified}) => verified)).toEqual([
    false,
    false,
    false,
    false,
    false,
    false,
    true,
  ]);
});

it('listen lets no received request control the terminal', async () => {
  const lines = startWebhook('listen', '--port', '0', '--events', 'standup.*');
  await until(() => lines.stdout().includes('The service reaches this listener.'));
  const {run: json, about} = await startListening('--events', 'standup.*');
  const [, port] = /127\.0\.0\.1:(\d+)/.exec(lines.stdout()) ?? [];
  const hostile = '\u001b]0;owned\u0007\u001b[2J\r\n\u009b2J\u007f\u202e\u2028';
  const sent = `${hostile}standup.created`;
  const ports = [port, about.port];
  for (const to of ports) {
    const answer = await fetch(`http://127.0.0.1:${to}/`, {
      method: 'POST',
      headers: {'content-type': 'text/plain', 'webhook-id': 'evt_\u009b2J', 'standup-attempt': '1\u009b2J'},
      body: JSON.stringify({type: sent, data: hostile}) + hostile,
    });
    expect(answer.status).toBe(400);
  }
  const before = lines.stdout();
  await until(() => lines.stdout().includes('NOT VERIFIED'), {what: before});
  expect(lines.stdout().split('\n').at(-2)).toMatch(
    /^\d\d:\d\d:\d\d\.\d{3}Z {2}- {21}- {2}attempt \? {2}NOT VERIFIED: it is not signed$/,
  );
  await until(() => eventsOf(json).length === 1);
  expect(json.stdout()).toMatch(/^[\n -~]*$/);
  const [event] = eventsOf(json);
  expect(event).toMatchObject({type: '-', id: '-', attempt: null, verified: false});
  // The body is escaped, not lost.
  expect(event.body).toContain(hostile);
});

it('listen --forward reports an unreachable program, and the service retries later', async () => {
  const gone = await startReceiver();
  await gone.close();
  const {run} = await startListening('--forward', gone.url);
  await workspace.request('POST', '/v1/standups', {body: {team: 'platform', update: 'Anybody there?'}});
  await until(() => eventsOf(run).length === 1);
  expect(eventsOf(run)[0]).toMatchObject({forwarded: null, reason: `nothing listens on ${gone.url}`});
  const {body} = await until(async () => {
    const found = await workspace.request(
      'GET',
      `/v1/deliveries/${eventsOf(run)[0].headers['standup-delivery']}`,
    );
    return found.body.state === 'retrying' && found;
  });
  expect(body.last_attempt).toMatchObject({status: 502});
});

it('listen removes the webhook of an earlier listen that was killed, but not of one that is running', async () => {
  const own = await workspace.request('POST', '/v1/webhooks', {
    body: {url: 'http://127.0.0.1:4000/', events: ['*'], description: 'not of a listener'},
  });
  const killed = spawnWebhook(...listenArgs);
  const forsaken = await reached(killed);
  const {about: living} = await startListening();
  await killed.kill();
  expect((await listWebhooks()).map(({id}) => id)).toContain(forsaken.webhook);

  const {run, about} = await startListening();
  expect(run.stderr()).toBe(`Removed ${forsaken.webhook}, which an earlier listener had left behind.\n`);
  const ids = (await listWebhooks()).map(({id}) => id);
  expect(ids.toSorted()).toEqual([own.body.id, living.webhook, about.webhook].toSorted());
});

it('listen says how to allow loopback addresses where they are refused, and leaves no webhook behind', async () => {
  const run = await runStandup(['webhook', 'listen', '--port', '0'], {
    ...env(),
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://standup.example.com',
  });
  expect(run.code).toBe(1);
  expect(run.stderr).toMatch(
    /^Webhooks may not go to http:\/\/127\.0\.0\.1:\d+\/ here: set WEBHOOK_ALLOW_NETWORKS=127\.0\.0\.0\/8 for the service and for this command\.\n$/,
  );
  expect(await listWebhooks()).toEqual([]);
});

it('listen on a port in use prints one line, and leaves no webhook behind', async () => {
  const receiver = await startReceiver();
  receivers.push(receiver);
  const run = await runStandup(['webhook', 'listen', '--port', String(receiver.port)], env());
  expect(run.code).toBe(1);
  expect(run.stderr).toBe(
    `Port ${receiver.port} is taken: choose another with --port, or 0 for a free one.\n`,
  );
  expect(await listWebhooks()).toEqual([]);
});

it('trigger makes each event type happen, names the objects that it created, and removes temporary ones', async () => {
  const {run} = await startListening('--events', 'standup.*,team.*,webhook.test');
  const before = (await workspace.request('GET', '/v1/teams')).body.data;
  const team = 'team team_\\w{26} \\(triggered-[0-9a-f]{8}\\)';
  const posted = 'standup std_\\w{26}';
  const expected: [type: string, says: string, events: string][] = [
    ['standup.created', `${posted} was posted`, 'created'],
    ['standup.updated', `${posted} was posted, changed and deleted`, 'created updated deleted'],
    ['standup.deleted', `${posted} was posted and deleted`, 'created deleted'],
    ['team.created', `${team} was made`, 'created'],
    ['team.updated', `${team} was made, changed and deleted`, 'created updated deleted'],
    ['team.deleted', `${team} was made and deleted`, 'created deleted'],
    ['webhook.test', 'delivery dlv_\\w{26} of a test to whk_\\w{26} was made', 'test'],
  ];
  expect(expected.map(([type]) => type)).toEqual(triggerable);
  const said = await trigger(...triggerable);
  expect(said).toMatch(new RegExp(`^${expected.map(([, says]) => `${says}\\n`).join('')}$`));
  const types = expected.flatMap(([type, , events]) =>
    events.split(' ').map((verb) => `${type.split('.')[0]}.${verb}`),
  );
  await until(() => eventsOf(run).length >= types.length);
  const events = eventsOf(run).map(({body}) => JSON.parse(body));
  const inOrder = events.toSorted((a, b) => a.sequence - b.sequence);
  expect(inOrder.map(({type}) => type)).toEqual(types);
  for (const {type, data} of inOrder)
    if (type === 'standup.created') {
      expect(data).toMatchObject({
        metadata: {triggered_by: 'standup-admin webhook trigger'},
        source: 'cli',
        author: {type: 'service_account', name: 'standup-admin webhook trigger'},
      });
    }
  const {body: standups} = await workspace.request('GET', '/v1/standups');
  expect(standups.data).toHaveLength(1);
  expect((await workspace.request('GET', '/v1/teams')).body.data).toHaveLength(before.length + 1);
});

it('trigger webhook.test reaches the named webhook or, without a name, all enabled webhooks', async () => {
  const make = async (enabled: boolean) => {
    const receiver = await startReceiver();
    receivers.push(receiver);
    const {body} = await workspace.request('POST', '/v1/webhooks', {
      body: {url: receiver.url, events: ['standup.*'], enabled},
    });
    return {receiver, id: body.id as string};
  };
  const [one, two, off] = [await make(true), await make(true), await make(false)];
  expect(await trigger('webhook.test', '--webhook', one.id)).toContain(` of a test to ${one.id} `);
  await one.receiver.waitFor(1, 20_000);
  expect((await trigger('webhook.test')).trimEnd().split('\n')).toHaveLength(2);
  await Promise.all([one.receiver.waitFor(2, 20_000), two.receiver.waitFor(1, 20_000)]);
  expect(off.receiver.received).toEqual([]);

  await until(async () => {
    const states = await Promise.all(
      [one, two].map(async ({id}) => (await workspace.request('GET', `/v1/webhooks/${id}/deliveries`)).body),
    );
    return states.every(({data}) => data.every(({state}: Json) => state === 'succeeded'));
  });
  const listed = await runStandup(['webhook', 'list'], env());
  expect(rowsOf(listed.stdout).toSorted()).toEqual(
    [
      [one.id, 'enabled', 'closed', '0', 'standup.*', one.receiver.url],
      [two.id, 'enabled', 'closed', '0', 'standup.*', two.receiver.url],
      [off.id, 'disabled (user)', 'closed', '0', 'standup.*', off.receiver.url],
    ].toSorted(),
  );
});

it('try sends all deliveries that wait for a repaired receiver at once', async () => {
  const receiver = await startReceiver();
  receivers.push(receiver);
  receiver.respondWith(503);
  const {body: webhook} = await workspace.request('POST', '/v1/webhooks', {
    body: {url: receiver.url, events: ['standup.*'], retry_schedule: [3_600]},
  });
  await workspace.request('POST', '/v1/standups', {body: {team: 'platform', update: 'Repaired it.'}});
  const isIn = async (state: string) =>
    (await workspace.request('GET', `/v1/webhooks/${webhook.id}/deliveries`)).body.data[0]?.state === state;
  await until(() => isIn('retrying'));
  receiver.respondWith(204);
  const run = await runStandup(['webhook', 'try', webhook.id], env());
  expect([run.stdout, run.stderr]).toEqual([`1 waiting for ${webhook.id}: sent now\n`, '']);
  await until(() => isIn('succeeded'), {withinMs: 20_000});
});

describe('an incorrect webhook command', () => {
  it.each<[string[], RegExp]>([
    [
      ['trigger', 'member.joined'],
      /^"member\.joined" cannot be triggered\. Types: standup\.created, .*, webhook\.test\.\n$/,
    ],
    [['trigger', 'toString'], /^"toString" cannot be triggered/],
    [['listen', '--port', '22'], /^"22" is not a port to listen on: choose 1024 to 65535, or 0/],
    [
      ['listen', '--port', '0', '--events', 'standup.gone'],
      /^"standup\.gone" is not an event type\. Types: \* /,
    ],
    [
      ['listen', '--port', '0', '--forward', 'localhost:5000'],
      /^"localhost:5000" is not a URL to forward to/,
    ],
    [
      ['listen', '--port', '4000', '--forward', 'http://localhost:4000/hooks'],
      /^--forward leads back to --port: name the port of your own program\.\n$/,
    ],
  ])('ends with 2 and shows its usage: standup-admin webhook %j', async (args, says) => {
    const run = await runStandup(['webhook', ...args], env());
    expect(run).toEqual({code: 2, stdout: '', stderr: expect.stringMatching(says)});
  });
});

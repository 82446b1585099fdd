import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {afterEach, expect, it} from '@jest/globals';
import {nodeVersions} from '../../scripts/node-versions.mjs';
import {findFreePort} from '../support/free-port.js';
import {startReceiver, verify} from '../support/receiver.js';
import {testRedisUrl} from '../support/redis-server.js';
import {sendRequest} from '../support/service.js';
import {plainEnv, startProcess, testSecretKey} from '../support/service-process.js';
import {until} from '../support/until.js';

const cleanUps: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** By scripts/test.mjs. Without them nothing here can be said, which must not look like a pass. */
const bins = JSON.parse(process.env['NODE_BINS'] ?? '{}') as Record<string, string | undefined>;

/** Slack, as far as a start asks it. */
async function startSlack(): Promise<string> {
  const slack = createServer((_, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(
      '{"ok":true,"team_id":"T0","team":"T","user_id":"U0","bot_id":"B0","url":"https://t.slack.com/"}',
    );
  });
  await new Promise<void>((resolve) => slack.listen(0, '127.0.0.1', resolve));
  cleanUps.push(() => slack.close());
  return `http://127.0.0.1:${(slack.address() as AddressInfo).port}/api/`;
}

it.each(nodeVersions)(
  'the built service runs on Node %s, from start to stop, with all that it loads late',
  async (version) => {
    const bin = bins[version];
    if (bin === undefined) throw new Error(`there is no Node ${version} to test with`);
    const port = await findFreePort();
    const url = `http://127.0.0.1:${port}`;
    const receiver = await startReceiver();
    cleanUps.push(() => receiver.close());
    const env = plainEnv({
      PORT: String(port),
      REDIS_URL: await testRedisUrl(),
      SECRET_KEY: testSecretKey,
      WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8',
      METRICS_TOKEN: 'a-metrics-token-for-tests-of-32-or-more',
      SLACK_BOT_TOKEN: 'xoxb-1',
      SLACK_SIGNING_SECRET: '0123456789abcdef0123456789abcdef',
      SLACK_API_URL: await startSlack(),
    });
    const command = async (...args: string[]) => {
      const ran = startProcess(bin, ['dist/cli.js', ...args], {env});
      if ((await ran.exited).code !== 0) throw new Error(ran.stderr());
      return ran.stdout().trim();
    };
    await command('workspace', 'create', 'Everywhere');
    await command('team', 'create', 'platform', '--timezone', 'Europe/Berlin');
    const token = await command(
      'token',
      'create',
      '--name',
      'node',
      '--scope',
      'standups:write webhooks:manage',
    );

    const service = startProcess(bin, ['dist/main.js'], {env});
    cleanUps.push(() => service.kill());
    await until(
      () =>
        fetch(`${url}/readyz`).then(
          ({ok}) => ok,
          () => false,
        ),
      {
        what: 'it is ready',
        withinMs: 20_000,
      },
    );
    const body = {url: receiver.url, events: ['standup.created']};
    const hook = await sendRequest(url, 'POST', '/v1/webhooks', {token, body});
    expect(hook.status).toBe(201);
    const posted = await sendRequest(url, 'POST', '/v1/standups', {
      token,
      body: {team: 'platform', update: `On Node ${version}`},
    });
    expect(posted.status).toBe(201);
    const [delivery] = await receiver.waitFor(1, 10_000);
    expect(delivery && verify(delivery, hook.body.secret)).toMatchObject({data: {id: posted.body.id}});
    const page = await fetch(`${url}/app`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<div id="app">')]);
    // Bolt answers for itself: nobody has signed.
    expect((await fetch(`${url}/slack/events`, {method: 'POST', body: '{}'})).status).toBe(401);
    service.signal('SIGTERM');
    expect(await service.exited).toEqual({code: 0, signal: null});
  },
  60_000,
);

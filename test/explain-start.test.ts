import {createServer} from 'node:http';
import net from 'node:net';
import {afterEach, describe, expect, it} from '@jest/globals';
import {listen} from '../src/api/server/serving.js';
import {parseConfig} from '../src/config/config.js';
import {AppError} from '../src/domain/core/errors.js';
import {describeStart, explainFailedStart} from '../src/explain-start.js';
import {openTestStore} from './store/open-test-store.js';

const cleanUps: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

describe('the line about a process that has started', () => {
  const own = {port: 3000, node: '24.1.0', version: '1.2.3'};

  async function describeWith(env: Readonly<Record<string, string>>) {
    const {store, url} = await openTestStore();
    cleanUps.push(() => store.close());
    return describeStart(parseConfig({REDIS_URL: url, ...env}), store, own);
  }

  it('names port, roles, Node, version, the store with its masters and replicas, queue and channels', async () => {
    const described = await describeWith({});
    expect(described).toEqual({
      ...own,
      roles: 'web,worker',
      store: 'single',
      masters: 1,
      replicas: 0,
      redis: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      durability: expect.any(String),
      queue: 'in the store',
      slack: 'off',
      mail: 'off',
      webhooks: 'direct',
    });
  });

  it('names the hosts of queue, mail server and proxy, and shows none of their passwords', async () => {
    const described = await describeWith({
      ROLES: 'worker',
      QUEUE_REDIS_URL: 'redis://:canary@queue.example.com:6380/3',
      SMTP_URL: 'smtp://user:canary@smtp.example.com',
      MAIL_FROM: 'standup@example.com',
      WEBHOOK_PROXY_URL: 'http://user:canary@proxy.example.com:3128',
      SLACK_BOT_TOKEN: 'xoxb-canary',
      SLACK_SIGNING_SECRET: 'canary-of-the-signing-secret-0000',
    });
    expect(described).toMatchObject({
      roles: 'worker',
      queue: 'queue.example.com:6380',
      slack: 'one workspace',
      mail: 'smtp.example.com:587',
      webhooks: 'through http://proxy.example.com:3128',
    });
    expect(JSON.stringify(described)).not.toContain('canary');
  });
});

describe('the sentence about a failed start', () => {
  const failureOf = async (host: string, port: number): Promise<string | undefined> => {
    const server = createServer();
    cleanUps.push(() => server.close());
    return explainFailedStart(await listen(server, {host, port}).catch((error: unknown) => error));
  };

  it('names a port that is taken', async () => {
    const other = net.createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    cleanUps.push(() => other.close());
    const {port} = other.address() as net.AddressInfo;
    expect(await failureOf('127.0.0.1', port)).toBe(
      `Port ${port} is taken: stop what listens there, or set PORT.`,
    );
  });

  it('names an address or a host name in HOST that this machine does not have', async () => {
    expect(await failureOf('192.0.2.1', 0)).toMatch(/^This machine does not have the address in HOST: /);
    expect(await failureOf('no-such-host.invalid', 0)).toMatch(/^The host name in HOST cannot be found: /);
  });

  it('names the problem of a store that fails during the start', () => {
    const cause = new Error('MISCONF Redis is configured to save RDB snapshots');
    const error = new AppError('service_unavailable', 'The store cannot serve.', {cause});
    expect(explainFailedStart(error)).toMatch(/^Redis cannot write to its disk/);
  });

  it('is missing for a bug, which needs its stack trace', () => {
    expect(explainFailedStart(new TypeError('a bug'))).toBeUndefined();
  });
});

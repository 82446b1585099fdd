import {afterEach, describe, expect, it} from '@jest/globals';
import {createCleanUps} from '../../jobs/stage.js';
import {type ConnectProxy, startConnectProxy} from '../../support/connect-proxy.js';
import {startReceiver} from '../../support/receiver.js';
import {testRedisUrl} from '../../support/redis-server.js';
import {type Json, startService, type TestWorkspace} from '../../support/service.js';
import {createTestClock, type TestClock} from '../../support/test-clock.js';
import {until} from '../../support/until.js';
import {testCertificate} from '../../webhook/certificate.js';
import {make} from '../samples.js';

const cleanUps = createCleanUps();
afterEach(() => cleanUps.run());

const password = 'egress-password-1';

async function startBehindProxy(): Promise<{
  proxy: ConnectProxy;
  clock: TestClock;
  workspace: TestWorkspace;
}> {
  const redisUrl = await testRedisUrl();
  const clock = await createTestClock(redisUrl);
  cleanUps.add(() => clock.close());
  const proxy = await startConnectProxy();
  cleanUps.add(() => proxy.close());
  const service = await startService({
    redisUrl,
    time: clock.time,
    env: {WEBHOOK_PROXY_URL: proxy.url.replace('//', `//egress:${password}@`)},
  });
  cleanUps.add(() => service.close());
  return {proxy, clock, workspace: await service.addWorkspace()};
}

const attemptsOf = async (workspace: TestWorkspace, delivery: string): Promise<Json[]> =>
  (await workspace.request('GET', `/v1/deliveries/${delivery}/attempts`)).body.data;

describe('WEBHOOK_PROXY_URL', () => {
  it('leads to errors that name the proxy and count against no receiver, until the proxy works again', async () => {
    const {proxy, clock, workspace} = await startBehindProxy();
    const receiver = await startReceiver();
    cleanUps.add(() => receiver.close());
    const {id} = await make(workspace, '/v1/webhooks', {url: receiver.url, events: ['standup.*']});
    proxy.behave(407);
    const {body: delivery} = await workspace.request('POST', `/v1/webhooks/${id}/test`);
    const [first] = await until(async () => {
      const attempts = await attemptsOf(workspace, delivery.id);
      return attempts.length > 0 ? attempts : undefined;
    });
    expect(first).toMatchObject({status: null, error: 'proxy_failed'});
    expect(JSON.stringify(first)).not.toContain(password);
    const {body: health} = await workspace.request('GET', `/v1/webhooks/${id}/health`);
    expect(health).toMatchObject({breaker: {state: 'closed'}, failing_since: null, consecutive_failures: 0});
    expect(receiver.connections()).toBe(0);

    proxy.behave('tunnel');
    await clock.advance(40_000);
    await receiver.waitFor(1, 15_000);
    const shown = await until(async () => {
      const {body} = await workspace.request('GET', `/v1/deliveries/${delivery.id}`);
      return body.state === 'succeeded' ? body : undefined;
    });
    expect(shown.state).toBe('succeeded');
    expect(proxy.asked).toEqual([`127.0.0.1:${receiver.port}`, `127.0.0.1:${receiver.port}`]);
    expect(proxy.credentials[1]).toBe(`Basic ${Buffer.from(`egress:${password}`).toString('base64')}`);
    expect(receiver.received[0]?.headers['proxy-authorization']).toBeUndefined();
  });
});

describe('the TLS settings of a webhook', () => {
  it('let only this webhook trust a receiver with a private certificate authority', async () => {
    const service = await startService();
    cleanUps.add(() => service.close());
    const receiver = await startReceiver({tls: testCertificate});
    cleanUps.add(() => receiver.close());
    const workspace = await service.addWorkspace();
    const errorWith = async (tls: Json): Promise<Json> => {
      const {id} = await make(workspace, '/v1/webhooks', {url: receiver.url, events: ['standup.*'], tls});
      const {body: delivery} = await workspace.request('POST', `/v1/webhooks/${id}/test`);
      return until(async () => (await attemptsOf(workspace, delivery.id))[0]);
    };
    expect(await errorWith({ca: testCertificate.cert})).toMatchObject({status: 204, error: null});
    expect(await errorWith({verify: false})).toMatchObject({status: 204, error: null});
    expect(await errorWith(null)).toMatchObject({status: null, error: 'tls_failed'});
  });

  it('are refused if they can apply to no address, or if they contain no valid certificate', async () => {
    const open = await startService();
    cleanUps.add(() => open.close());
    const shut = await startService({
      env: {NODE_ENV: 'production', HOST: '127.0.0.1', PUBLIC_URL: 'https://standup.example.com'},
    });
    cleanUps.add(() => shut.close());
    const refusal = async (workspace: TestWorkspace, tls: Json): Promise<Json> => {
      const body = {url: 'https://hooks.example.com/', events: ['*'], tls};
      return (await workspace.request('POST', '/v1/webhooks', {body})).body;
    };
    const [strict, loose] = [await shut.addWorkspace(), await open.addWorkspace()];
    expect(await refusal(strict, {verify: false})).toMatchObject({
      code: 'validation_failed',
      errors: [{pointer: '#/tls', detail: expect.stringContaining('WEBHOOK_ALLOW_NETWORKS')}],
    });
    expect(await refusal(loose, {ca: 'our own authority'})).toMatchObject({
      code: 'validation_failed',
      errors: [{pointer: '#/tls', detail: expect.stringContaining('PEM')}],
    });
    expect(JSON.stringify(await refusal(loose, {ca: testCertificate.key}))).not.toContain('MIGH');
  });
});

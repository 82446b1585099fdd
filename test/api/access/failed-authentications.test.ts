import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {findNetworkOfAddress, findSiteOfAddress} from '../../../src/api/http/client-address.js';
import {sendRequest, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {dumpRedis} from '../../store/dump.js';
import {expectProblem} from '../http/expect-problem.js';

const metricsToken = 'the-token-of-the-metrics';
const env = {
  METRICS_TOKEN: metricsToken,
  RATE_LIMIT_AUTH_FAILURES: '3',
  RATE_LIMIT: '50',
  RATE_LIMIT_WRITES: '50',
};
/** One service behind one proxy, one behind two, and one that is reached directly. */
let behindOne: TestService;
let behindTwo: TestService;
let direct: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  behindOne = await startService({env: {...env, TRUST_PROXY: '1'}});
  const {redisUrl} = behindOne;
  behindTwo = await startService({env: {...env, TRUST_PROXY: '2'}, redisUrl});
  direct = await startService({env, redisUrl});
  workspace = await behindOne.addWorkspace();
});

afterAll(async () => {
  for (const service of [direct, behindTwo, behindOne]) await service.close();
});

const send = (service: TestService, forwarded: string | undefined, token: string | undefined) =>
  sendRequest(service.url, 'GET', '/v1/me', {
    headers: forwarded === undefined ? {} : {'x-forwarded-for': forwarded},
    ...(token !== undefined && {token}),
  });

/** The statuses of requests with a made-up token, one for each X-Forwarded-For. */
async function fail(service: TestService, ...forwarded: (string | undefined)[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const one of forwarded) statuses.push((await send(service, one, 'made.up.token')).status);
  return statuses;
}

const times = (count: number, address: string): string[] => Array.from({length: count}, () => address);

describe('failed authentications from one address', () => {
  it('are answered beyond a limit with 429 and Retry-After, while a valid token still works', async () => {
    const address = '203.0.113.9';
    expect(await fail(behindOne, ...times(3, address))).toEqual([401, 401, 401]);
    const refused = await send(behindOne, address, 'made.up.token');
    const {detail} = expectProblem(refused, 'rate_limited');
    expect(detail).toContain('Too many failed authentications come from your address.');
    expect(['19', '20']).toContain(refused.headers.get('retry-after'));
    expect(refused.headers.has('www-authenticate')).toBe(false);
    expect(refused.headers.has('ratelimit')).toBe(false);
    const served = await send(behindOne, address, workspace.token);
    expect(served.status).toBe(200);
    expect(await fail(behindOne, '203.0.113.10')).toEqual([401]);
  });

  it('are counted over all processes', async () => {
    const address = '203.0.113.20';
    expect(await fail(behindOne, ...times(2, address))).toEqual([401, 401]);
    expect(await fail(behindTwo, `${address}, 10.0.0.1`, `${address}, 10.0.0.1`)).toEqual([401, 429]);
    expect(await fail(behindOne, address)).toEqual([429]);
  });

  it('use up no quota of the principal named in the token', async () => {
    const left = async () =>
      (await send(behindOne, '203.0.113.30', workspace.token)).headers.get('ratelimit');
    const before = Number(/r=(\d+)/.exec((await left()) ?? '')?.[1]);
    const [head, body] = workspace.token.split('.');
    const forged = `${head}.${body}.${'A'.repeat(86)}`;
    for (let i = 0; i < 5; i++) await send(behindOne, '203.0.113.30', forged);
    const after = Number(/r=(\d+)/.exec((await left()) ?? '')?.[1]);
    expect(before - after).toBeLessThanOrEqual(1);
  });

  it('include a revoked token, but not a request without credentials', async () => {
    const {value, id} = await workspace.addToken();
    await behindOne.core.services.tokens.revokeToken(workspace.operator(), id);
    const address = '203.0.113.40';
    const statuses: number[] = [];
    for (const token of [undefined, undefined, undefined, undefined, value, value, value, value, undefined])
      statuses.push((await send(behindOne, address, token)).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 401, 401, 429, 401]);
  });

  it('include a write whose token is found revoked at the commit', async () => {
    const {value, id} = await workspace.addToken();
    await behindOne.core.services.tokens.revokeToken(workspace.operator(), id);
    const headers = {'x-forwarded-for': '203.0.113.50'};
    const body = {team: 'platform', update: 'Too late.'};
    const statuses: number[] = [];
    for (let i = 0; i < 4; i++)
      statuses.push(
        (await sendRequest(behindOne.url, 'POST', '/v1/standups', {token: value, headers, body})).status,
      );
    expect(statuses).toEqual([401, 401, 401, 429]);
  });

  it('regression: include those with a wrong token for /metrics, while the right one works', async () => {
    const headers = {'x-forwarded-for': '203.0.113.55'};
    const ask = (token?: string) =>
      sendRequest(behindOne.url, 'GET', '/metrics', {headers, ...(token !== undefined && {token})});
    const statuses: number[] = [];
    // A request without credentials does not count.
    for (const token of [undefined, undefined, undefined, undefined, 'a', 'b', 'c'])
      statuses.push((await ask(token)).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 401, 401]);
    const refused = await ask('d');
    expectProblem(refused, 'rate_limited');
    expect(['19', '20']).toContain(refused.headers.get('retry-after'));
    expect((await send(behindOne, '203.0.113.55', 'made.up.token')).status).toBe(429);
    expect((await ask(metricsToken)).status).toBe(200);
  });

  it('leave no address in the store', async () => {
    await fail(behindOne, '203.0.113.60');
    const {keys, text} = await dumpRedis(behindOne.redisUrl);
    expect(keys.some((key) => key.startsWith('{global}:failed-auth:'))).toBe(true);
    expect(text).not.toContain('203.0.113.');
  });
});

describe('the client address', () => {
  it('is the last address in X-Forwarded-For behind one proxy, whatever a client puts before it', async () => {
    const client = '198.51.100.1';
    const spoofed = ['1.1.1.1', '2.2.2.2, 3.3.3.3', '4.4.4.4', '5.5.5.5'].map((one) => `${one}, ${client}`);
    expect(await fail(behindOne, ...spoofed)).toEqual([401, 401, 401, 429]);
    expect(await fail(behindOne, client)).toEqual([429]);
    expect(await fail(behindOne, `${client}, 198.51.100.2`)).toEqual([401]);
  });

  it('is the last but one address in X-Forwarded-For behind two proxies', async () => {
    const client = '198.51.100.11';
    const spoofed = ['1.1.1.1', '2.2.2.2', '3.3.3.3', '4.4.4.4'].map((one) => `${one}, ${client}, 10.0.0.1`);
    expect(await fail(behindTwo, ...spoofed)).toEqual([401, 401, 401, 429]);
    expect(await fail(behindTwo, '198.51.100.12, 10.0.0.1')).toEqual([401]);
  });

  it('is the address of the connection if there is no proxy, whatever X-Forwarded-For contains', async () => {
    expect(await fail(direct, '1.1.1.1', '2.2.2.2', undefined, '3.3.3.3')).toEqual([401, 401, 401, 429]);
  });

  it('is counted as its network of 64 bits if it is an IPv6 address', async () => {
    const addresses = ['2001:db8:1:2::1', '2001:db8:1:2::2', '2001:db8:1:2:ffff::3', '2001:db8:1:2::4'];
    expect(await fail(behindOne, ...addresses)).toEqual([401, 401, 401, 429]);
    expect(await fail(behindOne, '2001:db8:1:3::1')).toEqual([401]);
  });

  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['203.0.113.9:51234', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:DB8::1', '2001:db8:0:0::/64'],
    ['[2001:db8::1]:443', '2001:db8:0:0::/64'],
    ['[2001:db8::1]', '2001:db8:0:0::/64'],
    ['not an address', 'not an address'],
    [undefined, 'unknown'],
  ])('is read from %s as %s', (address, network) => {
    expect(findNetworkOfAddress(address)).toBe(network);
  });

  it.each([
    ['2001:DB8:1:2::1', '2001:db8:1::/48'],
    ['[2001:db8:1:3::1]:443', '2001:db8:1::/48'],
    ['203.0.113.9', '203.0.113.9'],
    [undefined, 'unknown'],
  ])('has the site %s: %s', (address, site) => {
    expect(findSiteOfAddress(address)).toBe(site);
  });
});

it('a limit of 0 allows any number of failed authentications', async () => {
  const service = await startService({env: {RATE_LIMIT_AUTH_FAILURES: '0'}, redisUrl: behindOne.redisUrl});
  try {
    const statuses = await fail(service, ...times(40, '203.0.113.9'));
    expect(new Set(statuses)).toEqual(new Set([401]));
  } finally {
    await service.close();
  }
});

import {afterEach, beforeEach, describe, expect, test} from '@jest/globals';
import type {LookupAddress} from 'node:dns';
import {createAddressPolicy} from '../../src/webhook/address.js';
import {createConnector} from '../../src/webhook/connector.js';
import {createSender} from '../../src/webhook/sender.js';
import type {Sender} from '../../src/webhook/sender.js';
import type {Resolve} from '../../src/webhook/resolver.js';
import {startReceiver} from '../support/receiver.js';
import type {Receiver} from '../support/receiver.js';
import {testCertificate} from './certificate.js';

// Receivers for http and https on loopback that must never be reached. Every test checks their connections,
// because even a TLS handshake would be one too many.
let inner: {plain: Receiver; secure: Receiver};
const closing: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  inner = {plain: await startReceiver(), secure: await startReceiver({tls: testCertificate})};
  closing.push(
    () => inner.plain.close(),
    () => inner.secure.close(),
  );
});

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function sender({allowNetworks = [], resolve}: {allowNetworks?: string[]; resolve?: Resolve} = {}): Sender {
  const made = createSender({
    policy: createAddressPolicy({allowNetworks}),
    userAgent: 'standup-test/1',
    timeoutMs: 2000,
    tls: {ca: testCertificate.cert},
    ...(resolve && {resolve}),
  });
  closing.push(() => made.close());
  return made;
}

function send(from: Sender, url: string) {
  return from.send({url, body: '{}', headers: {}});
}

function answering(...addresses: string[]): Resolve {
  return async () => addresses.map(toAnswer);
}

function toAnswer(address: string): LookupAddress {
  return {address, family: address.includes(':') ? 6 : 4};
}

function innerConnections(): number {
  return inner.plain.connections() + inner.secure.connections();
}

describe('an address inside the private network', () => {
  test.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '0',
    '%31%32%37.0.0.1',
    '１２７.0.0.1',
    '127.0.0.1.',
    '[::1]',
    '[::]',
    '[::127.0.0.1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:7f00:0001]',
    '[64:ff9b::127.0.0.1]',
    '[2002:7f00:1::]',
    'localhost',
  ])('cannot be reached by a webhook with the host %s', async (host) => {
    const from = sender();
    expect(await send(from, `https://${host}:${inner.secure.port}/`)).toMatchObject({error: 'blocked'});
    expect(await send(from, `http://${host}:${inner.plain.port}/`)).toMatchObject({error: 'blocked'});
    expect(innerConnections()).toBe(0);
  });

  test.each([
    ['loopback', ['127.0.0.1']],
    ['IPv6 loopback', ['::1']],
    ['mapped loopback', ['::ffff:127.0.0.1']],
    ['a public and an inner address', ['93.184.216.34', '127.0.0.1']],
    ['an inner and a public address', ['127.0.0.1', '93.184.216.34']],
    ['a public IPv4 and an inner IPv6 address', ['93.184.216.34', '::1']],
    ['metadata', ['169.254.169.254']],
  ])('cannot be reached by a webhook with a name that resolves to %s', async (_, addresses) => {
    const from = sender({resolve: answering(...addresses)});
    const result = await send(from, `https://hooks.example.test:${inner.secure.port}/`);
    expect(result).toMatchObject({error: 'blocked'});
    expect(result.connectMs).toBeUndefined();
    expect(innerConnections()).toBe(0);
  });

  test('cannot be reached by a name that resolves to it later, since each new connection resolves and checks the name', async () => {
    const outer = await startReceiver({tls: testCertificate});
    closing.push(() => outer.close());
    // 127.0.0.1 acts as the public address, and is the only allowed one.
    const answers = ['127.0.0.1', '10.0.0.1', '127.0.0.1'];
    let asked = 0;
    const resolve: Resolve = async () => [toAnswer(answers[asked++] ?? '10.0.0.1')];
    const from = sender({allowNetworks: ['127.0.0.1/32'], resolve});
    outer.respondWith({status: 204, headers: {connection: 'close'}});
    const url = `https://hooks.example.test:${outer.port}/`;
    expect(await send(from, url)).toMatchObject({status: 204});
    expect(await send(from, url)).toMatchObject({error: 'blocked'});
    expect(await send(from, url)).toMatchObject({status: 204});
    expect([asked, outer.connections()]).toEqual([3, 2]);
  });

  test('cannot be reached by a second DNS answer before the connection, since the checked address is used', async () => {
    let asked = 0;
    const resolve: Resolve = async () => {
      asked += 1;
      return [toAnswer(asked === 1 ? '127.0.0.1' : '127.0.0.9')];
    };
    const from = sender({allowNetworks: ['127.0.0.1/32'], resolve});
    expect(await send(from, `https://hooks.example.test:${inner.secure.port}/`)).toMatchObject({status: 204});
    expect([asked, inner.secure.connections()]).toEqual([1, 1]);
  });

  test.each(['http://169.254.169.254/latest/meta-data/', 'inner'])(
    'cannot be reached by a redirect to %s',
    async (location) => {
      const outer = await startReceiver();
      closing.push(() => outer.close());
      outer.respondWith({
        status: 307,
        headers: {location: location === 'inner' ? inner.plain.url : location},
      });
      const result = await send(sender({allowNetworks: ['127.0.0.0/8']}), outer.url);
      expect(result).toMatchObject({status: 307});
      expect([innerConnections(), outer.received.length]).toEqual([0, 1]);
    },
  );

  test('cannot be reached over plain http through a public name, even if another network is open for http', async () => {
    const from = sender({allowNetworks: ['10.0.0.0/8'], resolve: answering('93.184.216.34')});
    expect(await send(from, 'http://hooks.example.test/')).toMatchObject({error: 'blocked'});
  });

  test('cannot be reached at a port that is not for web servers', async () => {
    const from = sender({allowNetworks: ['127.0.0.0/8']});
    expect(await send(from, 'http://127.0.0.1:22/')).toMatchObject({error: 'blocked'});
  });

  test('cannot be reached by using the connector directly, since the connector checks each address', async () => {
    const connect = createConnector({
      policy: createAddressPolicy({allowNetworks: []}),
      resolve: answering('93.184.216.34'),
      timeoutMs: 1000,
    });
    for (const [protocol, receiver] of [
      ['http:', inner.plain],
      ['https:', inner.secure],
    ] as const) {
      const error = await new Promise<Error | null>((resolve) => {
        connect({hostname: '127.0.0.1', protocol, port: String(receiver.port)}, (...[failed]) =>
          resolve(failed),
        );
      });
      expect(error).toMatchObject({code: 'BLOCKED_TARGET'});
    }
    expect(innerConnections()).toBe(0);
  });
});

describe('the address of a webhook', () => {
  test('can be reached in an opened network, by IP address and by name, over http and https', async () => {
    const from = sender({allowNetworks: ['127.0.0.0/8'], resolve: answering('127.0.0.1')});
    const urls = [
      inner.plain.url,
      inner.secure.url,
      `http://hooks.example.test:${inner.plain.port}`,
      `https://hooks.example.test:${inner.secure.port}`,
    ];
    for (const url of urls) expect(await send(from, url)).toMatchObject({status: 204});
    expect(innerConnections()).toBe(4);
  });

  test('can be reached as localhost, resolved by the system, if loopback is opened', async () => {
    const from = sender({allowNetworks: ['127.0.0.0/8', '::1/128']});
    expect(await send(from, `http://localhost:${inner.plain.port}`)).toMatchObject({status: 204});
  });

  test('causes the error `dns` if the name has no IP address or the resolver fails', async () => {
    const failing: Resolve = async () => {
      throw Object.assign(new Error('queryA ENOTFOUND'), {code: 'ENOTFOUND'});
    };
    expect(await send(sender({resolve: failing}), 'https://nowhere.example.test/')).toMatchObject({
      error: 'dns',
    });
    expect(await send(sender({resolve: answering()}), 'https://nowhere.example.test/')).toMatchObject({
      error: 'dns',
    });
  });

  test('causes a timeout at the deadline if the name is never resolved', async () => {
    const from = sender({resolve: () => new Promise(() => {})});
    expect(await send(from, 'https://slow.example.test/')).toMatchObject({error: 'timeout'});
  });
});

import {type Server, createServer} from 'node:http';
import type {LookupAddress} from 'node:dns';
import type {AddressInfo} from 'node:net';
import {networkInterfaces} from 'node:os';
import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {type Receiver, startReceiver} from '../../support/receiver.js';
import {startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {until} from '../../support/until.js';

// SSRF through the whole service: each webhook is created through the API and gets a test event. `inner` must
// not be reached: it listens on loopback, which is forbidden. Only 127.0.0.2 is allowed and acts as the
// internet; redirects come from there. `PRINT_SSRF=1 npm test -- test/api/webhooks/ssrf.test.ts` prints the
// result of each target as a table.

let service: TestService;
let workspace: TestWorkspace;
let inner: Inner;
let outer: Receiver;
const names = new Map<string, () => string[]>();

interface Inner {
  readonly port: number;
  connections: number;
  requests: number;
  close(): Promise<unknown>;
}

beforeAll(async () => {
  inner = await startInner();
  // On the same port, so that only the address differs.
  outer = await startReceiver({host: '127.0.0.2', port: inner.port});
  service = await startService({
    env: {
      WEBHOOK_ALLOW_NETWORKS: '127.0.0.2/32',
      PUBLIC_URL: 'https://standup.example.test',
    },
    resolve: async (hostname) => {
      const answers = names.get(hostname)?.() ?? [];
      return answers.map((address): LookupAddress => ({address, family: address.includes(':') ? 6 : 4}));
    },
  });
  workspace = await service.addWorkspace();
});

afterAll(async () => {
  await service.close();
  await outer.close();
  await inner.close();
  if (process.env['PRINT_SSRF'] !== undefined) process.stdout.write(`\n${table().join('\n')}\n\n`);
});

/** One server on both loopbacks with one port, which counts connections and requests. */
async function startInner(): Promise<Inner> {
  const counts = {connections: 0, requests: 0};
  const listen = (host: string, port: number): Promise<Server> =>
    new Promise((resolve, reject) => {
      const server = createServer((_, response) => {
        counts.requests += 1;
        response.end('secret');
      });
      server.on('connection', () => {
        counts.connections += 1;
      });
      server.on('clientError', (_, socket) => socket.destroy());
      server.once('error', reject);
      server.listen(port, host, () => resolve(server));
    });
  const four = await listen('127.0.0.1', 0);
  const {port} = four.address() as AddressInfo;
  const hasSix = ownAddresses().includes('::1');
  const servers = hasSix ? [four, await listen('::1', port)] : [four];
  return Object.assign(counts, {
    port,
    close: () =>
      Promise.all(
        servers.map((server) => {
          server.closeAllConnections();
          return new Promise((resolve) => server.close(resolve));
        }),
      ),
  });
}

function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((entries) => (entries ?? []).map(({address}) => address));
}

type Stop = 'creation' | 'connection' | 'redirect not followed' | 'after one hop (508)' | 'nowhere';

/** The step at which a target was stopped. `nowhere`: an answer counted as a delivery. */
async function stopOf(url: string, deliveries: number): Promise<Stop> {
  const made = await workspace.request('POST', '/v1/webhooks', {body: {url, events: ['webhook.test']}});
  if (made.status === 422) {
    expect(made.body.code).toBe('webhook_url_forbidden');
    return 'creation';
  }
  expect(made.status).toBe(201);
  const path = `/v1/webhooks/${made.body.id}`;
  try {
    let stop: Stop = 'nowhere';
    for (let n = 0; n < deliveries; n += 1) stop = await stopOfTest(path);
    return stop;
  } finally {
    await workspace.request('DELETE', path);
  }
}

async function stopOfTest(webhook: string): Promise<Stop> {
  const {body: delivery} = await workspace.request('POST', `${webhook}/test`);
  const attempt = await until(async () => {
    const {body} = await workspace.request('GET', `/v1/deliveries/${delivery.id}/attempts`);
    return body.data[0];
  });
  if (attempt.error === 'connection_failed') return 'connection';
  if (attempt.status === 508) return 'after one hop (508)';
  return attempt.status >= 300 && attempt.status < 400 ? 'redirect not followed' : 'nowhere';
}

const seen: {what: string; target: string; stop: Stop; connections: number; requests: number}[] = [];

function table(): string[] {
  const rows = seen.map(({what, target, stop, connections, requests}) => {
    const shown = target.replaceAll('|', '\\|').replaceAll('\r\n', '\\r\\n');
    return `| ${what} | \`${shown}\` | ${stop} | ${connections} | ${requests} |`;
  });
  return [
    '| what | target | stopped at | inner: connections | requests |',
    '|---|---|---|---|---|',
    ...new Set(rows),
  ];
}

/** Checks that a target was stopped at this step, before any packet reached the inner server. */
async function expectStop(
  what: string,
  target: string,
  stop: Stop,
  shown = target,
  deliveries = 1,
): Promise<void> {
  const before = {connections: inner.connections, requests: inner.requests};
  const found = await stopOf(target, deliveries);
  const connections = inner.connections - before.connections;
  const requests = inner.requests - before.requests;
  seen.push({what, target: shown.replaceAll(`:${inner.port}`, ':PORT'), stop: found, connections, requests});
  expect({target, stop: found, connections, requests}).toEqual({target, stop, connections: 0, requests: 0});
}

/** `PORT` is the port of the inner server. */
function at(target: string): string {
  return target.replaceAll('PORT', String(inner.port));
}

describe('the creation of a webhook to an inner address', () => {
  it.each([
    ['loopback', 'http://127.0.0.1:PORT/'],
    ['loopback', 'https://127.0.0.1:PORT/'],
    ['its far end', 'https://127.255.255.254:PORT/'],
    ['short', 'https://127.1:PORT/'],
    ['three parts', 'https://127.0.1:PORT/'],
    ['decimal', 'http://2130706433:PORT/'],
    ['hexadecimal', 'http://0x7f000001:PORT/'],
    ['hexadecimal parts', 'http://0x7f.0x0.0x0.0x1:PORT/'],
    ['octal', 'http://017700000001:PORT/'],
    ['octal parts', 'http://0177.0.0.01:PORT/'],
    ['mixed parts', 'http://0177.0x0.1:PORT/'],
    ['leading zeros', 'http://127.000.000.001:PORT/'],
    ['final dot', 'http://127.0.0.1.:PORT/'],
    ['percent-encoded', 'http://%31%32%37.0.0.1:PORT/'],
    ['full-width digits', 'http://１２７.0.0.1:PORT/'],
    ['ideographic full stops', 'http://127。0。0。1:PORT/'],
    ['circled digits', 'http://①②⑦.⓪.⓪.①:PORT/'],
    ['unspecified', 'http://0.0.0.0:PORT/'],
    ['unspecified, short', 'http://0:PORT/'],
    ['this network', 'http://0.1.2.3:PORT/'],
    ['IPv6 loopback', 'http://[::1]:PORT/'],
    ['IPv6 loopback', 'https://[0000:0000:0000:0000:0000:0000:0000:0001]:PORT/'],
    ['IPv6 unspecified', 'http://[::]:PORT/'],
    ['mapped', 'http://[::ffff:127.0.0.1]:PORT/'],
    ['mapped, hexadecimal', 'http://[::ffff:7f00:1]:PORT/'],
    ['mapped, written out', 'http://[0:0:0:0:0:ffff:7f00:0001]:PORT/'],
    ['compatible', 'http://[::127.0.0.1]:PORT/'],
    ['translated', 'http://[::ffff:0:127.0.0.1]:PORT/'],
    ['NAT64', 'http://[64:ff9b::127.0.0.1]:PORT/'],
    ['NAT64, local use', 'http://[64:ff9b:1::7f00:1]:PORT/'],
    ['6to4', 'http://[2002:7f00:1::]:PORT/'],
    ['Teredo', 'http://[2001:0:7f00:1::80ff:fffe]:PORT/'],
    ['ISATAP', 'http://[2a00:1450::5efe:127.0.0.1]:PORT/'],
    ['zone id', 'http://[fe80::1%25lo]:PORT/'],
    ['link-local', 'http://[fe80::1]:PORT/'],
    ['site-local', 'http://[fec0::1]:PORT/'],
    ['unique local', 'http://[fd00::1]:PORT/'],
    ['multicast', 'http://[ff02::1]:PORT/'],
    ['private', 'https://10.0.0.1:PORT/'],
    ['private', 'https://172.16.0.1:PORT/'],
    ['private', 'https://192.168.0.1:PORT/'],
    ['carrier-grade NAT', 'https://100.64.0.1:PORT/'],
    ['benchmarking', 'https://198.18.0.1:PORT/'],
    ['broadcast', 'https://255.255.255.255:PORT/'],
    ['metadata', 'http://169.254.169.254/latest/meta-data/'],
    ['metadata, decimal', 'http://2852039166/latest/meta-data/'],
    ['metadata, mapped', 'http://[::ffff:169.254.169.254]/latest/meta-data/'],
    ['metadata, NAT64', 'http://[64:ff9b::a9fe:a9fe]/latest/meta-data/'],
    ['metadata (AWS, IPv6)', 'http://[fd00:ec2::254]/latest/meta-data/'],
    ['metadata (containers)', 'https://169.254.170.2/v2/credentials/'],
    ['metadata in a public range (Azure)', 'https://168.63.129.16/machine'],
    ['metadata (Alibaba)', 'https://100.100.100.200/latest/meta-data/'],
    ['metadata (Oracle)', 'https://192.0.0.192/latest/'],
    ['localhost', 'http://localhost:PORT/'],
    ['localhost with a final dot', 'https://LOCALHOST.:PORT/'],
    ['a name below localhost', 'https://hooks.localhost:PORT/'],
    ['a user name that looks like a host', 'https://example.com@127.0.0.1:PORT/'],
    ['a fragment that looks like a host', 'https://127.0.0.1:PORT#@example.com/'],
    ['backslashes', 'https:\\\\127.0.0.1:PORT/'],
    ['a line break', 'https://127.0.0.1:PORT/\r\nX-Injected: 1'],
    ['another scheme', 'file:///etc/passwd'],
    ['another scheme', 'gopher://127.0.0.1:PORT/_GET'],
    ['a port that is not for the web', 'https://example.com:22/'],
    ['this service', 'https://standup.example.test/v1/standups'],
  ])('is refused for %s: %s', async (what, target) => {
    await expectStop(what, at(target), 'creation');
  });

  it("is refused for an address of the machine's interfaces", async () => {
    for (const address of ownAddresses()) {
      const host = address.includes(':') ? `[${address}]` : address;
      await expectStop(
        'an own address',
        `https://${host}:${inner.port}/`,
        'creation',
        'https://(each interface)/',
      );
    }
  });
});

describe('the creation of a webhook to an inner name, with no network opened', () => {
  let shut: TestService;
  let asks: TestWorkspace;

  beforeAll(async () => {
    shut = await startService({
      env: {NODE_ENV: 'production', HOST: '127.0.0.1', PUBLIC_URL: 'https://standup.example.com'},
    });
    asks = await shut.addWorkspace();
  });

  afterAll(() => shut.close());

  it.each([
    ['a single label', 'https://intranet/'],
    ['a single label with a final dot', 'https://REDIS.:6379/'],
    ['multicast DNS', 'https://printer.local/'],
    ['metadata by its name', 'https://metadata.google.internal/'],
    ['a home network', 'https://router.home.arpa/'],
    ['a service of Kubernetes', 'https://api.default.svc/'],
    ['a service of Kubernetes, whole', 'https://kubernetes.default.svc.cluster.local./'],
    ['an office network', 'https://wiki.corp/'],
    ['an office network', 'https://files.lan/'],
  ])('is refused for %s: %s', async (what, target) => {
    const body = {url: target, events: ['webhook.test']};
    const {status, body: problem} = await asks.request('POST', '/v1/webhooks', {body});
    expect([status, problem.code]).toEqual([422, 'webhook_url_forbidden']);
    expect(JSON.stringify(problem)).toContain('public internet');
    seen.push({what, target, stop: 'creation', connections: 0, requests: 0});
  });
});

describe('a request to an inner address', () => {
  it.each<[string, string, string[]]>([
    ['a public name of loopback', 'localtest.example', ['127.0.0.1']],
    ['an address in a name', '127.0.0.1.dns.example', ['127.0.0.1']],
    ['a name of IPv6 loopback', 'six.example', ['::1']],
    ['a name of a mapped address', 'mapped.example', ['::ffff:127.0.0.1']],
    ['a name of the unspecified address', 'zero.example', ['0.0.0.0']],
    ['a name of the unspecified IPv6 address', 'zero6.example', ['::']],
    ['a name of NAT64', 'nat64.example', ['64:ff9b::7f00:1']],
    ['a name of metadata', 'metadata.google.internal', ['169.254.169.254']],
    ['a name of metadata in a public range', 'wire.example', ['168.63.129.16']],
    ['a name of a private address', 'intranet.example', ['10.0.0.1']],
    ['a public and an inner answer', 'mixed.example', ['93.184.216.34', '127.0.0.1']],
    ['an inner and a public answer', 'mixed2.example', ['127.0.0.1', '93.184.216.34']],
    ['a public IPv4 and an inner IPv6 answer', 'mixed3.example', ['93.184.216.34', '::1']],
    ['an open and a shut answer', 'mixed4.example', ['127.0.0.2', '127.0.0.1']],
  ])('is stopped before a connection is opened: %s (%s)', async (what, name, answers) => {
    names.set(name, () => answers);
    await expectStop(
      what,
      at(`https://${name}:PORT/`),
      'connection',
      `https://${name}:PORT/ → ${answers.join(', ')}`,
    );
  });

  it('is stopped for plain http to a public address', async () => {
    names.set('plain.example', () => ['93.184.216.34']);
    await expectStop(
      'plain http to the internet',
      'http://plain.example/',
      'connection',
      'http://plain.example/ → 93.184.216.34',
    );
  });

  it('is stopped for a name that was harmless when the webhook was created and at its first delivery', async () => {
    outer.respondWith({status: 204, headers: {connection: 'close'}});
    const answers = ['127.0.0.2', '127.0.0.1'];
    names.set('rebind.example', () => [answers.shift() ?? '127.0.0.1']);
    const before = outer.received.length;
    await expectStop(
      'rebinding between two deliveries',
      at('http://rebind.example:PORT/'),
      'connection',
      'http://rebind.example:PORT/ → 127.0.0.2, then 127.0.0.1',
      2,
    );
    expect(outer.received.length - before).toBe(1);
  });
});

describe('a redirect as the answer of a receiver', () => {
  const targets: readonly [string, string][] = [
    ['loopback', 'http://127.0.0.1:PORT/'],
    ['IPv6 loopback', 'http://[::1]:PORT/'],
    ['metadata', 'http://169.254.169.254/latest/meta-data/'],
  ];

  it.each(
    [300, 301, 302, 303, 305, 307, 308].flatMap((status) =>
      targets.map(([what, to]) => ({status, what, to})),
    ),
  )('is not followed: $status to $what', async ({status, what, to}) => {
    outer.respondWith({status, headers: {location: at(to)}});
    await expectStop(
      `${status} to ${what}`,
      `${outer.url}/`,
      'redirect not followed',
      `http://(open)/ → ${to}`,
    );
  });
});

describe('a webhook to this service itself', () => {
  it('ends after one hop, even if the service does not know the name as its own', async () => {
    names.set('alias.example', () => ['127.0.0.2']);
    // The server on 127.0.0.2 acts as a proxy in front of the service: it forwards everything.
    outer.respondWith(async ({method, path, headers, body}) => {
      const {host: _, 'content-length': __, connection: ___, ...rest} = headers;
      const {status} = await fetch(`${service.url}${path}`, {
        method,
        headers: rest,
        body: new Uint8Array(body),
      });
      return status;
    });
    await expectStop(
      'this service by another name',
      `http://alias.example:${outer.port}/v1/standups`,
      'after one hop (508)',
      'http://alias.example/v1/standups → 127.0.0.2',
    );
  });
});

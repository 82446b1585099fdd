import {afterEach, beforeEach, describe, expect, it} from '@jest/globals';
import {mkdir, mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import http2 from 'node:http2';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {findInPath} from '../../scripts/paths.mjs';
import {findFreePort} from '../support/free-port.js';
import {startService, type TestService, type TestWorkspace} from '../support/service.js';
import {minimalEnv, root, startProcess, type TestProcess} from '../support/service-process.js';
import {until} from '../support/until.js';
import {testCertificate} from '../webhook/certificate.js';

/** The address of a proxy, its own folder, and the port of the service behind it. */
interface ProxyOptions {
  readonly port: number;
  readonly folder: string;
  readonly upstream: number;
}

/** Starts each proxy with its file in ops/, in which only addresses and certificates are replaced. */
const proxies: Readonly<Record<string, (options: ProxyOptions) => Promise<TestProcess>>> = {
  async caddy({port, folder, upstream}) {
    const file = path.join(folder, 'Caddyfile');
    const global = `{\n  admin off\n  skip_install_trust\n  auto_https disable_redirects\n  storage file_system ${folder}\n}\n`;
    await writeFile(file, `${global}import ${path.join(root, 'ops/caddy/Caddyfile')}\n`);
    const env = {STANDUP_SITE: `https://localhost:${port}`, STANDUP_UPSTREAM: `127.0.0.1:${upstream}`};
    return startProcess('caddy', ['run', '--adapter', 'caddyfile', '--config', file], {
      env: minimalEnv({...env, HOME: folder}),
    });
  },
  async nginx({port, folder, upstream}) {
    const text = await readFile(path.join(root, 'ops/nginx/standup.conf'), 'utf8');
    const own = text
      .replace('127.0.0.1:3000', `127.0.0.1:${upstream}`)
      .replace('listen 80;', `listen 127.0.0.1:${await findFreePort()};`)
      .replace('listen 443 ', `listen 127.0.0.1:${port} `)
      .replaceAll('standup.example.com', 'localhost')
      .replaceAll('/etc/letsencrypt/live/localhost', folder);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    );
    await mkdir(path.join(folder, 'logs'));
    for (const [name, content] of Object.entries({
      'fullchain.pem': testCertificate.cert,
      'privkey.pem': testCertificate.key,
      'standup.conf': own,
      'nginx.conf': `daemon off;\npid nginx.pid;\nevents {}\nhttp {\naccess_log off;\n${temporary.join('\n')}\ninclude standup.conf;\n}\n`,
    }))
      await writeFile(path.join(folder, name), content);
    return startProcess('nginx', ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr'], {group: true});
  },
};

let service: TestService;
let workspace: TestWorkspace;
let proxy: TestProcess;
let folder: string;
let client: http2.ClientHttp2Session | undefined;
/** The networks of failed authentications, as the log shows them. */
let networks: unknown[];

async function open(name: string): Promise<void> {
  const [port, upstream] = [await findFreePort(), Number(new URL(service.url).port)];
  proxy = (await proxies[name]?.({port, folder, upstream})) as TestProcess;
  await until(
    async () => {
      client?.destroy();
      client = http2.connect(`https://localhost:${port}`, {
        rejectUnauthorized: false,
        // Another address than that from which the proxy calls the service.
        localAddress: '127.0.0.2',
        family: 4,
      } as http2.SecureClientSessionOptions);
      client.on('error', () => undefined);
      return send('/readyz').then(
        ({status}) => status === 200,
        () => false,
      );
    },
    {what: () => `${name} answers: ${proxy.stderr()}`},
  );
}

/** Sends a request, and resolves with the first part of its answer, as far as it has come. */
function send(asked: string, headers: Readonly<Record<string, string>> = {}) {
  return new Promise<{status: number; text: () => string; close: () => void}>((resolve, reject) => {
    const stream = client?.request({':path': asked, ...headers});
    if (stream === undefined) return reject(new Error('there is no connection'));
    let text = '';
    stream.setEncoding('utf8').on('data', (part: string) => (text += part));
    stream.once('error', reject);
    stream.once('response', (answer) =>
      resolve({status: Number(answer[':status']), text: () => text, close: () => stream.close()}),
    );
  });
}

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'standup-proxy-'));
  networks = [];
  const note = (fields: {readonly network?: unknown}) =>
    void (fields.network && networks.push(fields.network));
  service = await startService({
    env: {TRUST_PROXY: '1'},
    log: {debug: note, info: note, warn: note, error: note},
  });
  workspace = await service.addWorkspace();
});

afterEach(async () => {
  client?.destroy();
  await proxy?.kill();
  await service.close();
  await rm(folder, {recursive: true, force: true});
});

describe.each(Object.keys(proxies))('%s with its file in ops/', (name) => {
  const isInstalled = findInPath(name) !== undefined;

  (isInstalled ? it : it.skip)(
    `sends an event of a stream within a second, and names the address of the caller to the service${isInstalled ? '' : ' (skipped: it is not installed)'}`,
    async () => {
      await open(name);
      const authorization = `Bearer ${workspace.token}`;
      const stream = await send('/v1/events/stream', {authorization, 'accept-encoding': 'gzip, br'});
      expect(stream.status).toBe(200);
      await workspace.request('POST', '/v1/standups', {body: {team: 'platform', update: 'Through a proxy.'}});
      const postedAt = performance.now();
      await until(() => stream.text().includes('Through a proxy.'), {what: 'the event is here'});
      expect(performance.now() - postedAt).toBeLessThan(1_000);
      stream.close();

      const refused = await send('/v1/me', {authorization: 'Bearer x', 'x-forwarded-for': '203.0.113.9'});
      expect(refused.status).toBe(401);
      await until(() => networks.length > 0);
      expect(networks).toEqual(['127.0.0.2']);
    },
  );
});

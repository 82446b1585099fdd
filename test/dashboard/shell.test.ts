import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {brotliDecompressSync, gunzipSync} from 'node:zlib';
import {request} from 'node:http';
import {readFile} from 'node:fs/promises';
import path from 'node:path';
import {pathToFileURL} from 'node:url';
import {listPreloads} from '../../src/dashboard/built-app.js';
import type {DashboardContext} from '../../src/dashboard/context.js';
import {createShell} from '../../src/dashboard/shell.js';
import {sendRequest, startService, type TestService} from '../support/service.js';

let service: TestService;
let page: string;

beforeAll(async () => {
  service = await startService();
  page = (await get('/app')).text;
});

afterAll(() => service.close());

const get = (path: string, headers: Record<string, string> = {}) =>
  sendRequest(service.url, 'GET', path, {headers});

/** The raw bytes, which `fetch` would decompress. */
async function getBytes(path: string, headers: Record<string, string>) {
  return new Promise<{headers: Record<string, unknown>; content: Buffer}>((resolve, reject) => {
    // The path is sent unchanged: a URL would resolve its dots.
    request({port: new URL(service.url).port, path, headers}, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => resolve({headers: answer.headers, content: Buffer.concat(chunks)}));
    })
      .on('error', reject)
      .end();
  });
}

/** Addresses in the page with this ending, in order. */
const addresses = (ending: string) =>
  [...page.matchAll(/(?:src|href)="(\/app\/assets\/[\w.-]+)"/g)]
    .map(([, address = '']) => address)
    .filter((address) => address.endsWith(ending));

describe('the page of the app', () => {
  it('is the same at every address of the app, except for its nonce', async () => {
    const plain = (text: string) => text.replace(/nonce="[^"]+"/, '');
    for (const path of ['/app', '/app/', '/app/t/platform?date=2026-11-22', '/app/nowhere/at-all']) {
      const {status, text, headers} = await get(path);
      expect({path, status, type: headers.get('content-type')}).toEqual({
        path,
        status: 200,
        type: 'text/html; charset=utf-8',
      });
      expect(plain(text)).toBe(plain(page));
    }
  });

  it('loads the script that sends the first requests first, and names every file that the first paint needs', async () => {
    const [boot, main] = addresses('.js');
    expect(boot).toMatch(/^\/app\/assets\/boot-/);
    expect(page).toContain(`<script type="module" async src="${boot}"></script>`);
    expect(page).toContain(`<script type="module" src="${main}"></script>`);
    expect(addresses('.css')).not.toEqual([]);
    expect(addresses('.woff2')).toEqual([expect.stringContaining('inter-latin-wght-normal')]);
    expect(page).toContain('<div id="app"></div>');
    for (const address of [...addresses('.js'), ...addresses('.css'), ...addresses('.woff2')]) {
      expect(`${address} ${(await get(address)).status}`).toBe(`${address} 200`);
    }
  });

  it('names each style and script of the main file and of the first screen once', () => {
    const manifest = {
      'api/boot.ts': {file: 'assets/boot.js'},
      'main.tsx': {file: 'assets/main.js', imports: ['_a.js', '_b.js'], css: ['assets/main.css']},
      '_a.js': {file: 'assets/a.js', imports: ['_b.js', 'main.tsx']},
      '_b.js': {file: 'assets/b.js'},
      'late.tsx': {file: 'assets/late.js', css: ['assets/late.css']},
      '_board.js': {file: 'assets/board.js', css: ['assets/board.css']},
      'today/page.tsx': {
        file: 'assets/today.js',
        imports: ['main.tsx', '_board.js'],
        css: ['assets/board.css'],
      },
    };
    expect(listPreloads(manifest)).toEqual([
      '<script type="module" async src="/app/assets/boot.js"></script>',
      '<link rel="stylesheet" href="/app/assets/main.css">',
      '<link rel="stylesheet" href="/app/assets/board.css">',
      '<script type="module" src="/app/assets/main.js"></script>',
      '<link rel="modulepreload" href="/app/assets/a.js">',
      '<link rel="modulepreload" href="/app/assets/b.js">',
      '<link rel="modulepreload" href="/app/assets/today.js">',
      '<link rel="modulepreload" href="/app/assets/board.js">',
    ]);
  });

  it('has a strict Content-Security-Policy, with a new nonce each time that its styles may use', async () => {
    const nonces: string[] = [];
    for (let i = 0; i < 2; i++) {
      const {headers, text} = await get('/app');
      const policy = headers.get('content-security-policy') ?? '';
      const nonce = /'nonce-([\w+/=]{24})'/.exec(policy)?.[1] ?? '';
      expect(policy).toBe(
        `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self'; font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types standup-worker`,
      );
      expect(text).toContain(`<meta property="csp-nonce" nonce="${nonce}">`);
      expect(headers.get('cache-control')).toBe('no-store');
      nonces.push(nonce);
    }
    expect(new Set(nonces).size).toBe(2);
  });

  it('admits one script by its address: the service worker, which loads nothing and is never cached', async () => {
    const {status, headers, text} = await get('/app/worker.js');
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
    });
    // A handler of requests could answer for the service, and a cache would outlive a sign-out.
    expect(text).toContain(`addEventListener('notificationclick'`);
    expect(text).not.toMatch(/'fetch'|caches|importScripts|'push'/);
  });

  it('contains the installation’s settings for the app as plain text', () => {
    const app = {loads: [], assets: new Map()};
    const context = {publicUrl: 'http://localhost', generateNonce: () => 'n', takesCoding: () => false, app};
    const metas = {providers: '["<i>","A & \\"B\\""]'};
    const shell = createShell(context as unknown as DashboardContext, metas);
    let sent = '';
    const response = {writeHead: () => response, end: (text: string) => (sent = text)};
    shell.sendPage(response as never, false);
    expect(sent).toContain(
      '<meta name="providers" content="[&quot;&lt;i>&quot;,&quot;A &amp; \\&quot;B\\&quot;&quot;]">',
    );
  });

  it('has the security headers, as do all files of the app', async () => {
    for (const path of ['/app', ...addresses('.js'), ...addresses('.css')]) {
      const {status, headers} = await get(path);
      expect(status).toBe(200);
      expect(Object.fromEntries(headers)).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
        'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
      });
    }
  });
});

it('the address / redirects a browser to the page, and any other client to the documentation', async () => {
  const leads = async (accept: string) => {
    const {status, headers} = await get('/', {accept});
    return `${status} ${headers.get('location')} ${headers.get('vary')}`;
  };
  expect(await leads('text/html,application/xhtml+xml,*/*;q=0.8')).toBe('302 /app Accept');
  expect(await leads('*/*')).toBe('302 /docs Accept');
  expect(await leads('application/json')).toBe('302 /docs Accept');
});

describe('the files of the app', () => {
  it('are cached permanently by browsers, since their names change with their content', async () => {
    for (const ending of ['.js', '.css', '.woff2']) {
      const {headers} = await get(addresses(ending).at(-1) ?? '');
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    }
  });

  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', undefined],
    ['br;q=0.5, identity', undefined],
    ['', undefined],
  ])('are sent to a client that accepts “%s” as %s, with the same content', async (accept, coding) => {
    const main = addresses('.js').at(1) ?? '';
    const {headers, content} = await getBytes(main, {'accept-encoding': accept});
    expect(headers['content-encoding']).toBe(coding);
    expect(headers['content-length']).toBe(String(content.length));
    expect(headers['vary']).toBe('Accept-Encoding');
    const unpack = {br: brotliDecompressSync, gzip: gunzipSync, none: (same: Buffer) => same};
    const built = await readFile(path.join('dist/web', main.slice('/app/'.length)));
    expect(unpack[(coding as 'br' | 'gzip' | undefined) ?? 'none'](content).equals(built)).toBe(true);
  });

  it('answer HEAD with the headers of GET and no content', async () => {
    const main = addresses('.js').at(1) ?? '';
    const [whole, head] = await Promise.all(
      ['GET', 'HEAD'].map((method) => sendRequest(service.url, method, main)),
    );
    expect(head?.headers.get('content-length')).toBe(whole?.headers.get('content-length'));
    expect(head?.text).toBe('');
  });

  it('include neither the manifest, compressed forms, nor files outside their folder', async () => {
    const main = addresses('.js').at(1) ?? '';
    const names = [
      '',
      'no.js',
      '../.vite/manifest.json',
      '..%2f.vite%2fmanifest.json',
      '%2e%2e/.source',
      '__proto__',
    ];
    const paths = [
      '/app/assets',
      ...names.map((name) => `/app/assets/${name}`),
      `${main}.br`,
      `${main}/`,
      `${main}.map`,
    ];
    for (const path of paths) {
      const {headers, content} = await getBytes(path, {});
      expect(`${path} ${headers['content-type'] as string}`).toBe(`${path} application/problem+json`);
      expect(JSON.parse(content.toString()).status).toBe(404);
    }
    for (const path of ['/app/.vite/manifest.json', '/app/.source', '/app/main.tsx']) {
      expect((await get(path)).text).toContain('<div id="app"></div>');
    }
  });
});

describe('a service without a built app', () => {
  it('runs, shows on the page how to build the app, and redirects / to the documentation', async () => {
    const webFolder = pathToFileURL(path.resolve('dist/nowhere/'));
    const bare = await startService({webFolder: new URL(`${webFolder.href}/`)});
    try {
      const {status, text, headers} = await sendRequest(bare.url, 'GET', '/app/t/platform');
      expect(status).toBe(200);
      expect(text).toContain('npm run build');
      const [, nonce = ''] = /'nonce-([\w+/=]{24})'/.exec(headers.get('content-security-policy') ?? '') ?? [];
      expect(text).toContain(`<style nonce="${nonce}">`);
      expect(text).not.toContain('<script');
      expect((await sendRequest(bare.url, 'GET', addresses('.js')[0] ?? '')).status).toBe(404);
      const front = await sendRequest(bare.url, 'GET', '/', {headers: {accept: 'text/html'}});
      expect(front.headers.get('location')).toBe('/docs');
      expect((await sendRequest(bare.url, 'GET', '/readyz')).body.store).toBe('ok');
    } finally {
      await bare.close();
    }
  });
});

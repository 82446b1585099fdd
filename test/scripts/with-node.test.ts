import {afterEach, beforeEach, expect, it} from '@jest/globals';
import {type ChildProcess, spawn} from 'node:child_process';
import {createHash} from 'node:crypto';
import {once} from 'node:events';
import {access, copyFile, mkdir, mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {gzipSync} from 'node:zlib';

/** A checkout with the script that starts Node, and the `node` program in PATH. */
let folder: string;
let registry: Server | undefined;
const launcher = ['with-node.sh', 'bring-node.mjs', 'console.mjs', 'paths.mjs', 'node-pins.json'];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'standup-node-'));
  await mkdir(path.join(folder, 'scripts'));
  for (const name of launcher) await copyFile(`scripts/${name}`, path.join(folder, 'scripts', name));
});
afterEach(async () => {
  registry?.close();
  registry = undefined;
  await rm(folder, {recursive: true, force: true});
});

/** Installs a `node` that reports `version` and otherwise works like the Node of this test. */
async function haveNode(version: string): Promise<void> {
  const lines = [
    '#!/bin/sh',
    `[ "$1" != --version ] || { echo v${version}; exit; }`,
    `exec '${process.execPath}' "$@"`,
  ];
  await mkdir(path.join(folder, 'bin'));
  await writeFile(path.join(folder, 'bin/node'), lines.join('\n'), {mode: 0o755});
}

function start(args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
  return spawn('sh', [path.join(folder, 'scripts/with-node.sh'), ...args], {
    env: {
      PATH: `${path.join(folder, 'bin')}:${process.env['PATH']}`,
      HOME: folder,
      npm_config_cache: path.join(folder, 'npm'),
      npm_config_fetch_retries: '0',
      ...env,
    },
  });
}

async function run(args: readonly string[], env?: Readonly<Record<string, string>>) {
  const child = start(args, env);
  const said = {stdout: '', stderr: ''};
  child.stdout?.on('data', (bytes: Buffer) => void (said.stdout += bytes.toString()));
  child.stderr?.on('data', (bytes: Buffer) => void (said.stderr += bytes.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return {code, ...said};
}

/** A file of a tar archive (POSIX.1-1988). */
function tarEntry(name: string, content: string, mode: number): Buffer {
  const head = Buffer.alloc(512);
  head.write(name, 0);
  head.write(`${mode.toString(8).padStart(7, '0')}\0`, 100);
  head.write('0000000\0'.repeat(2), 108);
  head.write(`${Buffer.byteLength(content).toString(8).padStart(11, '0')}\0${'0'.repeat(11)}\0`, 124);
  head.write('        0', 148);
  head.write('ustar\x0000', 257);
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  const body = Buffer.alloc(Math.ceil(Buffer.byteLength(content) / 512) * 512);
  body.write(content);
  return Buffer.concat([head, body]);
}

/** Starts a package registry that offers the Node of this test; returns the environment that selects it. */
async function haveRegistry({
  integrity,
}: {
  readonly integrity?: string;
} = {}): Promise<Record<string, string>> {
  const name = 'node-here';
  const version = process.versions.node;
  const archive = gzipSync(
    Buffer.concat([
      tarEntry('package/package.json', JSON.stringify({name, version}), 0o644),
      tarEntry('package/bin/node', `#!/bin/sh\nexec '${process.execPath}' "$@"\n`, 0o755),
      Buffer.alloc(1024),
    ]),
  );
  const own = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
  const server = createServer((request, response) => {
    if (request.url?.endsWith('.tgz')) return void response.end(archive);
    const dist = {tarball: `${origin}/node-here.tgz`, integrity: own};
    response.setHeader('Content-Type', 'application/json');
    response.end(
      JSON.stringify({name, versions: {[version]: {name, version, dist}}, 'dist-tags': {latest: version}}),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  registry = server;
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const pins = {[`${process.platform}-${process.arch}`]: {name, version, integrity: integrity ?? own}};
  await writeFile(path.join(folder, 'scripts/node-pins.json'), JSON.stringify(pins));
  return {npm_config_registry: origin};
}

const program = () => path.join(folder, '.cache/node24/bin/node');

it('with-node.sh runs the existing Node when it is 24, and downloads none', async () => {
  await haveNode('24.9.0');
  expect(await run(['-p', '40 + 2'])).toEqual({code: 0, stdout: '42\n', stderr: ''});
  await expect(access(path.join(folder, '.cache'))).rejects.toThrow('ENOENT');
});

it.each(['18.20.4', '20.20.2', '22.23.3', '26.1.0'])(
  'with-node.sh downloads Node 24 once where Node %s is called, and says so in one line',
  async (version) => {
    await haveNode(version);
    const env = await haveRegistry();
    const first = await run(['-p', 'process.env.PATH.split(":")[0]'], env);
    expect(first).toEqual({
      code: 0,
      stdout: `${path.dirname(program())}\n`,
      stderr: expect.stringMatching(
        /^This is Node \S+; bringing Node 24\S+ into \.cache, and going on with it\.\n$/,
      ),
    });
    registry?.close();
    expect(await run(['-p', '1'], env)).toEqual({code: 0, stdout: '1\n', stderr: ''});
  },
);

it('with-node.sh works when two runs download Node 24 at the same time', async () => {
  await haveNode('20.20.2');
  const env = await haveRegistry();
  const both = await Promise.all([run(['-p', '1'], env), run(['-p', '2'], env)]);
  expect(both.map(({code, stdout}) => [code, stdout])).toEqual([
    [0, '1\n'],
    [0, '2\n'],
  ]);
});

it('with-node.sh says in one sentence what is missing when the registry is unreachable', async () => {
  await haveNode('20.20.2');
  const {code, stdout, stderr} = await run(['-p', '1'], {npm_config_registry: 'http://127.0.0.1:9'});
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr.trim().split('\n')).toEqual([
    expect.stringContaining('bringing Node'),
    expect.stringMatching(
      /^Node 24 is needed; this is Node \S+, and 24\S+ could not be had from the package registry \(ECONNREFUSED\)\. Install Node 24 \(https:\/\/nodejs\.org, or `nvm install`\), then run this again\.$/,
    ),
  ]);
});

it('with-node.sh refuses a Node of the registry whose hash differs from the pinned one', async () => {
  await haveNode('20.20.2');
  const env = await haveRegistry({integrity: `sha512-${Buffer.alloc(64).toString('base64')}`});
  const {code, stderr} = await run(['-p', '1'], env);
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('is not the one that scripts/node-pins.json names'),
  ]);
  await expect(access(program())).rejects.toThrow('ENOENT');
});

it('with-node.sh downloads nothing in production, and says which Node is needed', async () => {
  await haveNode('22.23.3');
  const env = await haveRegistry();
  expect(await run(['-p', '1'], {...env, NODE_ENV: 'production'})).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^Node 24 is needed; this is Node \S+\. Install Node 24 [^\n]+\n$/),
  });
});

it('with-node.sh passes on the exit code and the signals of Node', async () => {
  await haveNode('24.9.0');
  expect((await run(['-e', 'process.exit(7)'])).code).toBe(7);
  const child = start([
    '-e',
    'process.on("SIGTERM", () => process.exit(9)); setInterval(() => 0, 1e3); console.log("up")',
  ]);
  if (child.stdout !== null) await once(child.stdout, 'data');
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([9, null]);
});

it('every script of package.json that needs Node runs with-node.sh', async () => {
  const {scripts} = JSON.parse(await readFile('package.json', 'utf8')) as {scripts: Record<string, string>};
  const others = Object.values(scripts).filter((line) => !line.startsWith('sh scripts/with-node.sh '));
  expect(others).toEqual(['biome format --write .']);
});

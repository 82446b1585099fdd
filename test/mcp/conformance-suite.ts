import {execFile} from 'node:child_process';
import {existsSync} from 'node:fs';
import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {createServer, request as sendRequest, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {promisify} from 'node:util';
import {stringify} from 'yaml';
import {cacheFolder} from '../../scripts/paths.mjs';

const execute = promisify(execFile);

export const suiteVersion = '0.2.0-alpha.12';

/** The suite weighs 52 MB, so it is installed into the cache, and is no dependency. */
const folder = path.join(cacheFolder, 'mcp-conformance');
const program = path.join(
  folder,
  `node_modules/@modelcontextprotocol/conformance-${suiteVersion}/dist/index.js`,
);

/** Installs the suite, if it is not there. Returns why that is impossible; undefined after success. */
export async function installSuite(): Promise<string | undefined> {
  if (existsSync(program)) return undefined;
  await mkdir(folder, {recursive: true});
  await writeFile(path.join(folder, 'package.json'), '{"private": true}');
  const name = `@modelcontextprotocol/conformance-${suiteVersion}@npm:@modelcontextprotocol/conformance@${suiteVersion}`;
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=1'];
  try {
    await execute('npm', ['install', ...options, name], {cwd: folder});
    return undefined;
  } catch {
    return 'npm could not install it';
  }
}

/** Starts a proxy that adds an access token to each request: the suite sends none. */
export async function startTokenProxy() {
  let target = {port: 0, token: ''};
  const server: Server = createServer((request, response) => {
    const {method, url, headers} = request;
    const authorization = `Bearer ${target.token}`;
    const onward = sendRequest(
      {host: '127.0.0.1', port: target.port, method, path: url, headers: {...headers, authorization}},
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const {port} = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    leadTo: (url: string, token: string) => {
      target = {port: Number(new URL(url).port), token};
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * Runs what a revision requires. Throws with the suite's report if a scenario fails that is not expected to,
 * or one succeeds that is expected to fail. Returns the report.
 */
export async function runSuite(url: string, revision: string, expected: readonly string[]): Promise<string> {
  const at = await mkdtemp(path.join(tmpdir(), 'mcp-conformance-'));
  const baseline = path.join(at, 'baseline.yml');
  await writeFile(baseline, stringify({server: expected}));
  const args = [
    'server',
    '--url',
    url,
    '--requirements',
    revision,
    '--expected-failures',
    baseline,
    '-o',
    at,
  ];
  try {
    const {stdout} = await execute(process.execPath, [program, ...args], {cwd: at, maxBuffer: 2 ** 26});
    return stdout;
  } catch (error) {
    const {stdout, stderr} = error as {stdout: string; stderr: string};
    throw new Error(`${stdout.slice(stdout.indexOf('=== SUMMARY ==='))}\n${stderr.slice(-2_000)}`, {
      cause: error,
    });
  } finally {
    await rm(at, {recursive: true, force: true});
  }
}

/** A session of the official client of the earlier generation, which the suite brings along. */
const earlierSession = `
  import {Client} from '@modelcontextprotocol/sdk/client/index.js';
  import {StreamableHTTPClientTransport} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
  const client = new Client({name: 'earlier', version: '1'});
  await client.connect(new StreamableHTTPClientTransport(new URL(process.argv[1])));
  const {tools} = await client.listTools();
  const post = {name: 'standup_post', arguments: {team: 'platform', update: 'From an earlier client.'}};
  const [first, again] = [await client.callTool(post), await client.callTool(post)];
  const {resources} = await client.listResources();
  const refused = await client.callTool({name: 'team_today', arguments: {team: 'nowhere'}});
  console.log(JSON.stringify({
    server: client.getServerVersion().name,
    posts: tools.some(({name}) => name === 'standup_post'),
    source: first.structuredContent.source,
    once: first.structuredContent.id === again.structuredContent.id,
    resources: resources.length,
    refused: refused.isError,
  }));
  await client.close();
`;

export async function playEarlierSession(url: string): Promise<unknown> {
  const args = ['--input-type=module', '--eval', earlierSession, url];
  const {stdout} = await execute(process.execPath, args, {cwd: folder});
  return JSON.parse(stdout);
}

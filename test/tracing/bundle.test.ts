import {execFile} from 'node:child_process';
import {cpSync, mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {promisify} from 'node:util';
import {expect, it} from '@jest/globals';
import {startCollector} from '../support/collector.js';

/** The newest build's file with OpenTelemetry. A build leaves the files of the one before it for a day. */
const chunk =
  /import\((?:\/\*.*?\*\/\s*)?[`"']\.\/(tracing-[\w-]+\.js)[`"']\)/.exec(readBundle('compose.js'))?.[1] ?? '';

/** Returns the code of a file of dist/ and of all files that are loaded with it. */
function readBundle(name: string, read = new Map<string, string>()): string {
  if (!read.has(name)) {
    const code = readFileSync(path.join('dist', name), 'utf8');
    read.set(name, code);
    for (const [, other = ''] of code.matchAll(/(?:from|import)\s*[`"']\.\/([\w.-]+\.js)[`"']/g))
      readBundle(other, read);
  }
  return [...read.values()].join('\n');
}

it.each(['main.js', 'compose.js', 'cli.js', 'compose-core.js'])(
  'dist/%s loads nothing of the SDK of OpenTelemetry',
  (name) => {
    expect(chunk).not.toBe('');
    const code = readBundle(name);
    expect(code).not.toContain('BatchSpanProcessor');
    expect(code).not.toMatch(/from\s*[`"']@opentelemetry/);
    expect(readFileSync(path.join('dist', chunk), 'utf8')).toContain('BatchSpanProcessor');
  },
);

it('the SDK of OpenTelemetry runs from dist/ without packages', async () => {
  const collector = await startCollector();
  const folder = mkdtempSync(path.join(tmpdir(), 'standup-dist-'));
  try {
    for (const name of readdirSync('dist').filter((one) => one.endsWith('.js')))
      cpSync(path.join('dist', name), path.join(folder, name));
    const program = `
      const {createTracing} = await import(${JSON.stringify(path.join(folder, chunk))});
      const log = {info() {}, warn: (fields) => process.stdout.write(fields.reason)};
      const settings = {endpoint: ${JSON.stringify(collector.url)}, headers: {}, sampler: 'always_on', ratio: 1, resource: {}};
      const {tracer, close} = createTracing(settings, log);
      tracer.start('step', {kind: 'client'}).end();
      await close();
      process.exit(0);`;
    const {stdout, stderr} = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '-e', program],
      {cwd: folder},
    );
    expect({stdout, stderr}).toEqual({stdout: '', stderr: ''});
    expect(collector.spans.map((span) => span.name)).toEqual(['step']);
  } finally {
    await collector.close();
    rmSync(folder, {recursive: true, force: true});
  }
});

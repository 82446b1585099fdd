import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {readFile, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import zlib from 'node:zlib';
import {hashFiles, listFiles} from './files.mjs';
import {StopError, say} from './console.mjs';
import {ensureGenerated, listMessageFiles, listSourceFiles} from './generated.mjs';
import {root} from './paths.mjs';
import {runCommand} from './run-command.mjs';

const source = path.join(root, 'web');
const shared = path.join(root, 'packages', 'import-files', 'src');
const output = path.join(root, 'dist', 'web');
/**
 * Holds the hash of the built sources. Vite empties this folder first, so an interrupted build has no stamp.
 */
const stampFile = path.join(output, '.source');
const vite = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js');

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);
/** The quality for Brotli. Above 10, compression takes three times as long and saves only 2 % more. */
const brotliQuality = 10;

/** Builds web/ into dist/web/ unless dist/web/ is already built from exactly these files. */
export async function ensureWebBuilt() {
  if (isWebBuilt()) return;
  if (!existsSync(vite)) {
    throw new StopError(
      'The dashboard is not built and Vite is not installed: run `npm install --include=dev`.',
    );
  }
  await ensureGenerated();
  const startedAt = Date.now();
  const stamp = hashSource();
  say('Building the dashboard …');
  const code = await runCommand(
    process.execPath,
    [vite, 'build', '-c', path.join('web', 'vite.config.ts'), '--logLevel', 'warn'],
    // Sets NODE_ENV whatever the shell has, because another value would build the development version of
    // React.
    {cwd: root, env: {...process.env, NODE_ENV: 'production'}},
  );
  if (code !== 0) throw new StopError('The dashboard could not be built, see above.');
  await Promise.all(listFiles(path.join(output, 'assets')).map(compressFile));
  writeFileSync(stampFile, stamp);
  say(`The dashboard was built in ${((Date.now() - startedAt) / 1000).toFixed(1)} s.`);
}

/**
 * Builds the dashboard before the service starts. If this fails, the service starts without the dashboard.
 * Does nothing in production, where the build tools are missing.
 */
export async function ensureWebBuiltIfPossible() {
  if (!existsSync(vite)) return;
  try {
    await ensureWebBuilt();
  } catch (error) {
    if (!(error instanceof StopError)) throw error;
    say(`${error.message} The service starts all the same.`);
  }
}

export function isWebBuilt() {
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === hashSource();
}

/**
 * Returns a hash of everything the build depends on: files of web/ and those it shares, package versions and
 * compression settings.
 */
function hashSource() {
  const own = listSourceFiles(source).filter((file) => !file.startsWith(path.join(source, 'node_modules')));
  const settings = [path.join(root, 'package-lock.json'), fileURLToPath(import.meta.url)];
  return hashFiles([...own, ...listSourceFiles(shared), ...listMessageFiles(), ...settings]);
}

/** Compresses a built file, except for fonts, which are compressed already. */
async function compressFile(file) {
  if (file.endsWith('.woff2')) return;
  const content = await readFile(file);
  const params = {[zlib.constants.BROTLI_PARAM_QUALITY]: brotliQuality};
  await Promise.all([
    brotli(content, {params}).then((packed) => writeFile(`${file}.br`, packed)),
    gzip(content, {level: 9}).then((packed) => writeFile(`${file}.gz`, packed)),
  ]);
}

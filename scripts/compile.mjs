import {createHash} from 'node:crypto';
import {copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {StopError, say} from './console.mjs';
import {root} from './paths.mjs';
import {runCommand} from './run-command.mjs';

const source = path.join(root, 'src');
const output = path.join(root, 'dist');
const stampFile = path.join(output, '.source');

/** Compiles src/ into dist/ unless dist/ was built from exactly these files. */
export async function ensureBuild() {
  if (isBuilt()) return;
  const compiler = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  if (!existsSync(compiler)) {
    throw new StopError(
      'dist/ is not built from this source and the compiler is not installed: run `npm install --include=dev`.',
    );
  }
  const startedAt = Date.now();
  const hash = hashSource();
  say('Building …');
  rmSync(stampFile, {force: true});
  const code = await runCommand(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {cwd: root});
  if (code !== 0) throw new StopError('The build failed, see above.');
  copyAssets();
  removeLeftovers();
  writeFileSync(stampFile, hash);
  say(`Built in ${((Date.now() - startedAt) / 1000).toFixed(1)} s.`);
}

/** By content and not by time: a fresh clone, a switched branch and an unpacked archive all have odd times. */
export function isBuilt() {
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === hashSource();
}

function hashSource() {
  const hash = createHash('sha256');
  const settings = ['tsconfig.json', 'tsconfig.build.json'].map((name) => path.join(root, name));
  for (const file of [...settings, ...listFiles(source)]) {
    hash
      .update(`${path.relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
}

function copyAssets() {
  for (const file of listFiles(source)) {
    if (file.endsWith('.ts')) continue;
    const target = path.join(output, path.relative(source, file));
    mkdirSync(path.dirname(target), {recursive: true});
    copyFileSync(file, target);
  }
}

/** What an earlier build left of a source that is gone would still be found by an import. */
function removeLeftovers() {
  for (const file of listFiles(output)) {
    const name = path.relative(output, file).replace(/\.map$/, '');
    if (name.startsWith('.') || existsSync(path.join(source, name))) continue;
    if (!existsSync(path.join(source, name.replace(/\.js$/, '.ts')))) rmSync(file);
  }
}

function listFiles(folder) {
  return readdirSync(folder, {recursive: true, withFileTypes: true})
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

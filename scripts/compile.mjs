import {copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {StopError, say} from './console.mjs';
import {hashFiles, listFiles} from './files.mjs';
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

export function isBuilt() {
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === hashSource();
}

function hashSource() {
  const settings = ['tsconfig.json', 'tsconfig.build.json'].map((name) => path.join(root, name));
  return hashFiles([...settings, ...listFiles(source)]);
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
  for (const file of listCompiled()) {
    const name = path.relative(output, file).replace(/\.map$/, '');
    if (name.startsWith('.') || existsSync(path.join(source, name))) continue;
    if (!existsSync(path.join(source, name.replace(/\.js$/, '.ts')))) rmSync(file);
  }
}

/** But for web/, in which Vite may be at work. */
function listCompiled() {
  return readdirSync(output, {withFileTypes: true})
    .filter(({name}) => name !== 'web')
    .flatMap((entry) => {
      const place = path.join(output, entry.name);
      return entry.isDirectory() ? listFiles(place) : [place];
    });
}

import {copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {StopError, say} from './console.mjs';
import {hashFiles, listFiles} from './files.mjs';
import {ensureGenerated, listMessageFiles, listSourceFiles} from './generated.mjs';
import {cacheFolder, root} from './paths.mjs';
import {runCommand} from './run-command.mjs';

const source = path.join(root, 'src');
const stampFile = path.join(root, 'dist', '.source');
const packages = path.join(root, 'node_modules');
const compiler = path.join(packages, 'typescript', 'bin', 'tsc');
/** The folder of separately compiled files of src/, for tests and generators that import single files. */
export const modulesFolder = path.join(cacheFolder, 'modules');

/**
 * Bundles src/ and its packages into dist/ unless dist/ is already built from exactly these files. Types are
 * removed but not checked: `npm run build` and `npm run check` check them.
 */
export async function ensureBuild() {
  if (isBuilt()) return;
  if (!existsSync(path.join(packages, 'rolldown'))) {
    throw new StopError(
      'dist/ is not built from this source and the bundler is not installed: run `npm install --include=dev`.',
    );
  }
  await ensureGenerated();
  const startedAt = Date.now();
  const stamp = hashBuildInputs();
  say('Building …');
  rmSync(stampFile, {force: true});
  // Deletes a folder that earlier versions of this script wrote.
  rmSync(path.join(cacheFolder, 'compiled'), {recursive: true, force: true});
  await runTool('The build', [path.join(root, 'scripts', 'bundle.mjs')]);
  writeFileSync(stampFile, stamp);
  say(`Built in ${((Date.now() - startedAt) / 1000).toFixed(1)} s.`);
}

export function isBuilt() {
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === hashBuildInputs();
}

/** Returns a hash of the sources and of the package versions, because the bundle contains packages too. */
function hashBuildInputs() {
  const settings = ['tsconfig.json', 'package-lock.json', 'scripts/bundle.mjs', 'scripts/compile-lua.mjs'];
  const sources = [...listSourceFiles(source), ...listMessageFiles()];
  return hashFiles([...settings.map((name) => path.join(root, name)), ...sources]);
}

/** Checks the types of src/. This is fast when few files have changed since the last time. */
export async function checkTypes() {
  await ensureGenerated();
  const remembered = path.join(cacheFolder, 'types.tsbuildinfo');
  const flags = ['--noEmit', '--incremental', '--tsBuildInfoFile', remembered];
  await runTool('The check of the types', [compiler, '-p', 'tsconfig.build.json', ...flags]);
}

/**
 * Compiles src/ file by file into `modulesFolder`, unless the folder is already compiled from these files.
 */
export async function ensureModules() {
  await ensureGenerated();
  const file = path.join(modulesFolder, '.source');
  const stamp = hashFiles([path.join(root, 'tsconfig.build.json'), ...listFiles(source)]);
  if (existsSync(file) && readFileSync(file, 'utf8') === stamp) return;
  rmSync(modulesFolder, {recursive: true, force: true});
  await runTool('The build', [compiler, '-p', 'tsconfig.build.json', '--noCheck']);
  copyAssets();
  writeFileSync(file, stamp);
}

function copyAssets() {
  for (const file of listFiles(source)) {
    if (/\.(?:ts|lua)$/.test(file)) continue;
    const target = path.join(modulesFolder, path.relative(source, file));
    mkdirSync(path.dirname(target), {recursive: true});
    copyFileSync(file, target);
  }
}

async function runTool(what, args) {
  const code = await runCommand(process.execPath, args, {cwd: root});
  if (code !== 0) throw new StopError(`${what} failed, see above.`);
}

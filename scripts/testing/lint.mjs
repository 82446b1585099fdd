import {createHash} from 'node:crypto';
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {StopError} from '../console.mjs';
import {hashFiles} from '../files.mjs';
import {cacheFolder, root} from '../paths.mjs';
import {runCommand} from '../run-command.mjs';
import {findImporters, readSources} from './imports.mjs';

const folders = ['src', 'test', 'bench', 'demo', 'packages', 'scripts', 'web'];
const settings = ['.oxlintrc.json', 'package-lock.json', 'tsconfig.json', 'web/tsconfig.json'];
const resultFile = path.join(cacheFolder, 'lint.json');

/**
 * Lints the files that changed since the last successful run, and the files that import them, whose types may
 * be different now. In a new clone this means every file.
 */
export async function lint() {
  const sources = readSources(folders);
  const result = {
    settings: hashFiles(settings.map((name) => path.join(root, name))),
    files: Object.fromEntries([...sources].map(([file, text]) => [file, hashText(text)])),
  };
  const last = existsSync(resultFile) ? JSON.parse(readFileSync(resultFile, 'utf8')) : undefined;
  const chosen = chooseFilesToLint(sources, result, last);
  if (chosen.length > 0) {
    const oxlint = path.join(root, 'node_modules/oxlint/bin/oxlint');
    // Very many file names would make the command line too long, so whole folders are linted instead.
    const names = chosen.length > 300 ? folders : chosen;
    const args = [oxlint, '--type-aware', '--deny-warnings', ...names];
    const code = await runCommand(process.execPath, args, {cwd: root});
    if (code !== 0) throw new StopError(`exit code ${code}`);
  }
  mkdirSync(cacheFolder, {recursive: true});
  writeFileSync(resultFile, JSON.stringify(result));
}

/**
 * Returns the files to lint. `last`: the stored result of the last successful run of the linter, if there was
 * one.
 */
export function chooseFilesToLint(sources, result, last) {
  if (last?.settings !== result.settings) return [...sources.keys()];
  const changed = [...sources.keys()].filter((file) => last.files[file] !== result.files[file]);
  const importers = findImporters(sources);
  return [...new Set(changed.flatMap((file) => [file, ...(importers.get(file) ?? [])]))];
}

function hashText(text) {
  return createHash('sha256').update(text).digest('base64url');
}

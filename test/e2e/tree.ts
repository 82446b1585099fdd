import {execFileSync} from 'node:child_process';
import {mkdtemp, readdir, rm, symlink} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {root} from '../support/service-process.js';

/** Files that a clone does not have, or that take a test too long to copy or run. */
const leftOut = new Set(['node_modules', 'dist', 'test', 'bench', '.git', '.cache', '.data', '.env']);

/** A copy of this tree like a clone, with the installed packages; `remove` deletes it. */
export async function copyTree(): Promise<{folder: string; remove: () => Promise<void>}> {
  const folder = await mkdtemp(path.join(tmpdir(), 'standup-tree-'));
  const names = (await readdir(root)).filter((name) => !leftOut.has(name));
  copyInto(folder, names);
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  return {folder, remove: () => rm(folder, {recursive: true, force: true, maxRetries: 20, retryDelay: 50})};
}

/** Copies files and folders of this tree, in a tenth of the time of `fs.cp`. */
export function copyInto(folder: string, names: readonly string[]): void {
  execFileSync('cp', ['-R', ...names, folder], {cwd: root});
}

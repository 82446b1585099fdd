import {cp, mkdtemp, readdir, rm, symlink} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {root} from '../support/service-process.js';

/** What a clone does not have, or what would take a test too long to copy or run. */
const leftOut = new Set(['node_modules', 'dist', 'test', 'bench', '.git', '.cache', '.data', '.env']);

/** A copy of this tree as a clone would be, but with our packages; removed by `remove`. */
export async function copyTree(): Promise<{folder: string; remove: () => Promise<void>}> {
  const folder = await mkdtemp(path.join(tmpdir(), 'standup-tree-'));
  const names = (await readdir(root)).filter((name) => !leftOut.has(name));
  await Promise.all(
    names.map((name) => cp(path.join(root, name), path.join(folder, name), {recursive: true})),
  );
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  return {folder, remove: () => rm(folder, {recursive: true, force: true, maxRetries: 20, retryDelay: 50})};
}

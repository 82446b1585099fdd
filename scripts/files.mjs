import {createHash} from 'node:crypto';
import {readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {root} from './paths.mjs';

/**
 * Hashes the content of files. Modification times would mislead after a clone, a switch of branches, or an
 * unpacked archive.
 */
export function hashFiles(files) {
  const hash = createHash('sha256');
  for (const file of files) {
    hash
      .update(`${path.relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
}

/** Lists every file below a folder. */
export function listFiles(folder) {
  return readdirSync(folder, {recursive: true, withFileTypes: true})
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

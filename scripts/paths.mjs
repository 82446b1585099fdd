import {accessSync, constants} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

/** The folder of package.json. Scripts may be started from any folder. */
export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/**
 * The folder for files that can be made again: stamps, compiled benchmarks, links. It may be deleted at any
 * time.
 */
export const cacheFolder = path.join(root, '.cache');

/** Returns the path of the program `name` in PATH, or undefined. */
export function findInPath(name, env = process.env) {
  for (const folder of (env.PATH ?? '').split(path.delimiter)) {
    if (folder === '') continue;
    const file = path.join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // This folder does not contain the program, so the next one is tried.
    }
  }
  return undefined;
}

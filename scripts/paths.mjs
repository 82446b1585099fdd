import {accessSync, constants} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

/** The folder of package.json. Launchers may be called from any folder. */
export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** Files that may be deleted at any time: stamps, compiled benchmarks, links. */
export const cacheFolder = path.join(root, '.cache');

/** The path of the program `name` in PATH, or undefined. */
export function findInPath(name, env = process.env) {
  for (const folder of (env.PATH ?? '').split(path.delimiter)) {
    if (folder === '') continue;
    const file = path.join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}

import {readFileSync} from 'node:fs';
import path from 'node:path';
import {listFiles} from '../files.mjs';
import {scanSource} from '../import-scan.mjs';
import {root} from '../paths.mjs';

/** Returns a map from each code file below these folders to its text. Paths are relative, with slashes. */
export function readSources(folders = ['src', 'web', 'test']) {
  const files = folders.flatMap((folder) => listFiles(path.join(root, folder)));
  const own = files.filter((file) => /\.(?:tsx|[cm]?[jt]s)$/.test(file) && !file.includes('node_modules'));
  return new Map(
    own.map((file) => [path.relative(root, file).split(path.sep).join('/'), readFileSync(file, 'utf8')]),
  );
}

/** Returns a map from each file to the files that import it. */
export function findImporters(sources) {
  const importers = new Map();
  for (const [file, text] of sources) {
    for (const {target} of scanSource(text).imports) {
      if (target === undefined || !target.startsWith('.')) continue;
      const joined = path.posix.join(path.posix.dirname(file), target);
      const source = [joined, joined.replace(/\.js$/, '.ts')].find((name) => sources.has(name));
      if (source !== undefined) importers.set(source, [...(importers.get(source) ?? []), file]);
    }
  }
  return importers;
}

/** Lists the test files that import one of `files`, directly or through other files of test/. */
export function listTestsThatReach(files, sources) {
  const importers = findImporters(sources);
  const reached = new Set(files);
  for (const one of reached) {
    for (const importer of importers.get(one) ?? []) if (importer.startsWith('test/')) reached.add(importer);
  }
  return [...reached].filter((one) => one.endsWith('.test.ts')).sort();
}

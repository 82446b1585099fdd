import {existsSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {findLineNumber, scanSource} from './import-scan.mjs';
import {findCycles, listSources} from './layer-rules.mjs';

/** The folders of web/ that every screen may use, as in ARCHITECTURE.md. Each other folder is one feature. */
const shared = {
  api: {imports: ['texts'], types: []},
  texts: {imports: [], types: ['api']},
  parts: {imports: ['api', 'texts'], types: []},
};
const ofFeatures = ['api', 'parts', 'texts'];

/** Composition roots: files that import the features, and that no other file imports. */
const joiners = ['main.tsx', 'routes.tsx'];
/** Files of web/ that are not part of the built dashboard. */
const outside = ['vite.config.ts', 'globals.d.ts'];

/**
 * Matches code that sends requests. Only web/api may contain it, so that all requests use the typed client.
 */
const requestCode = /(?<![\w$])(?:fetch|XMLHttpRequest|EventSource|WebSocket|WebTransport|sendBeacon)\b/g;

/** Functions that a feature shares with the command for people. */
const sharedWithCommand = '../packages/import-files/src/';
/** The generated types of the API. Only `file` may import them; no further import leaves web/. */
const schema = {file: 'api/schema.ts', target: '../.cache/api-client/schema.js'};

/** Returns all violations below `folder` (a web/), in the format of checkLayers. */
export function checkWebLayers(folder) {
  const files = listSources(folder).filter((file) => !file.startsWith('node_modules/'));
  const known = new Set(files);
  const violations = [];
  const graph = new Map();
  for (const file of files) {
    if (outside.includes(file)) continue;
    const {code, imports} = scanSource(readFileSync(path.join(folder, file), 'utf8'));
    const report = (line, message) => violations.push({file, line, message});
    const targets = [];
    for (const {target, typeOnly, line} of imports) {
      if (target === undefined) report(line, 'imports a computed name, which cannot be checked');
      if (!target?.startsWith('.')) continue;
      const resolved = path.posix.join(path.posix.dirname(file), target);
      if (known.has(resolved)) targets.push({to: resolved, line});
      const isThere = known.has(resolved) || existsSync(path.join(folder, resolved));
      const message = judgeImport(file, resolved, typeOnly, isThere);
      if (message) report(line, message);
    }
    graph.set(file, targets);
    if (!file.includes('/') && !joiners.includes(file)) report(1, 'stands in no folder of web/');
    if (findLayer(file) !== 'api') {
      for (const match of code.matchAll(requestCode)) {
        report(findLineNumber(code, match.index), `uses ${match[0]}: only web/api talks to the service`);
      }
    }
  }
  return {files: files.length, violations: [...violations, ...findCycles(graph)]};
}

function judgeImport(file, target, typeOnly, isThere) {
  if (file === schema.file && target === schema.target) {
    return typeOnly ? undefined : 'may import only types of the document: use `import type`';
  }
  if (target.startsWith(sharedWithCommand)) {
    return findLayer(file) in shared ? `${findLayer(file)} must not import ${target}` : undefined;
  }
  if (target.startsWith('..')) return `imports ${target}, which stands outside web/`;
  if (!isThere) return `imports ${target}, which does not exist`;
  if (joiners.includes(file)) return undefined;
  if (joiners.includes(target)) return `imports ${target}, which joins the features and is no part`;
  const [from, to] = [findLayer(file), findLayer(target)];
  if (from === to || from === 'frame') return undefined;
  const {imports, types} = shared[from] ?? {imports: ofFeatures, types: []};
  if (imports.includes(to)) return undefined;
  if (!types.includes(to)) return `${from} must not import ${target}`;
  return typeOnly ? undefined : `${from} may import only types from ${to}: use \`import type\``;
}

function findLayer(file) {
  return file.split('/')[0];
}

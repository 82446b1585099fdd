import {spawnSync} from 'node:child_process';
import {StopError} from '../console.mjs';
import {root} from '../paths.mjs';
import {findImporters} from './imports.mjs';

/**
 * Files that import most others, or that most others import. Following their imports would select every test.
 */
const hubs =
  /^(?:src\/(?:compose[\w-]*|launch|main|serve)\.ts|src\/cli\/(?:main|run)\.ts|src\/(?:service\/services|store\/store|api\/routes|api\/app|jobs\/jobs)\.ts|src\/bot\/slack\/core\/bot\.ts|src\/domain\/core\/|test\/support\/)/;
/** Settings and scripts: a change of them may break any test. */
const settings = /^(?:scripts\/|package(?:-lock)?\.json$|tsconfig|jest\.config|web\/vite\.config)/;
const documents = /\.md$|^docs\//;

/**
 * Chooses the tests that a change may break, for `npm test -- --changed`. A test is chosen if it imports a
 * changed file directly or indirectly, but not through `hubs`, or if it has the same feature name. `all`:
 * every test must run. `sources`: the text of each file. Paths are relative, with slashes.
 */
export function chooseTests(changed, sources) {
  if (changed.some((file) => settings.test(file) || hubs.test(file))) return {all: true, tests: []};
  const importers = findImporters(sources);
  const compiled = [...sources.keys()].filter((file) => file.includes('/texts/compiled/'));
  const reached = new Set(
    changed.flatMap((file) => {
      if (file.startsWith('messages/')) return compiled;
      return file.endsWith('.lua') ? ['src/store/core/compiled/lua.ts', 'test/rules/lua.test.ts'] : file;
    }),
  );
  for (const file of reached) {
    if (hubs.test(file)) continue;
    for (const importer of importers.get(file) ?? []) reached.add(importer);
  }
  const features = new Set(changed.map(findFeature).filter((name) => name !== undefined));
  const isChosen = (file) =>
    reached.has(file) ||
    file.split('/').some((part) => features.has(part.replace(/\..*/, ''))) ||
    (changed.some((one) => documents.test(one)) && /^test\/(?:rules|e2e\/readme)/.test(file)) ||
    (changed.some((one) => one.startsWith('messages/')) &&
      /^test\/(?:rules|scripts\/messages|dashboard\/openid)/.test(file));
  const tests = [...sources.keys()].filter(
    (file) => file.endsWith('.test.ts') && !file.endsWith('.deep.test.ts'),
  );
  return {all: false, tests: tests.filter(isChosen).sort()};
}

/**
 * Returns the feature of a file: `absences` for src/service/absences/come-back.ts, `insights` for
 * web/insights/page.tsx.
 */
function findFeature(file) {
  const [, feature] = /^(?:src\/\w+|web)\/([\w-]+)\/./.exec(file) ?? [];
  return ['core', 'http', 'server', 'slack', 'parts', 'texts', 'commit'].includes(feature)
    ? undefined
    : feature;
}

/** Lists files that differ from the Git revision `ref`, and new files that are not committed. */
export function listChanged(ref = 'HEAD') {
  return [...runGit(['diff', '--name-only', ref]), ...runGit(['ls-files', '--others', '--exclude-standard'])];
}

function runGit(args) {
  const {status, stdout, stderr} = spawnSync('git', args, {cwd: root, encoding: 'utf8'});
  if (status !== 0) throw new StopError(`git ${args.join(' ')}: ${stderr.trim()}`);
  return stdout.split('\n').filter((line) => line !== '');
}

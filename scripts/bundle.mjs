import {cpSync, rmSync, statSync} from 'node:fs';
import path from 'node:path';
import {rolldown} from 'rolldown';
import {listFiles} from './files.mjs';
import {root} from './paths.mjs';

// Joins src/ and its packages into a few files of dist/: finding, reading and compiling many hundred small
// ones took most of the start-up time. compile.mjs runs this in a separate process.

const source = path.join(root, 'src');
const output = path.join(root, 'dist');
/** Files that the service reads unchanged. */
const assets = ['api/openapi/docs'];
/** Entry points: programs, threads, and parts that the tests of failures compose with more options. */
const entries = {
  main: 'main.ts',
  cli: 'cli/main.ts',
  compose: 'compose.ts',
  'compose-core': 'compose-core.ts',
  'config/config': 'config/config.ts',
  'calendar/holiday-worker': 'calendar/holiday-worker.mjs',
  'calendar/calendar-file-worker': 'calendar/calendar-file-worker.mjs',
};

/**
 * Replaces the address of a module by its own path below dist/. Modules that use their address are bundled
 * into a file directly in dist/, so that the relative path is known beforehand.
 */
const ownAddresses = {
  name: 'own-addresses',
  transform: {
    filter: {code: /import\.meta\.url/},
    handler(code, file) {
      if (!file.startsWith(source)) return undefined;
      const target = path.relative(source, file).replace(/\.ts$/, '.js');
      return {code: code.replaceAll('import.meta.url', `new URL('./${target}', import.meta.url)`), map: null};
    },
  },
};

const bundle = await rolldown({
  cwd: root,
  input: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, path.join(source, file)])),
  platform: 'node',
  tsconfig: true,
  plugins: [ownAddresses],
  onwarn: (warning) => {
    throw new Error(warning.message);
  },
});
const {output: written} = await bundle.write({
  dir: output,
  format: 'esm',
  sourcemap: true,
  sourcemapExcludeSources: true,
  // Names stay, for traces and profiles; shorter code is read and compiled sooner, and takes less memory.
  minify: {compress: true, mangle: false, codegen: true},
  entryFileNames: ({facadeModuleId}) => `[name]${path.extname(facadeModuleId).replace('ts', 'js')}`,
  chunkFileNames: '[name]-[hash].js',
});
await bundle.close();
for (const name of assets) cpSync(path.join(source, name), path.join(output, name), {recursive: true});
removeLeftovers(new Set(written.map(({fileName}) => fileName)));

/** A service that runs on an earlier build loads some of its files later: they stay for a day. */
function removeLeftovers(fresh) {
  for (const file of listFiles(output)) {
    const name = path.relative(output, file);
    if (name.startsWith('.') || ['web', ...assets].some((folder) => name.startsWith(`${folder}/`))) continue;
    if (!fresh.has(name) && Date.now() - statSync(file).mtimeMs > 24 * 3_600_000) rmSync(file);
  }
}

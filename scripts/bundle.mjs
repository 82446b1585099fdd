import {cpSync, rmSync, statSync} from 'node:fs';
import path from 'node:path';
import {rolldown} from 'rolldown';
import {listFiles} from './files.mjs';
import {root} from './paths.mjs';

// Bundles src/ and its packages into a few files in dist/, because loading many hundred small files made the
// start slow. compile.mjs runs this script in a separate process.

const source = path.join(root, 'src');
const output = path.join(root, 'dist');
/** Files that the service reads unchanged. */
const assets = ['api/openapi/docs'];
/** Files of packages that the service sends unchanged (src/api/openapi/docs.ts). With them dist/ needs no packages. */
const packageFiles = ['package.json', 'swagger-ui.css', 'swagger-ui-bundle.js'].map(
  (name) => `node_modules/swagger-ui-dist/${name}`,
);
/** The entry points of the bundle: programs, worker threads, and modules that the failure tests import. */
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
 * Replaces `import.meta.url` by the address of the bundled file. A module that uses its own address must be
 * bundled into a file directly in dist/, so that its relative path is known.
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
  // The code is minified, because shorter code loads faster. Names stay readable for stack traces and
  // profiles.
  minify: {compress: true, mangle: false, codegen: true},
  entryFileNames: ({facadeModuleId}) => `[name]${path.extname(facadeModuleId).replace('ts', 'js')}`,
  chunkFileNames: '[name]-[hash].js',
});
await bundle.close();
for (const name of assets) cpSync(path.join(source, name), path.join(output, name), {recursive: true});
for (const name of packageFiles) cpSync(path.join(root, name), path.join(output, name));
removeLeftovers(new Set(written.map(({fileName}) => fileName)));

/** Deletes files of earlier builds after a day. Until then, a running service may still load them. */
function removeLeftovers(fresh) {
  for (const file of listFiles(output)) {
    const name = path.relative(output, file);
    if (
      name.startsWith('.') ||
      ['web', 'node_modules', ...assets].some((folder) => name.startsWith(`${folder}/`))
    )
      continue;
    if (!fresh.has(name) && Date.now() - statSync(file).mtimeMs > 24 * 3_600_000) rmSync(file);
  }
}

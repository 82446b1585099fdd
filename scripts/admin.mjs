import path from 'node:path';
import {pathToFileURL} from 'node:url';
import {runLauncher} from './console.mjs';
import {root} from './paths.mjs';
import {ensureRunnable, readEnvFile} from './prepare.mjs';

/**
 * `npm run -s admin -- …`: runs the command-line tool, after installing and building what is missing. Only
 * the tool itself writes to stdout.
 */
await runLauncher(async () => {
  readEnvFile();
  await ensureRunnable();
  const main = path.join(root, 'dist', 'cli.js');
  process.argv[1] = main;
  await import(pathToFileURL(main).href);
});

import path from 'node:path';
import {pathToFileURL} from 'node:url';
import {runLauncher} from './console.mjs';
import {root} from './paths.mjs';
import {ensureRunnable, readEnvFile} from './prepare.mjs';

/** `npm run -s standup -- …`: the command, after installing and building what is missing. stdout is the command's alone. */
await runLauncher(async () => {
  readEnvFile();
  await ensureRunnable();
  const main = path.join(root, 'dist', 'cli.js');
  process.argv[1] = main;
  await import(pathToFileURL(main).href);
});

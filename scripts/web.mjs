import path from 'node:path';
import {runLauncher} from './console.mjs';
import {ensurePackages} from './packages.mjs';
import {root} from './paths.mjs';
import {runCommand} from './run-command.mjs';

/** `npm run web`: Vite's server for whoever changes web/. The service at STANDUP_URL answers all the rest. */
await runLauncher(async () => {
  await ensurePackages();
  const vite = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const args = [vite, '-c', path.join('web', 'vite.config.ts'), ...process.argv.slice(2)];
  process.exitCode = await runCommand(process.execPath, args, {cwd: root});
});

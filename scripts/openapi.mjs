import {readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {pathToFileURL} from 'node:url';
import {ensureModules, modulesFolder} from './compile.mjs';
import {runLauncher, say} from './console.mjs';
import {ensurePackages} from './packages.mjs';
import {root} from './paths.mjs';

/** `npm run openapi`: writes docs/openapi.json, with a placeholder for the address of an installation. */
await runLauncher(async () => {
  await ensurePackages();
  await ensureModules();
  const load = (file) => import(pathToFileURL(path.join(modulesFolder, 'api', file)).href);
  const {createCommittedOpenApi} = await load('openapi/openapi.js');
  const {createRoutes} = await load('routes.js');
  const {version} = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const file = path.join('docs', 'openapi.json');
  writeFileSync(path.join(root, file), createCommittedOpenApi(createRoutes({}), version));
  say(`Written: ${file}`);
});

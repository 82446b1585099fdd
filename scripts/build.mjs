import {checkTypes, ensureBuild} from './compile.mjs';
import {ensureWebBuilt} from './compile-web.mjs';
import {runLauncher} from './console.mjs';
import {ensurePackages} from './packages.mjs';

await runLauncher(async () => {
  await ensurePackages();
  await Promise.all([ensureBuild(), ensureWebBuilt(), checkTypes()]);
});

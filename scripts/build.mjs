import {ensureBuild} from './compile.mjs';
import {runLauncher} from './console.mjs';
import {ensurePackages} from './packages.mjs';

await runLauncher(async () => {
  await ensurePackages();
  await ensureBuild();
});

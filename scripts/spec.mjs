import {mkdirSync, readFileSync, rmSync} from 'node:fs';
import path from 'node:path';
import {ensureBuild, ensureModules} from './compile.mjs';
import {runLauncher} from './console.mjs';
import {ensurePackages} from './packages.mjs';
import {cacheFolder, root} from './paths.mjs';
import {runCommand} from './run-command.mjs';

/**
 * `npm run spec`: prints the titles of all tests as a tree, without running a test. Arguments choose files.
 */
await runLauncher(async () => {
  await ensurePackages();
  await Promise.all([ensureBuild(), ensureModules()]);
  mkdirSync(cacheFolder, {recursive: true});
  const report = path.join(cacheFolder, `spec-${process.pid}.json`);
  const jest = path.join(root, 'node_modules/jest/bin/jest.js');
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  // A pattern that matches no title, so that no test runs.
  const none = ['--testNamePattern', '(?!)', '--silent'];
  await runCommand(
    process.execPath,
    [...flags, jest, '--json', `--outputFile=${report}`, ...none, ...process.argv.slice(2)],
    {cwd: root},
  );
  const {testResults} = JSON.parse(readFileSync(report, 'utf8'));
  rmSync(report);
  for (const {name, assertionResults} of testResults.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    say(0, path.relative(path.join(root, 'test'), name).replace(/\.test\.ts$/, ''));
    let before = [];
    for (const {ancestorTitles, title} of assertionResults) {
      const shared = ancestorTitles.findIndex((one, i) => one !== before[i]);
      const from = shared === -1 ? ancestorTitles.length : shared;
      for (const [i, one] of ancestorTitles.entries()) if (i >= from) say(i + 1, one);
      say(ancestorTitles.length + 1, `- ${title}`);
      before = ancestorTitles;
    }
  }
});

function say(depth, text) {
  process.stdout.write(`${'  '.repeat(depth)}${text}\n`);
}

import path from 'node:path';
import {StopError} from '../console.mjs';
import {cacheFolder, root} from '../paths.mjs';
import {runCommand} from '../run-command.mjs';
import {lint} from './lint.mjs';
import {countStep} from './total.mjs';

const nodeModules = path.join(root, 'node_modules');
const compiler = path.join(nodeModules, 'typescript/bin/tsc');

/** The checks that need no running service. The compiler and the linter only check changed files again. */
const steps = [
  [
    'format',
    () => run(path.join(nodeModules, '@biomejs/biome/bin/biome'), 'format', '--error-on-warnings', '.'),
  ],
  ['lint', lint],
  // Packages may only be installed after this file is loaded.
  ['lua', async () => (await import('./lint-lua.mjs')).checkLua()],
  ['types', () => checkTypes('tsconfig.json', 'types-of-all')],
  ['types of web', () => checkTypes('web', 'types-of-web')],
  ['layers', () => run(path.join(root, 'scripts/check-layers.mjs'))],
];

export async function runStaticSteps(total) {
  for (const [name, check] of steps) await countStep(total, name, check);
}

function checkTypes(project, name) {
  const remembered = path.join(cacheFolder, `${name}.tsbuildinfo`);
  return run(compiler, '-p', project, '--incremental', '--tsBuildInfoFile', remembered);
}

async function run(program, ...args) {
  const code = await runCommand(process.execPath, [program, ...args], {cwd: root});
  if (code !== 0) throw new StopError(`exit code ${code}`);
}

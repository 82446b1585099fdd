import path from 'node:path';
import {StopError} from '../console.mjs';
import {root} from '../paths.mjs';
import {runCommand} from '../run-command.mjs';
import {countStep} from './total.mjs';

const nodeModules = path.join(root, 'node_modules');

/** Steps without a running service: name, program, arguments. */
const steps = [
  ['format', path.join(nodeModules, '@biomejs/biome/bin/biome'), ['format', '--error-on-warnings', '.']],
  [
    'lint',
    path.join(nodeModules, 'oxlint/bin/oxlint'),
    ['--type-aware', '--deny-warnings', 'src', 'test', 'bench', 'demo', 'scripts', 'tools', 'web'],
  ],
  ['types', path.join(nodeModules, 'typescript/bin/tsc'), ['-p', 'tsconfig.json']],
  ['types of web', path.join(nodeModules, 'typescript/bin/tsc'), ['-p', 'web']],
  ['layers', path.join(root, 'scripts/check-layers.mjs'), []],
];

export async function runStaticSteps(total) {
  for (const [name, program, args] of steps) {
    await countStep(total, name, async () => {
      const code = await runCommand(process.execPath, [program, ...args], {cwd: root});
      if (code !== 0) throw new StopError(`exit code ${code}`);
    });
  }
}

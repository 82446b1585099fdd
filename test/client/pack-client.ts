import {execFile} from 'node:child_process';
import path from 'node:path';
import {promisify} from 'node:util';
import {root} from '../../scripts/paths.mjs';

const run = promisify(execFile);

/**
 * Builds the client, and packs it and its dependencies into a folder. Returns their files, which npm installs
 * without a registry.
 */
export async function packClient(folder: string): Promise<string[]> {
  await run(process.execPath, ['scripts/clients.mjs', 'ts'], {cwd: root});
  const modules = path.join(root, 'node_modules');
  const packages = [
    path.join(root, '.cache/client-ts'),
    path.join(modules, 'openapi-fetch'),
    path.join(modules, 'openapi-typescript-helpers'),
  ];
  const options = ['--json', '--ignore-scripts', '--pack-destination', folder];
  const {stdout} = await run('npm', ['pack', ...options, ...packages], {cwd: folder});
  const packed = JSON.parse(stdout) as {filename: string}[];
  return packed.map(({filename}) => path.join(folder, filename));
}

import {execFile} from 'node:child_process';
import {mkdtemp, readFile, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {promisify} from 'node:util';
import {expect, it} from '@jest/globals';
import {startService} from '../support/service.js';

const run = promisify(execFile);

it('regression: the typed client packed by npm works outside of this repository', async () => {
  await run('node', ['scripts/pack-client.mjs']);
  const folder = path.resolve('.cache/api-client/package');
  const packed = await mkdtemp(path.join(tmpdir(), 'standup-client-'));
  try {
    const {stdout} = await run('npm', ['pack', folder, '--json', '--pack-destination', packed]);
    const [{files}] = JSON.parse(stdout) as [{files: {path: string}[]}];
    const names = files.map((file) => file.path).toSorted();
    expect(names).toEqual(['LICENSE', 'client.d.ts', 'client.js', 'package.json', 'schema.d.ts']);
  } finally {
    await rm(packed, {recursive: true});
  }
  for (const name of ['client.js', 'client.d.ts']) {
    expect(await readFile(path.join(folder, name), 'utf8')).not.toContain('.cache');
  }
  const service = await startService();
  try {
    const {token} = await service.addWorkspace();
    const script = `import {createApiClient} from ${JSON.stringify(`${folder}/client.js`)};
      const {data} = await createApiClient(${JSON.stringify({url: service.url, token})}).GET('/v1/teams');
      console.log(data.data[0].slug);`;
    const answered = await run('node', ['--input-type=module', '-e', script]);
    expect(answered.stdout.trim()).toBe('platform');
  } finally {
    await service.close();
  }
});

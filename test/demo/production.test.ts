import {expect, it} from '@jest/globals';
import {execFile} from 'node:child_process';
import path from 'node:path';
import {promisify} from 'node:util';

it('the demonstration refuses to start in production', async () => {
  const script = path.resolve('scripts/demo.mjs');
  const env = {...process.env, NODE_ENV: 'production'};
  const run = promisify(execFile)(process.execPath, [script], {env, timeout: 20_000});
  await expect(run).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The demonstration does not run in production.'),
  });
});

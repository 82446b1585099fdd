import {expect, it} from '@jest/globals';
import {spawn, spawnSync} from 'node:child_process';
import path from 'node:path';
import {testRedisUrl} from '../support/redis-server.js';
import {testSecretKey} from '../store/open-test-store.js';

it.each([[['jobs']], [['--help']]])(
  'regression: standup-admin %j ends quietly when its output is closed',
  async (args) => {
    const command = spawn(process.execPath, [path.resolve('dist/cli.js'), ...args], {
      env: {PATH: process.env['PATH'], SECRET_KEY: testSecretKey, REDIS_URL: await testRedisUrl()},
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    command.stdout.destroy();
    let said = '';
    command.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const code = await new Promise((resolve) => command.once('close', resolve));
    expect({code, said}).toEqual({code: 0, said: ''});
  },
);

it('the earlier script name answers with the new one, and runs nothing', () => {
  const args = ['scripts/renamed-standup.mjs', 'workspace', 'list'];
  const {status, stdout, stderr} = spawnSync(process.execPath, args, {encoding: 'utf8'});
  expect({status, stdout, stderr}).toEqual({
    status: 2,
    stdout: '',
    stderr: 'The command of the operator is now standup-admin: npm run -s admin -- workspace list\n',
  });
});

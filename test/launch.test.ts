import {execFileSync} from 'node:child_process';
import path from 'node:path';
import {expect, it} from '@jest/globals';

it('regression: a stack trace can be captured for any thrown value, even one without a prototype', () => {
  const source = `
    import {launchProgram} from ${JSON.stringify(path.resolve('.cache/modules/launch.js'))};
    await launchProgram(async () => undefined);
    const bare = Object.create(null);
    const odd = Object.assign(new TypeError('a bug'), {toString() { throw new Error('another'); }});
    const traces = [bare, odd].map((thrown) => {
      Error.captureStackTrace(thrown);
      return thrown.stack.split('\\n')[0];
    });
    console.log(JSON.stringify(traces));`;
  const written = execFileSync(process.execPath, ['--input-type=module', '-e', source], {
    encoding: 'utf8',
    env: {...process.env, NODE_DISABLE_COMPILE_CACHE: '1'},
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  expect(JSON.parse(written)).toEqual(['Error', 'TypeError: a bug']);
});

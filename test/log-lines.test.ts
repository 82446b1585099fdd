import {execFileSync} from 'node:child_process';
import path from 'node:path';
import {expect, it} from '@jest/globals';

/** Runs a program that has `log` and `closings`, and returns the messages that it has logged. */
function messagesOf(program: string): string[] {
  const built = path.resolve('dist/compose-core.js');
  const source = `
    import {createClosings, createLog} from ${JSON.stringify(built)};
    const closings = createClosings();
    const log = createLog('info', closings);
    ${program}`;
  const written = execFileSync(process.execPath, ['--input-type=module', '-e', source], {
    encoding: 'utf8',
    maxBuffer: 10_000_000,
  });
  return written
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as {msg: string}).msg);
}

it('lines come in their order, whatever level they have', () => {
  const program = `
    log.info({}, 'first');
    log.warn({said: '"'}, 'second');
    log.info({said: 'three'}, 'third');
    log.error({}, 'fourth', new Error('a bug'));
    log.info({}, 'fifth');
    await closings.run();
    log.info({}, 'sixth');`;
  expect(messagesOf(program)).toEqual(['first', 'second', 'third', 'fourth', 'fifth', 'sixth']);
});

it('no line is lost where a process ends itself', () => {
  const messages = messagesOf(
    `for (let i = 0; i < 5_000; i += 1) log.info({padding: 'x'.repeat(40)}, String(i)); process.exit(0);`,
  );
  expect(messages).toEqual(Array.from({length: 5_000}, (_, i) => String(i)));
});

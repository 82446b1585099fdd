import {execFileSync} from 'node:child_process';
import path from 'node:path';
import {expect, it} from '@jest/globals';

/** Runs a program that has `log` and `closings`, and returns its log lines. */
function linesOf(program: string, format: 'json' | 'lines' = 'json'): string[] {
  const built = path.resolve('dist/compose-core.js');
  const source = `
    import {createShutdownList, createLog} from ${JSON.stringify(built)};
    const closings = createShutdownList();
    const log = createLog({logLevel: 'info', logFormat: '${format}'}, closings);
    ${program}`;
  const written = execFileSync(process.execPath, ['--input-type=module', '-e', source], {
    encoding: 'utf8',
    maxBuffer: 10_000_000,
  });
  return written.trimEnd().split('\n');
}

const messagesOf = (program: string): string[] =>
  linesOf(program).map((line) => (JSON.parse(line) as {msg: string}).msg);

it('log lines of all levels are written in order', () => {
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

it('log lines appear by themselves within a moment, also after a pause without lines', () => {
  const program = `
    const wait = (ms) => new Promise((done) => setTimeout(done, ms));
    log.info({}, 'first');
    log.warn({}, 'second');
    await wait(2_600);
    log.info({}, 'third');
    await wait(400);
    process.reallyExit(0);`;
  // The process ends without a flush, so each line was written by its timer.
  expect(messagesOf(program)).toEqual(['first', 'second', 'third']);
});

it('no log line is lost when a process ends itself', () => {
  const messages = messagesOf(
    `for (let i = 0; i < 5_000; i += 1) log.info({padding: 'x'.repeat(40)}, String(i)); process.exit(0);`,
  );
  expect(messages).toEqual(Array.from({length: 5_000}, (_, i) => String(i)));
});

it('the terminal format shows a request in one short line, and other entries with level, message and values', () => {
  const program = `
    log.debug({}, 'not at this level');
    log.info({request_id: 'req_1', operation: 'createStandup', method: 'POST', status: 201, code: undefined, ms: 3.62}, 'request');
    log.info({operation: 'createStandup', method: 'POST', status: 422, code: 'validation_failed', ms: 0.4}, 'request');
    log.info({version: '0.1.0'}, 'started');
    log.warn({secret: 'whsec_c2VjcmV0', none: undefined}, 'no good');
    log.error({}, 'fourth', new TypeError('a bug', {cause: new Error('its cause')}));`;
  const lines = linesOf(program, 'lines');
  expect(lines.map((line) => line.replace(/^\d\d:\d\d:\d\d/, '09:12:03'))).toEqual([
    '09:12:03 POST createStandup 201 4 ms',
    '09:12:03 POST createStandup 422 validation_failed 0 ms',
    '09:12:03 started version=0.1.0',
    '09:12:03 warn no good secret=<webhook-secret>',
    '09:12:03 error fourth',
    '  TypeError: a bug',
    expect.stringMatching(/^ +at /),
    ...lines.slice(7, -1),
    '  caused by Error: its cause',
  ]);
});

import {existsSync, mkdirSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {afterEach, beforeEach, expect, it} from '@jest/globals';
import {createMachine, type Machine} from './machine.js';

const url = 'http://127.0.0.1:9';
let machine: Machine;

beforeEach(() => {
  machine = createMachine();
});
afterEach(() => machine.remove());

function keep(name: string, text: string): string {
  mkdirSync(machine.state, {recursive: true, mode: 0o700});
  const file = path.join(machine.state, name);
  writeFileSync(file, text, {mode: 0o600});
  return file;
}

const kept = {
  ref: 'ref-1',
  url,
  subject: null,
  body: {source: 'csv'},
  id: 'imp_1',
  rows: 2,
  requests: 2,
  sent: 1,
  sentRows: 1,
};
const env = {STANDUP_URL: url, STANDUP_TOKEN: 'none'};

/** Two processes may send the same import: the one that finishes first removes its rows. */
it('an import whose rows are gone is forgotten, so that a new one can begin', async () => {
  const file = keep('import.json', JSON.stringify(kept));
  const send = async () => Response.json({});
  const {code, stderr} = await machine.run(['import', 'resume'], {env, send});
  expect(code).toBe(1);
  expect(stderr).toBe(
    'The rows of this import are no longer here. Begin again: what was imported is not created twice. Or take it back: standup import undo imp_1\n',
  );
  expect(existsSync(file)).toBe(false);
});

it('a day of --since or --until that does not exist is refused before anything is read', async () => {
  for (const option of ['--since', '--until']) {
    const {code, stderr} = await machine.run(['import', 'geekbot', option, '2026-02-30'], {env});
    expect({code, stderr}).toEqual({
      code: 2,
      stderr: `${option} takes a day such as 2024-03-14, not 2026-02-30.\n`,
    });
  }
});

import {execFileSync} from 'node:child_process';
import {expect, it} from '@jest/globals';
import {rows} from '../../bench/rows.js';

it('`npm run bench -- --help` names every row, and builds nothing', () => {
  const said = execFileSync(process.execPath, ['scripts/bench.mjs', '--help'], {encoding: 'utf8'});
  expect(said).toContain(`--only     measures these rows: ${Object.keys(rows).join(', ')}\n`);
  expect(said).not.toContain('Building');
});

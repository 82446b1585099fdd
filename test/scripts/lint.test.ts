import {expect, it} from '@jest/globals';
import {chooseFilesToLint} from '../../scripts/testing/lint.mjs';

const sources = new Map([
  ['src/team.ts', ''],
  ['src/teams.ts', "import {Team} from './team.js';"],
  ['src/log.ts', ''],
]);
const passed = {settings: 'a', files: {'src/team.ts': '1', 'src/teams.ts': '2', 'src/log.ts': '3'}};

it('the linter looks at every file of a fresh clone', () => {
  expect(chooseFilesToLint(sources, passed)).toEqual(['src/team.ts', 'src/teams.ts', 'src/log.ts']);
});

it('the linter skips files that passed before', () => {
  expect(chooseFilesToLint(sources, passed, passed)).toEqual([]);
});

it('the linter looks at a changed file and at the files that import it', () => {
  const changed = {...passed, files: {...passed.files, 'src/team.ts': '4'}};
  expect(chooseFilesToLint(sources, changed, passed)).toEqual(['src/team.ts', 'src/teams.ts']);
});

it('the linter looks at a new file', () => {
  const {'src/log.ts': _, ...others} = passed.files;
  expect(chooseFilesToLint(sources, passed, {...passed, files: others})).toEqual(['src/log.ts']);
});

it('the linter looks at every file when its rules have changed', () => {
  expect(chooseFilesToLint(sources, {...passed, settings: 'b'}, passed)).toHaveLength(3);
});

import {expect, it} from '@jest/globals';
import {chooseTests} from '../../scripts/testing/changed.mjs';

const sources = new Map([
  ['src/domain/absences/absence.ts', ''],
  ['src/domain/runs/run.ts', "import {absence} from '../absences/absence.js';"],
  ['src/service/services.ts', "import {run} from '../domain/runs/run.js';"],
  ['src/compose.ts', "import {services} from './service/services.js';"],
  ['web/insights/page.tsx', "import {chart} from './chart.ts';"],
  ['web/insights/chart.ts', ''],
  ['test/support/service.ts', "import {compose} from '../../src/compose.js';"],
  ['test/domain/runs/run.test.ts', "import {run} from '../../../src/domain/runs/run.js';"],
  ['test/api/absences/away.test.ts', "import {startService} from '../../support/service.js';"],
  ['test/api/teams/teams.test.ts', "import {startService} from '../../support/service.js';"],
  ['test/web/insights.test.ts', "import {startService} from '../support/service.js';"],
  ['test/web/insights.deep.test.ts', ''],
  ['test/rules/layers.test.ts', ''],
]);

it.each([
  [['src/domain/absences/absence.ts'], ['test/api/absences/away.test.ts', 'test/domain/runs/run.test.ts']],
  [['web/insights/chart.ts'], ['test/web/insights.test.ts']],
  [['test/api/teams/teams.test.ts'], ['test/api/teams/teams.test.ts']],
  [['README.md'], ['test/rules/layers.test.ts']],
  [['bench/run.ts'], []],
])('a change of %j runs the tests that reach it and those of its feature', (changed, tests) => {
  expect(chooseTests(changed, sources)).toEqual({all: false, tests});
});

it.each([
  ['src/service/services.ts'],
  ['src/domain/core/text.ts'],
  ['test/support/until.ts'],
  ['package.json'],
  ['scripts/test.mjs'],
])('a change of %s, on which everything depends, runs all tests', (file) => {
  expect(chooseTests([file, 'README.md'], sources)).toMatchObject({all: true});
});

import {expect, it} from '@jest/globals';
import {listTestsThatReach} from '../../scripts/testing/imports.mjs';

it('the list of deep tests has exactly the tests that read TEST_DEEP, also through helpers', () => {
  const sources = new Map([
    ['test/support/deep.ts', ''],
    ['test/web/support/look.ts', "import {deep} from '../../support/deep.js';"],
    ['test/web/today.test.ts', "import {look} from './support/look.js';"],
    ['test/api/cursors.test.ts', "import {deep} from '../support/deep.js';"],
    ['test/api/teams.test.ts', "import {startService} from '../support/service.js';"],
  ]);
  const dependents = ['test/api/cursors.test.ts', 'test/web/today.test.ts'];
  expect(listTestsThatReach(['test/support/deep.ts'], sources)).toEqual(dependents);
});

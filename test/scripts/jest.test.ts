import {expect, it} from '@jest/globals';
import {addReport} from '../../scripts/testing/jest.mjs';

function add(report: object, code: number) {
  const total = {passed: 0, failed: 0, skipped: 0, files: [], failures: []};
  addReport(total, report, code, ['test/a.test.ts']);
  return total;
}

it('a run whose tests are all skipped for a stated reason has not failed', () => {
  expect(add({numPendingTests: 2}, 0)).toMatchObject({failed: 0, skipped: 2, failures: []});
});

it('a run that found no test, or that ended without a failed test, is named among what failed', () => {
  const name = 'jest test/a.test.ts';
  expect(add({}, 0)).toMatchObject({failed: 1, failures: [{name, message: 'Jest found no test.'}]});
  const message = 'Jest ended with 1, but no test failed.';
  expect(add({numPassedTests: 3}, 1)).toMatchObject({passed: 3, failed: 1, failures: [{name, message}]});
});

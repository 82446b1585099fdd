import {expect, it} from '@jest/globals';
import {losesPrecision} from '../../../src/domain/core/numbers.js';

it.each([
  '9007199254740993',
  '-9007199254740993',
  '9007199254740993.0',
  '900719925474099.3e1',
  '9007199254740992.5',
  '123456789012345678901',
  '0.99999999999999999999',
  '1e400',
  '-1e400',
  '1e-400',
])('the number %s is reported to lose precision', (written) => {
  expect(losesPrecision(written)).toBe(true);
});

it.each([
  '0',
  '-0',
  '0.0',
  '0e5',
  '42',
  '4.20',
  '42e0',
  '1E3',
  '0.1',
  '0.10000000000000001',
  '3.14159265358979323846',
  '9007199254740991',
  '9007199254740992',
  '9007199254740994',
  '1e22',
  '1e23',
  '1.7976931348623157e308',
  '5e-324',
  '',
  'text',
])('the number %j is not reported to lose precision', (written) => {
  expect(losesPrecision(written)).toBe(false);
});

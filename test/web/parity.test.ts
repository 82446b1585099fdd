import {expect, it} from '@jest/globals';
import {findOperationId} from '../support/request-contract.js';
import {addressesOfApp, operationsOfApp, operationsOfDocument} from './support/parity.js';

it('every API address that the app names is an operation of the OpenAPI document', () => {
  const asked = addressesOfApp();
  expect(asked.length).toBeGreaterThan(5);
  expect(asked.filter(({method, path}) => findOperationId(method, path) === undefined)).toEqual([]);
});

it('every operation of the OpenAPI document is in the app', () => {
  const inApp = operationsOfApp();
  expect(operationsOfDocument().filter((operation) => !inApp.has(operation))).toEqual([]);
});

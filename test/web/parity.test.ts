import {expect, it} from '@jest/globals';
import {findOperationId} from '../support/request-contract.js';
import {addressesOfApp, operationsOfApp, operationsOfDocument, withoutScreen} from './support/parity.js';

it('every API address that the app names is an operation of the OpenAPI document', () => {
  const asked = addressesOfApp();
  expect(asked.length).toBeGreaterThan(5);
  expect(asked.filter(({method, path}) => findOperationId(method, path) === undefined)).toEqual([]);
});

it('every operation of the OpenAPI document is in the app, or has a reason for its absence', () => {
  const inApp = operationsOfApp();
  const absent = operationsOfDocument().filter((operation) => !inApp.has(operation));
  expect(absent.toSorted()).toEqual(Object.keys(withoutScreen).toSorted());
});

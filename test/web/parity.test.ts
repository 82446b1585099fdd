import {expect, it} from '@jest/globals';
import {operationIdOf} from '../support/request-contract.js';
import {notYet} from './not-yet.js';
import {addressesOfApp, operationsOfApp, operationsOfDocument} from './support/parity.js';

it('every address of the API that the app names is an operation of the document', () => {
  const asked = addressesOfApp();
  expect(asked.length).toBeGreaterThan(5);
  expect(asked.filter(({method, path}) => operationIdOf(method, path) === undefined)).toEqual([]);
});

it('every operation of the document is in the app, but for those that are still to come', () => {
  const inApp = operationsOfApp();
  // Whoever brings one takes it off the list.
  expect([...notYet]).toEqual(operationsOfDocument().filter((operation) => !inApp.has(operation)));
});

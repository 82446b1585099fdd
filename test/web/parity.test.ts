import {expect, it} from '@jest/globals';
import {findOperationId} from '../support/request-contract.js';
import {addressesOfApp, operationsOfApp, operationsOfDocument} from './support/parity.js';

it('every API address that the app names is an operation of the OpenAPI document', () => {
  const asked = addressesOfApp();
  expect(asked.length).toBeGreaterThan(5);
  expect(asked.filter(({method, path}) => findOperationId(method, path) === undefined)).toEqual([]);
});

/** Operations without a screen, each with the reason. */
const withoutScreen: Readonly<Record<string, string>> = {
  createImport: 'a program imports history; its screen comes later',
  addImportRows: 'a program reads another product, and sends rows',
  finishImport: 'a program imports history; its screen comes later',
  listImports: 'a program imports history; its screen comes later',
  getImport: 'a program imports history; its screen comes later',
  cancelImport: 'a program imports history; its screen comes later',
  getDraft: 'the form does not offer drafts yet',
  deleteDraftParts: 'the form does not offer drafts yet',
  setDraftPart: 'programs write parts of drafts; in the app a person types into the form itself',
};

it('every operation of the OpenAPI document is in the app, or has a reason for its absence', () => {
  const inApp = operationsOfApp();
  const absent = operationsOfDocument().filter((operation) => !inApp.has(operation));
  expect(absent.toSorted()).toEqual(Object.keys(withoutScreen).toSorted());
});

import {expect, it} from '@jest/globals';
import {readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {publishedDocument} from '../support/contract.js';
import {operationIdOf} from '../support/request-contract.js';
import {root} from '../support/service-process.js';
import type {Json} from '../support/service.js';
import {notYet} from './not-yet.js';

const folder = path.join(root, 'web');
const sources = readdirSync(folder, {recursive: true, encoding: 'utf8'})
  .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('node_modules'))
  .map((file) => ({
    file,
    code: readFileSync(path.join(folder, file), 'utf8').replaceAll(/^\s*(\/\/|\*).*$/gm, ''),
  }));

/** Calls of the typed client, and addresses that web/api asks for itself, which reads them. */
function* literals(code: string): Generator<{method: string; path: string}> {
  const calls = /\bapi\.([A-Z]+)\(\s*'(\/v1\/[^']*)'/g;
  for (const [, method = '', at = ''] of code.matchAll(calls)) yield {method, path: at};
  for (const [, at = ''] of code.replaceAll(calls, '').matchAll(/['"`](\/v1\/[^'"`?]*)/g)) {
    yield {method: 'GET', path: at.replaceAll(/\$\{[^}]*\}/g, 'x')};
  }
}

const asked = sources.flatMap(({file, code}) => [...literals(code)].map((one) => ({file, ...one})));

it('every address of the API that the app names is an operation of the document', () => {
  expect(asked.length).toBeGreaterThan(5);
  expect(asked.filter(({method, path: at}) => operationIdOf(method, at) === undefined)).toEqual([]);
});

it('every operation of the document is in the app, but for those that are still to come', () => {
  const inApp = new Set(asked.map(({method, path: at}) => operationIdOf(method, at)));
  const operations = Object.values<Json>(publishedDocument().paths).flatMap((item) =>
    Object.values<Json>(item).flatMap(({operationId}) => operationId ?? []),
  );
  // Whoever brings one takes it off the list.
  expect([...notYet]).toEqual(operations.filter((operation) => !inApp.has(operation)));
});

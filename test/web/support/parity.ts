import {readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {getPublishedDocument} from '../../support/contract.js';
import {findOperationId} from '../../support/request-contract.js';
import {root} from '../../support/service-process.js';
import type {Json} from '../../support/service.js';

export interface RequestedAddress {
  readonly file: string;
  readonly method: string;
  readonly path: string;
}

/** Finds calls of the typed client, and other addresses of the API, which web/api only reads. */
function* literals(code: string): Generator<{method: string; path: string}> {
  const calls = /\b(?:api\.|client\.|send\(\s*'|request\(\s*')([A-Za-z]+)(?:\(|',)\s*'(\/v1\/[^']*)'/g;
  for (const [, method = '', at = ''] of code.matchAll(calls)) yield {method: method.toUpperCase(), path: at};
  for (const [, at = ''] of code.replaceAll(calls, '').matchAll(/['"`](\/v1\/[^'"`?]*)/g)) {
    yield {method: 'GET', path: at.replaceAll(/\$\{[^}]*\}/g, 'x')};
  }
}

/** Operations without a screen, each with the reason. */
export const withoutScreen: Readonly<Record<string, string>> = {
  getComment: 'the page shows the comments of a standup together',
  listReactions: 'each standup says who reacts to it',
  setDraftPart: 'programs write parts of drafts; in the app a person types into the form itself',
};

/** All addresses of the API in the source of the app. */
export const addressesOfApp = (): RequestedAddress[] => addressesIn('web');

function addressesIn(program: string): RequestedAddress[] {
  const folder = path.join(root, program);
  return readdirSync(folder, {recursive: true, encoding: 'utf8'})
    .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('node_modules'))
    .flatMap((file) => {
      const code = readFileSync(path.join(folder, file), 'utf8').replaceAll(/^\s*(\/\/|\*).*$/gm, '');
      return [...literals(code)].map((one) => ({file, ...one}));
    });
}

/** Ids of the operations that the source of the app uses. */
export const operationsOfApp = (): Set<string> => operationsIn('web');

/** Ids of the operations that the source in a folder uses. */
export function operationsIn(program: string): Set<string> {
  return new Set(addressesIn(program).flatMap(({method, path: at}) => findOperationId(method, at) ?? []));
}

/** Ids of all operations, in the order of the document. */
export function operationsOfDocument(): string[] {
  return Object.values<Json>(getPublishedDocument().paths).flatMap((item) =>
    Object.values<Json>(item).flatMap(({operationId}) => operationId ?? []),
  );
}

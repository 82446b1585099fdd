import {expect} from '@jest/globals';
import type {PageRequest} from './recorder.js';
import type {Tab} from './stage.js';

export interface ExpectedMisdeeds {
  /** Error statuses that the test provokes. */
  readonly refusals?: readonly number[];
  /** Console messages that the test provokes. */
  readonly errors?: RegExp;
}

/** Chromium's message about an error response, which the recorder reports in more detail. */
const refusalMessage = /^Failed to load resource: the server responded with a status of/;

/**
 * Expects of all pages of a tab: no error in the console, no violation of the CSP, no error response and no
 * request to another host. Every request is an asset, a session route, or a documented operation with a
 * Bearer token. Bodies and answers match the document.
 */
export async function expectInnocent(
  {context, misdeeds, recorder}: Tab,
  {refusals = [], errors}: ExpectedMisdeeds = {},
): Promise<void> {
  // A page reports its earlier events before this timer fires.
  const ticks = context.pages().map((page) => page.evaluate('new Promise((resolve) => setTimeout(resolve))'));
  await Promise.allSettled(ticks);
  await recorder.untilChecked();
  const isExpected = (text: string) => refusalMessage.test(text) || errors?.test(text) === true;
  const {requests} = recorder;
  const refused = requests.filter(
    (request, i) =>
      request.status >= 400 &&
      !refusals.includes(request.status) &&
      !isMended(request, requests.slice(i)) &&
      !isGone(request, requests),
  );
  expect({
    errors: misdeeds.errors.filter((text) => !isExpected(text)),
    violations: misdeeds.violations,
    foreign: misdeeds.foreign,
    refused: refused.map(describe),
    requests: recorder.violations,
  }).toEqual({errors: [], violations: [], foreign: [], refused: [], requests: []});
}

/** The page has repeated a request: a busy machine answers 503, and a moved clock ends a token (401). */
function isMended({status, method, path}: PageRequest, later: readonly PageRequest[]): boolean {
  const isSame = (one: PageRequest) => one.method === method && one.path === path && one.status < 400;
  return (status === 503 || status === 401) && later.some((one) => isSame(one) && one.status > 0);
}

/**
 * The event of a deletion may arrive before its answer: the page then requests the deleted object (404), or a
 * list filtered by the deleted team (422).
 */
function isGone({status, method, path}: PageRequest, all: readonly PageRequest[]): boolean {
  const team = /[?&]team=([^&]*)/.exec(path)?.[1];
  const deletes = (one: PageRequest): boolean => {
    const [gone = ''] = one.path.split('?');
    if (one.method !== 'DELETE' || one.status >= 400) return false;
    return (status === 404 && path.startsWith(gone)) || (status === 422 && gone === `/v1/teams/${team}`);
  };
  return method === 'GET' && all.some(deletes);
}

function describe({method, path, status, answer}: PageRequest): string {
  return `${method} ${path} ${status} ${answer?.text.slice(0, 500) ?? ''}`;
}

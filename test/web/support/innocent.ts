import {expect} from '@jest/globals';
import type {PageRequest} from './recorder.js';
import type {Tab} from './stage.js';

export interface ExpectedMisdeeds {
  /** Statuses of refusals that the test asks for. */
  readonly refusals?: readonly number[];
  /** Messages of the console that the test asks for. */
  readonly errors?: RegExp;
}

/** Says no more than what the recorder knows better. */
const refusalMessage = /^Failed to load resource: the server responded with a status of/;

/**
 * No page of the visit has written an error, broken its policy, been refused anything, asked elsewhere, or asked this
 * service for anything but assets, door routes and documented operations with a Bearer token, whose bodies and answers
 * are as documented.
 */
export async function expectInnocent(
  {context, misdeeds, recorder}: Tab,
  {refusals = [], errors}: ExpectedMisdeeds = {},
): Promise<void> {
  // Whatever has happened in a page is told before this comes back.
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

/**
 * A machine that is busy with other tests refuses for a moment, and time that a test moves ends a token in
 * the midst of what goes on; the page has asked again.
 */
function isMended({status, method, path}: PageRequest, later: readonly PageRequest[]): boolean {
  const isSame = (one: PageRequest) => one.method === method && one.path === path && one.status < 400;
  return (status === 503 || status === 401) && later.some((one) => isSame(one) && one.status > 0);
}

/**
 * A page may learn of its own deletion before the answer and ask for the deleted object (404), or for a list that
 * is filtered by the deleted team (422).
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

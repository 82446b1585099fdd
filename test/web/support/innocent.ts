import {expect} from '@jest/globals';
import type {Visit} from './stage.js';

export interface Expected {
  /** Statuses of refusals that the test asks for; the browser tells of each in its console. */
  readonly refusals?: readonly number[];
  /** Messages of the console that the test asks for. */
  readonly errors?: RegExp;
}

/**
 * No page of the visit has written an error, broken its policy, asked elsewhere, or asked this service for anything but
 * assets, door routes and documented operations with a Bearer token, whose bodies and answers are as documented.
 */
export async function expectInnocent(
  {context, misdeeds, recorder}: Visit,
  {refusals = [], errors}: Expected = {},
): Promise<void> {
  // What is under way in a page is told before this comes back.
  const turns = context.pages().map((page) => page.evaluate('new Promise((resolve) => setTimeout(resolve))'));
  await Promise.allSettled(turns);
  await recorder.settled();
  const isExpected = (text: string) =>
    refusals.some((status) => text.includes(`status of ${status}`)) || errors?.test(text) === true;
  expect({
    errors: misdeeds.errors.filter((text) => !isExpected(text)),
    violations: misdeeds.violations,
    foreign: misdeeds.foreign,
    requests: recorder.faults,
  }).toEqual({errors: [], violations: [], foreign: [], requests: []});
}

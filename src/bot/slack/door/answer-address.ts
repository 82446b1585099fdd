import {z} from 'zod';
import {parseValue} from '../blocks/button-value.js';
import type {Visit} from './kit.js';

/** Slack takes private answers for 30 minutes; a little less is sure. */
const answerableMs = 25 * 60_000;

/**
 * Where a person is answered privately once a modal is handed in, until when (ms since the epoch), and
 * whether in place of what stands there.
 */
export const answerAddress = z
  .strictObject({url: z.string(), until: z.number(), replaces: z.boolean()})
  .readonly();

type AnswerAddress = z.infer<typeof answerAddress>;

/** Undefined where there is no such address. `now`: Slack's clock. */
export function addressOf(
  {responseUrl: url}: Pick<Visit, 'responseUrl'>,
  now: number,
  replaces = false,
): AnswerAddress | undefined {
  return url === undefined ? undefined : {url, until: now + answerableMs, replaces};
}

/** The address that a modal of ours was opened with, by its metadata. */
export function readAddress(metadata: string): AnswerAddress | undefined {
  return answerAddress.safeParse(parseValue(metadata)['answer']).data;
}

import {z} from 'zod';
import {parseValue} from '../blocks/button-value.js';
import type {SlackRequest} from './deps.js';

/** Slack takes private answers for 30 minutes; a little less is safe. */
const answerableMs = 25 * 60_000;

/**
 * The address for a private answer to the person once a modal is submitted, its expiry (ms since the epoch),
 * and whether the answer replaces the original message.
 */
export const answerAddress = z
  .strictObject({url: z.string(), until: z.number(), replaces: z.boolean()})
  .readonly();

type AnswerAddress = z.infer<typeof answerAddress>;

/** Undefined when there is no such address. `now`: Slack's clock. */
export function addressOf(
  {responseUrl: url}: Pick<SlackRequest, 'responseUrl'>,
  now: number,
  replaces = false,
): AnswerAddress | undefined {
  return url === undefined ? undefined : {url, until: now + answerableMs, replaces};
}

/** The address that a modal of ours was opened with, from its metadata. */
export function readAddress(metadata: string): AnswerAddress | undefined {
  return answerAddress.safeParse(parseValue(metadata)['answer']).data;
}

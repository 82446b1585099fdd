import {z} from 'zod';
import {parseValue} from '../blocks/button-value.js';
import type {SlackRequest} from './context.js';

/** Slack accepts private answers for 30 minutes; we use a little less to be safe. */
const answerableMs = 25 * 60_000;

/** The address for a private answer to a modal, its expiry (Unix ms), and whether it replaces the message. */
export const answerAddress = z
  .strictObject({url: z.string(), until: z.number(), replaces: z.boolean()})
  .readonly();

type AnswerAddress = z.infer<typeof answerAddress>;

/** Returns the address for private answers; undefined if there is none. `now`: Slack's clock. */
export function buildAnswerAddress(
  {responseUrl: url}: SlackRequest,
  now: number,
  replaces = false,
): AnswerAddress | undefined {
  return url === undefined ? undefined : {url, until: now + answerableMs, replaces};
}

export function readModalAddress(metadata: string): AnswerAddress | undefined {
  return answerAddress.safeParse(parseValue(metadata)['answer']).data;
}

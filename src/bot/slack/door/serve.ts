import type {RespondArguments} from '@slack/bolt';
import {privately} from '../blocks/blocks.js';
import type {Answer, Kit, Visit} from './kit.js';
import {explain} from './refusals.js';
import type {Words} from '../../words/words.js';

type ServeParts = Pick<Kit, 'log' | 'drawReference' | 'track'>;

/**
 * Runs a listener to its end, even while the process is shutting down. `refuse` gets the explanation of an
 * error.
 */
export async function serve(
  {log, drawReference, track}: ServeParts,
  words: Words | undefined,
  listen: () => Promise<void>,
  refuse: (sentence: string) => Promise<void>,
): Promise<void> {
  const work = listen().catch((error: unknown) =>
    refuse(explain(error, log, drawReference(), words).sentence),
  );
  track(work);
  await work;
}

/**
 * Serves a request with one answer, that to the request itself; Slack always gets one. `present`: presents a
 * failure; undefined when a failure cannot be shown.
 */
export async function serveOnce<T>(
  parts: ServeParts,
  words: Words | undefined,
  ack: Answer<T>,
  present: ((sentence: string) => T) | undefined,
  listen: (answer: Answer<T>) => Promise<void>,
): Promise<void> {
  let isAnswered = false;
  async function answer(response?: T): Promise<void> {
    isAnswered = true;
    await ack(response);
  }
  await serve(
    parts,
    words,
    async () => {
      await listen(answer);
      if (!isAnswered) await answer();
    },
    async (sentence) => {
      if (!isAnswered) await answer(present?.(sentence));
    },
  );
}

/**
 * Serves a request that is acknowledged first and answered beside it: the first `answer` acknowledges, and
 * each sends its message. A person without a message so far gets one about a failure.
 */
export async function serveBeside(
  parts: ServeParts,
  visit: Visit,
  ack: () => Promise<void>,
  listen: (visit: Visit, answer: Answer<RespondArguments>) => Promise<void>,
): Promise<void> {
  let isAcknowledged = false;
  let isTold = false;
  async function respond(message: RespondArguments): Promise<void> {
    isTold = true;
    await visit.respond(message);
  }
  async function answer(message?: RespondArguments): Promise<void> {
    if (!isAcknowledged) {
      isAcknowledged = true;
      await ack();
    }
    if (message !== undefined) await respond({replace_original: false, ...message});
  }
  await serve(
    parts,
    visit.reader.words,
    async () => {
      await listen({...visit, respond}, answer);
      await answer();
    },
    (sentence) => answer(isTold ? undefined : privately(sentence)),
  );
}

import type {RespondArguments} from '@slack/bolt';
import {privately} from '../blocks/blocks.js';
import type {Answer, Kit, Visit} from './kit.js';
import {explain} from './refusals.js';
import type {Words} from '../../words/words.js';

type ServeParts = Pick<Kit, 'log' | 'drawReference' | 'track'>;

/**
 * Runs a listener to its end, though the process ends meanwhile. `refuse` gets the words of what went wrong.
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
 * Serves what is answered once, by the answer to the request itself; Slack gets one whatever happens.
 * `present`: how it tells of a failure; undefined where it can tell nothing.
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
 * Serves what is acknowledged by the answer to the request and told beside it: the first `answer`
 * acknowledges, and each tells what it is given. A person who has been told nothing yet is told of a failure.
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

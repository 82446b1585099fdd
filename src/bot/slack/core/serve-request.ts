import type {RespondArguments} from '@slack/bolt';
import {privateAnswer} from '../blocks/blocks.js';
import type {RespondOnce, SlackContext, SlackRequest} from './context.js';
import {explainError} from './refusals.js';
import type {Texts} from '../../texts/translation.js';

/** Runs a listener to its end, even while the process shuts down. `refuse` gets the explained error. */
export async function serveRequest(
  context: SlackContext,
  texts: Texts | undefined,
  listen: () => Promise<void>,
  refuse: (sentence: string) => Promise<void>,
): Promise<void> {
  const work = listen().catch((error: unknown) => refuse(explainError(context, error, texts).sentence));
  context.track(work);
  await work;
}

/** Serves a request with a single answer, which Slack always gets. `present`: presents a failure. */
export async function serveWithOneAnswer<T>(
  context: SlackContext,
  texts: Texts | undefined,
  ack: RespondOnce<T>,
  present: ((sentence: string) => T) | undefined,
  listen: (answer: RespondOnce<T>) => Promise<void>,
): Promise<void> {
  let isAnswered = false;
  async function answer(response?: T): Promise<void> {
    isAnswered = true;
    await ack(response);
  }
  await serveRequest(
    context,
    texts,
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
 * Serves a request that the first call of `answer` acknowledges. Each call sends its message; without any,
 * the person is told about a failure.
 */
export async function serveAfterAcknowledging(
  context: SlackContext,
  request: SlackRequest,
  ack: () => Promise<void>,
  listen: (request: SlackRequest, answer: RespondOnce<RespondArguments>) => Promise<void>,
): Promise<void> {
  let isAcknowledged = false;
  let hasResponded = false;
  async function respond(message: RespondArguments): Promise<void> {
    hasResponded = true;
    await request.respond(message);
  }
  async function answer(message?: RespondArguments): Promise<void> {
    if (!isAcknowledged) {
      isAcknowledged = true;
      await ack();
    }
    if (message !== undefined) await respond({replace_original: false, ...message});
  }
  await serveRequest(
    context,
    request.translation.texts,
    async () => {
      await listen({...request, respond}, answer);
      await answer();
    },
    (sentence) => answer(hasResponded ? undefined : privateAnswer(sentence)),
  );
}

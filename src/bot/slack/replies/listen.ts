// Replies that people type in the thread of a standup's message, which become comments.
import {AppError} from '../../../domain/core/errors.js';
import type {SlackContext} from '../core/context.js';
import {listenToEvent} from '../core/listeners.js';
import {explainError} from '../core/refusals.js';
import type {SlackWorkspace} from '../core/slack-identities.js';
import type {MessageEvent} from '../typing/read-event.js';
import {type HeardReply, readReply} from './read-reply.js';
import {createReplyServer, isFresh, passing} from './serve-reply.js';

/** The number of times that Slack sends an event again. */
const lastRetry = 3;

export function listenToReplies(context: SlackContext): void {
  const {identities, services, slackNow, log} = context;
  const {slackReplies: replies} = services;
  const serveReply = createReplyServer(context);

  listenToEvent(context, 'message', async ({event, body, origin, retries, onUnserved}) => {
    const heard = readReply(event as MessageEvent, body.authorizations?.[0]?.user_id);
    if (heard === undefined) return;
    const isLast = retries >= lastRetry;
    try {
      const deadline = identities.answerBy();
      const slackWorkspace = await identities.findSlackWorkspace(origin, deadline);
      const isServed =
        heard.kind === 'deleted'
          ? await serveDeletion(slackWorkspace, heard, deadline)
          : await serveReply(slackWorkspace, heard, {deadline, isLast});
      if (!isServed && !isLast) onUnserved();
    } catch (error) {
      const code = error instanceof AppError ? error.code : 'internal_error';
      if (!isLast && passing.has(code)) {
        log.warn({code}, 'a reply in Slack is not a comment yet');
        return onUnserved();
      }
      explainError(context, error);
    }
  });

  /** Returns false if Slack must send the event again. */
  async function serveDeletion(
    {workspace}: SlackWorkspace,
    {channel, ts, thread}: HeardReply,
    deadline: number,
  ): Promise<boolean> {
    const at = {workspace, deadline};
    const known = await replies.findMessage(at, {channel, ts});
    const root =
      known === undefined && thread !== undefined
        ? await replies.findThread(at, {channel, ts: thread})
        : undefined;
    if (known?.kind === 'comment' || root !== undefined) await replies.removeReply(at, {channel, ts});
    return known !== undefined || root !== undefined || !isFresh(thread, slackNow());
  }
}

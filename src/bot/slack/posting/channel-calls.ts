import {type WebClient, WebAPIHTTPError, WebAPIPlatformError, WebAPIRateLimitedError} from '@slack/web-api';
import type {ChatCalls, ChatFailure, FoundMetadata, ChatRateLimit, ChatResult} from '../../showing/chat.js';
import {classifySlackError, toRefusalReason} from '../core/slack-errors.js';
import type {OutgoingMessage} from '../blocks/blocks.js';

/** Options for unchanged text: no word becomes a mention, and links get no preview. */
const inert = {parse: 'none', link_names: false} as const;
const folded = {unfurl_links: false, unfurl_media: false} as const;

const pagesRead = 5;

/**
 * The times until which Slack accepts no call of a method, for all processes: Slack counts by workspace
 * (https://docs.slack.dev/apis/web-api/rate-limits).
 */
export interface MethodLimits {
  /** Returns the wait (ms) before the method may be called; 0 if it may be called now. */
  find: (method: string) => Promise<number>;
  note: (method: string, waitMs: number) => Promise<void>;
  /** Reserves the next call of a paced method. Returns the wait (ms) before it; 0 for none. */
  takeSlot: (method: string, behind: string | undefined) => Promise<number>;
}

/** Runs a call in a span. */
export type TraceCall = <T>(method: string, call: () => Promise<ChatResult<T>>) => Promise<ChatResult<T>>;

/** Creates the calls of a channel. `notePublic`: called with a channel that the bot could join by itself. */
export function createChannelCalls(
  client: WebClient,
  limits: MethodLimits,
  notePublic: (channel: string) => Promise<void> = async () => undefined,
  traceCall: TraceCall = (_, call) => call(),
): ChatCalls<OutgoingMessage> {
  async function findLimit(method: string): Promise<ChatRateLimit | undefined> {
    const waitMs = await limits.find(method);
    return waitMs > 0 ? {kind: 'limited', method, waitMs} : undefined;
  }

  async function callPaced<T>(
    method: string,
    behind: string | undefined,
    call: () => Promise<T>,
  ): Promise<ChatResult<T>> {
    const waitMs = await limits.takeSlot(method, behind);
    return waitMs > 0 ? {kind: 'limited', method, waitMs} : sendCall(method, call);
  }

  async function callUnlessLimited<T>(method: string, call: () => Promise<T>): Promise<ChatResult<T>> {
    return (await findLimit(method)) ?? sendCall(method, call);
  }

  function sendCall<T>(method: string, call: () => Promise<T>): Promise<ChatResult<T>> {
    return traceCall(method, () => judgeCall(method, call));
  }

  async function judgeCall<T>(method: string, call: () => Promise<T>): Promise<ChatResult<T>> {
    try {
      return {kind: 'done', value: await call()};
    } catch (error) {
      const failure = classifyCallError(error, method);
      // If recording the limit fails, the next call meets the limit again.
      if (failure.kind === 'limited') await limits.note(method, failure.waitMs).catch(() => undefined);
      return failure;
    }
  }

  /** Sends a message after joining the public channel if needed: the API can set it before any invitation. */
  async function sendAfterJoining<T>(
    channel: string,
    method: string,
    call: () => Promise<T>,
  ): Promise<ChatResult<T>> {
    const outcome = await sendCall(method, call);
    if (outcome.kind !== 'refused' || outcome.code !== 'not_in_channel') return outcome;
    const entered = await callUnlessLimited('conversations.join', () => client.conversations.join({channel}));
    if (entered.kind === 'done') {
      await notePublic(channel).catch(() => undefined);
      return sendCall(method, call);
    }
    if (entered.kind === 'limited' || (entered.kind === 'refused' && entered.code === 'is_archived'))
      return entered;
    return outcome;
  }

  /** Sends a message again without pictures if Slack refuses one of them. */
  async function sendWithPictureFallback<T>(
    message: OutgoingMessage,
    sendIt: (shown: OutgoingMessage) => Promise<ChatResult<T>>,
  ) {
    const outcome = await sendIt(message);
    if (outcome.kind !== 'refused' || !pictureRefusals.has(outcome.code)) return outcome;
    const plain = removePictures(message);
    return plain === undefined ? outcome : sendIt(plain);
  }

  return {
    findPostLimit: () => findLimit('chat.postMessage'),
    post: (channel, message, thread) =>
      sendWithPictureFallback(message, (shown) =>
        sendAfterJoining(channel, 'chat.postMessage', async () => {
          const inThread = thread === undefined ? {} : {thread_ts: thread};
          // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Slack's method, not a window's
          const posted = await client.chat.postMessage({channel, ...shown, ...inert, ...folded, ...inThread});
          if (posted.ts === undefined) throw new Error('chat.postMessage answered without a ts');
          return {ts: posted.ts, channel: posted.channel ?? channel};
        }),
      ),
    update: (channel, ts, message, behind) =>
      sendWithPictureFallback(message, (shown) =>
        callPaced('chat.update', behind, async () => {
          await client.chat.update({channel, ts, ...shown, ...inert});
          return undefined;
        }),
      ),
    remove: (channel, ts, behind) =>
      callPaced('chat.delete', behind, async () => {
        await client.chat.delete({channel, ts});
        return undefined;
      }),
    findPermalink: (channel, ts) =>
      callUnlessLimited('chat.getPermalink', async () => {
        const {permalink} = await client.chat.getPermalink({channel, message_ts: ts});
        if (permalink === undefined) throw new Error('chat.getPermalink answered without a permalink');
        return permalink;
      }),
    async find(channel, {thread, sinceMs, untilMs}, matches) {
      const method = thread === undefined ? 'conversations.history' : 'conversations.replies';
      const limited = await findLimit(method);
      if (limited !== undefined) return limited;
      return sendAfterJoining(channel, method, async () => {
        const range = {
          channel,
          oldest: String(Math.floor(sinceMs / 1_000)),
          latest: String(Math.ceil(untilMs / 1_000)),
          include_all_metadata: true,
          limit: 200,
        };
        let cursor: string | undefined;
        for (let page = 0; page < pagesRead; page++) {
          const at = cursor === undefined ? range : {...range, cursor};
          const found =
            thread === undefined
              ? await client.conversations.history(at)
              : await client.conversations.replies({...at, ts: thread});
          for (const {ts, metadata} of (found.messages ?? []) as {ts?: string; metadata?: FoundMetadata}[]) {
            if (ts !== undefined && matches(metadata)) return {ts, metadata};
          }
          cursor = found.response_metadata?.next_cursor || undefined;
          if (cursor === undefined) return undefined;
        }
        throw new Error('the message was not found among the newest ones');
      });
    },
  };
}

const unnamedWaitMs = 30_000;

/** Classifies an error of the Web API client. For 429: https://docs.slack.dev/apis/web-api/rate-limits */
export function classifyCallError(error: unknown, method: string): ChatFailure {
  if (error instanceof WebAPIRateLimitedError)
    return {kind: 'limited', method, waitMs: Math.max(1, error.retryAfter) * 1_000};
  if (error instanceof WebAPIPlatformError) {
    const code = error.data.error;
    const kind = classifySlackError(code);
    if (kind === 'limited') return {kind, method, waitMs: unnamedWaitMs};
    // A text that is not an error code comes from a server other than Slack, such as a proxy.
    return /^[a-z_]{3,60}$/.test(code) && kind !== 'unknown'
      ? {kind: 'refused', code, reason: toRefusalReason(code)}
      : {kind: 'unknown', code: 'fault'};
  }
  if (error instanceof WebAPIHTTPError) return {kind: 'unknown', code: `http_${error.statusCode}`};
  // The client throws a plain Error for a 429 without a usable Retry-After.
  if (error instanceof Error && error.message.startsWith('Retry header'))
    return {kind: 'limited', method, waitMs: unnamedWaitMs};
  return {kind: 'unknown', code: 'no_answer'};
}

function removePictures(message: OutgoingMessage): OutgoingMessage | undefined {
  const {blocks = []} = message;
  let had = false;
  const plain = blocks.map((block) => {
    if (block.type !== 'context') return block;
    const elements = block.elements.filter(({type}) => type !== 'image');
    had ||= elements.length < block.elements.length;
    return {...block, elements};
  });
  return had ? {...message, blocks: plain} : undefined;
}

/** Slack's error codes for a message with a picture that Slack refuses. They can have other causes too. */
const pictureRefusals: ReadonlySet<string> = new Set([
  'invalid_blocks',
  'invalid_blocks_format',
  'downloading_file_failed',
]);

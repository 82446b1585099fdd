import {createCache} from '../../../domain/core/cache.js';
import {isCalendarDate} from '../../../domain/core/dates.js';
import {AppError} from '../../../domain/core/errors.js';
import type {ConversationEvent} from '../../../service/slack/conversation-changes.js';
import type {PendingReplies} from '../../../service/slack/typing.js';
import {listenToButton, listenToEvent} from '../core/listeners.js';
import {privateAnswer} from '../blocks/blocks.js';
import {postUpdate} from '../commands/post.js';
import {openForm} from '../form/open-form.js';
import type {SlackContext, SlackRequest} from '../core/context.js';
import {actions} from '../blocks/names.js';
import {admitRequester} from '../core/requester.js';
import {explainError} from '../core/refusals.js';
import {findNamesWithin} from '../core/find-names.js';
import {translationFor} from '../blocks/slack-translation.js';
import {namesFromRequest} from '../rich-text/names.js';
import {escapeText} from '../blocks/text.js';
import {answerPendingMessages} from './send-answers.js';
import type {Conversation} from './typed-messages.js';
import {type MessageEvent, readEvent} from './read-event.js';
import {keyOfUser} from '../core/origin.js';

/** The maximum number of refusals shown to a person in a minute. */
const refusalsPerMinute = 5;
const maxRefused = 10_000;
const minuteMs = 60_000;
/** The number of times that Slack sends an event again. */
const lastRetry = 3;

export function listenToTyping(context: SlackContext): void {
  const {identities, services, log} = context;
  const refusals = createCache<{count: number}>(maxRefused, minuteMs);
  const runInLine = createPersonQueue();

  listenToEvent(context, 'message', async ({event, origin, retries, onUnserved}) => {
    const message = event as MessageEvent;
    // Only text typed by a person needs a translation.
    const typed = readEvent(message, namesFromRequest(translationFor().texts));
    if (typed === undefined) return;
    const user = {id: typed.user, name: ''};
    const translation = await identities.translationFor(origin, user);
    const read = readEvent(message, namesFromRequest(translation.texts)) ?? typed;
    const request: SlackRequest = {
      origin,
      user,
      channel: read.heard.channel,
      // This is not a real trigger id: it opens no modal, but identifies the actions of this message.
      triggerId: `typed-${read.heard.ts}`,
      translation,
      respond: async () => {},
    };
    const {text, blocks, message: edited} = message;
    const given = [text, blocks, edited?.text, edited?.blocks];
    const names = await findNamesWithin(context, request, given, context.timeouts.names.typed);
    const {heard} = readEvent(message, names) ?? read;
    if (!(await serveMessage(request, heard, retries >= lastRetry))) onUnserved();
  });

  /** Serves a typed message. False: Slack must send it again, after a failure of the store. */
  async function serveMessage(
    request: SlackRequest,
    heard: ConversationEvent,
    isLast: boolean,
  ): Promise<boolean> {
    const deadline = identities.answerBy();
    let isKept = false;
    try {
      const slackWorkspace = await identities.findSlackWorkspace(request.origin, deadline);
      if (
        heard.kind !== 'typed' &&
        (await identities.findMember(slackWorkspace, request.user, deadline)) === undefined
      )
        return true;
      const call = await identities.admit(slackWorkspace, request.user, deadline);
      const taken = await runInLine(keyOfUser(request.origin, request.user.id), () =>
        services.typing.hear(call, request.user.id, heard),
      );
      isKept = true;
      if (taken === 'busy') return false;
      if (taken !== 'heard') await answerPendingMessages(context, {request, slackWorkspace, call}, taken);
      return true;
    } catch (error) {
      const isRefusal = error instanceof AppError && !passing.has(error.code);
      if (!isRefusal && !isLast) {
        log.warn(
          {code: error instanceof AppError ? error.code : 'no_answer'},
          'a typed message has no answer yet',
        );
        return false;
      }
      const {sentence} = explainError(context, error, request.translation.texts);
      const {typing} = request.translation.texts;
      // If the text is stored, the answer must not ask for it again: the text would then count twice.
      await sendRefusal(request, heard, isRefusal ? sentence : isKept ? typing.keptLate : typing.saveFailed);
      return true;
    }
  }

  async function sendRefusal(
    request: SlackRequest,
    {channel, thread}: ConversationEvent,
    sentence: string,
  ): Promise<void> {
    const key = keyOfUser(request.origin, request.user.id);
    const before = refusals.get(key) ?? {count: 0};
    if (before.count === 0) refusals.set(key, before);
    if ((before.count += 1) > refusalsPerMinute) return;
    try {
      const client = await identities.findClient(request.origin, identities.answerBy());
      const at = {channel, ...(thread !== undefined && {thread_ts: thread})};
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Slack's method, not a window's
      await client.chat.postMessage({...at, text: escapeText(sentence), parse: 'none', link_names: false});
    } catch {
      log.warn({}, 'could not answer a person in Slack');
    }
  }

  listenToButton(
    context,
    actions.quickReply,
    async ({request, value: {draft, word: text, slot}, at}, answer) => {
      if (typeof draft !== 'string' || typeof text !== 'string') return;
      const {slackWorkspace, call} = await admitRequester(context, request);
      const taken = await services.typing.hear(call, request.user.id, {
        kind: 'pressed',
        key: `press/${request.triggerId}`,
        channel: request.channel,
        thread: request.thread,
        ts: at,
        draft,
        text,
        slot: typeof slot === 'string' ? slot : undefined,
      });
      await answer();
      if (typeof taken !== 'string') await answerPress({request, slackWorkspace, call}, taken);
    },
  );

  /** Slack does not resend a press. If the person cannot be answered now, a message follows another way. */
  async function answerPress(conversation: Conversation, taken: PendingReplies): Promise<void> {
    try {
      await answerPendingMessages(context, conversation, taken);
    } catch (error) {
      const {request} = conversation;
      log.warn(
        {code: error instanceof AppError ? error.code : 'no_answer'},
        'a button press has no answer yet',
      );
      await request.respond({
        ...privateAnswer(request.translation.texts.typing.pressLate),
        replace_original: false,
      });
    }
  }

  listenToButton(context, actions.offerPost, async ({request, value: {ts, team, date}}, answer) => {
    const offer = await findOffer(request, ts);
    if (
      offer === undefined ||
      typeof team !== 'string' ||
      typeof date !== 'string' ||
      !isCalendarDate(date)
    ) {
      return answer(privateAnswer(request.translation.texts.typing.over));
    }
    const posted = await postUpdate(context, request, {
      update: offer.text,
      key: `typed-${offer.ts}`,
      team,
      date,
    });
    await answer();
    if (posted.outcome === 'form') return openForm(context, request, {...posted.request, replaces: true});
    await answer({...posted.answer, replace_original: posted.outcome === 'posted'});
    if (posted.standup === undefined) return;
    const listener = {...offer.listener, deadline: identities.answerBy()};
    const {id, team_id} = posted.standup;
    const done = {
      id: offer.ts,
      standups: [{id, team: team_id}],
      asks: 'parts',
      slots: {[offer.ts]: ''},
    } as const;
    const {channel, thread} = request;
    await services.typing.finish(listener, request.user.id, done, {
      messages: [{ts: offer.ts, text: offer.text, ...(offer.at !== undefined && {editedAt: offer.at})}],
      location: {key: `offer/${offer.ts}`, channel, ...(thread !== undefined && {thread})},
    });
    const taken = await services.typing.resume(listener, request.user.id);
    if (typeof taken !== 'string')
      await answerPendingMessages(
        context,
        {request, slackWorkspace: offer.slackWorkspace, call: listener},
        taken,
      );
  });

  listenToButton(context, actions.offerNo, async ({request, value: {ts}}, answer) => {
    const offer = await findOffer(request, ts);
    if (offer !== undefined) await services.typing.decline(offer.listener, request.user.id, offer.ts);
    await answer({...privateAnswer(request.translation.texts.typing.declined), replace_original: true});
  });

  async function findOffer(request: SlackRequest, ts: unknown) {
    const {slackWorkspace, call: listener} = await admitRequester(context, request);
    const record = await services.typing.find(listener, request.user.id);
    const found = record?.offers.find((one) => one.ts === ts);
    return found && {...found, listener, slackWorkspace};
  }
}

/** Runs one person's tasks in order: in parallel they would conflict and delay those of others. */
function createPersonQueue() {
  const lines = new Map<string, Promise<unknown>>();
  return async function runInLine<T>(key: string, work: () => Promise<T>): Promise<T> {
    const mine = (lines.get(key) ?? Promise.resolve()).then(work);
    const done = mine.catch(() => {});
    lines.set(key, done);
    await done;
    if (lines.get(key) === done) lines.delete(key);
    return mine;
  };
}

/** Refusals that may be over in a minute. */
const passing: ReadonlySet<string> = new Set([
  'service_unavailable',
  'internal_error',
  'storage_full',
  'store_lost',
]);

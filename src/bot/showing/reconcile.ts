import type {PromptState} from '../../domain/prompts/prompt.js';
import {type SlackItem, slackItemName, formatSlackMessageField} from '../../domain/slack/slack-post.js';
import type {ChannelLease, ChannelWork, Settlement} from './channel-work.js';
import {
  type Chat,
  type ChatMessage,
  type ChatFailure,
  isMessageGone,
  isSearchHopeless,
  isThreadGone,
  isTemporaryRefusal,
} from './chat.js';
import type {Failures} from './failures.js';
import {
  type MessageKind,
  type MessagePart,
  type DesiredMessage,
  markFields,
  type MessageOutcome,
  type Task,
} from './kind.js';
import {
  findMessageChannel,
  createMarkedPosts,
  unknownChannel,
  unknownContent,
  type NumberedMessage,
} from './marked-posts.js';
import type {Id} from '../../domain/core/ids.js';
import type {ShowingContext} from './context.js';

export interface ChannelContext<M extends ChatMessage> extends ShowingContext {
  readonly chat: Chat<M>;
  readonly work: ChannelWork;
  readonly failures: Failures;
  /** Finds out why messages to a person are no longer delivered. Never rejects. */
  readonly lookAt: (workspace: Id<'workspace'>, person: string) => Promise<void>;
  /** Looks whether a person's status says that they are away. Returns true if their reminder changes. Never rejects. */
  readonly lookAtStatus: (
    workspace: Id<'workspace'>,
    person: string,
    state: Pick<PromptState, 'member' | 'lines'>,
  ) => Promise<boolean>;
}

/** Makes the messages of a channel match their wanted content, with one call to the chat at a time. */
export type Reconciler<M extends ChatMessage> = ReturnType<typeof createReconciler<M>>;

/** A mark is saved before a message is sent, and a mark found later causes one search. */
export function createReconciler<M extends ChatMessage>(
  chat: Chat<M>,
  work: ChannelWork,
  failures: Failures,
) {
  const {calls} = chat;
  const {recordOutcome} = work;
  const {post, look} = createMarkedPosts(chat, work);

  async function reconcile<I extends SlackItem, R>(
    kind: MessageKind<I, R, M>,
    lease: ChannelLease,
    item: I,
  ): Promise<void> {
    const found = await kind.find(lease, item);
    if (found === undefined) return recordOutcome(lease, item, {next: 'settled'});
    const task = {kind, lease, item, found};
    const shown = kind.shownOf(found);
    if (shown.sending !== undefined) return resolveMark(task, shown.sending);
    const desired = await kind.desire(lease, item, found);
    if (desired.kind === 'record') return recordOutcome(lease, item, desired.settlement);
    if (desired.kind === 'done') return;
    if (desired.kind === 'remove') return removeMessage(task, desired);
    for (const [i, want] of desired.messages.entries()) {
      const number = i + 1;
      const there = shown.parts.get(number);
      if (there === undefined && shown.removed) continue;
      const {end, next = 'more'} = desired;
      if (there === undefined) return publish(task, {number, want, end, next});
      if (there.shown !== want.shown) return editMessage(task, {...there, number, want, next});
    }
    const last = Math.max(0, ...shown.parts.keys());
    if (last > desired.messages.length) return removeMessage(task, {number: last, after: {next: 'more'}});
    await desired.finish();
  }

  async function publish<I extends SlackItem, R>(
    task: Task<I, R, M>,
    {number, want, end, next}: NumberedMessage<M> & {end: Partial<Settlement>},
  ): Promise<void> {
    const {lease, item, found} = task;
    const {thread} = task.kind;
    const isFirst = number === 1;
    let parent: string | undefined;
    if (!isFirst) {
      parent = thread?.of(found);
      // The thread no longer exists: the reply is not posted anywhere else.
      if (parent === undefined) return recordOutcome(lease, item, {...end, next: 'settled'});
    } else {
      const root = await thread?.ensureRoot(lease, item, found);
      if (root !== undefined && root.kind !== 'there') return failures.ofRoot(task, root);
      parent = root?.ts;
    }
    const step = await post(task, {number, want, parent, next});
    if (step.kind !== 'failed') return;
    const {failure, mark} = step;
    if (!isThreadGone(failure) || thread === undefined) return failures.fail(task, failure, mark);
    const clear = [...(mark.clear ?? []), 'parent'];
    // A person who removed the first message of a thread wanted its replies removed too.
    if (!isFirst) return recordOutcome(lease, item, {...end, ...mark, clear, next: 'settled'});
    if (task.kind.policy(found).rootGone === 'leave')
      return recordOutcome(lease, item, {...mark, clear, set: {removed: '1'}, next: 'settled'});
    // A person has removed the thread's first message: later messages get a new one.
    await recordOutcome(lease, thread.rootOf(found), {clear: ['ts', 'shown'], next: 'settled'});
    await recordOutcome(lease, item, {...mark, clear, next: 0});
  }

  async function resolveMark<I extends SlackItem, R>(task: Task<I, R, M>, token: string): Promise<void> {
    const step = await look(task, token, 'more');
    if (step.kind === 'unseen') await failures.failLook(task, step.failure, token);
  }

  async function editMessage<I extends SlackItem, R>(
    task: Task<I, R, M>,
    {number, want, next, ts, isSame}: NumberedMessage<M> & MessagePart,
  ): Promise<void> {
    const {kind, lease, item, found} = task;
    const policy = kind.policy(found);
    const channel = await findMessageChannel(task);
    const behind = policy.behind || want.behind ? slackItemName(item) : undefined;
    const result =
      channel === undefined ? unknownChannel : await calls.update(channel, ts, want.message, behind);
    const gone = isMessageGone(result);
    if (gone && policy.removed === 'post-again') {
      const clear = ['failures', 'ts', 'shown'];
      return recordOutcome(lease, item, {clear, next: 'settled', ...want.again});
    }
    const isTaken = result.kind === 'done' || gone || isTextUpToDate(result);
    if (!isTaken) {
      // An edit of low priority is repeated by a schedule of its own.
      if (behind !== undefined && result.kind === 'limited')
        return recordOutcome(lease, item, {next: result.waitMs});
      if (policy.refusedEdit === 'fail') return failures.fail(task, result);
      const wait = failures.waitFor(kind, found, result);
      if (wait !== undefined) return recordOutcome(lease, item, wait);
      if (policy.refusedEdit === 'try-again')
        return recordOutcome(lease, item, {clear: ['failures'], next: 'settled'});
    }
    if (result.kind === 'done') await kind.noteShown?.(lease, found);
    const fields = kind.fieldsOf(number, want.shown);
    // A given-up message is tried again only on request, and an edit of the message before is no request.
    const failureFields = policy.failed === 'once-lost' ? ['failures'] : ['failures', 'failed'];
    await recordOutcome(lease, item, {
      clear: [...failureFields, ...fields.clear, ...(want.clear ?? [])],
      set: {...fields.set, ...want.set, ...(gone && policy.removed === 'stop' && {removed: '1'})},
      next,
      success: isTaken,
    });

    /** True if the text is up to date and only other parts are not: the message then counts as shown. */
    function isTextUpToDate(failure: ChatFailure): boolean {
      if (channel === undefined) return true;
      return failure.kind === 'refused' && !isTemporaryRefusal(failure) && isSame?.(want) === true;
    }
  }

  /** Removes one message. The last goes first, so that no reply stays without its thread's first message. */
  async function removeMessage<I extends SlackItem, R>(
    task: Task<I, R, M>,
    {number, after: {clear = [], ...after}}: {number: number; after: Settlement},
  ): Promise<void> {
    const {kind, lease, item, found} = task;
    const ts = kind.shownOf(found).parts.get(number)?.ts;
    const channel = await findMessageChannel(task);
    const result = ts === undefined || channel === undefined ? undefined : await calls.remove(channel, ts);
    if (result !== undefined && result.kind !== 'done' && !isMessageGone(result))
      return failures.fail(task, result);
    const fields = kind.fieldsOf(number, unknownContent);
    const names = [formatSlackMessageField('ts', number), ...Object.keys(fields.set), ...fields.clear];
    await recordOutcome(lease, item, {
      clear: [...names, 'failures', 'failed', ...clear],
      ...(ts !== undefined && {success: true}),
      ...after,
    });
  }

  /** Ensures that the message that starts a thread exists. The caller handles failures. */
  async function ensurePosted<I extends SlackItem, R>(
    kind: MessageKind<I, R, M>,
    lease: ChannelLease,
    item: I,
    want: (record: R) => Promise<DesiredMessage<M>>,
  ): Promise<MessageOutcome> {
    const found = await kind.find(lease, item);
    if (found === undefined) return {kind: 'not-now'};
    const task = {kind, lease, item, found};
    const {parts, sending} = kind.shownOf(found);
    const ts = parts.get(1)?.ts;
    if (ts !== undefined) return {kind: 'there', ts};
    if (sending !== undefined) {
      const seen = await look(task, sending, 'settled');
      // The search can never succeed, so other messages must not wait for it.
      if (seen.kind === 'unseen' && isSearchHopeless(seen.failure))
        await recordOutcome(lease, item, {token: sending, clear: markFields, next: 'settled'});
      if (seen.kind !== 'absent') return seen;
    }
    const wanted = await want(found);
    const first = {number: 1, want: wanted, parent: undefined, next: 'settled'} as const;
    const step = await post(task, first);
    if (step.kind === 'failed' && step.mark.clear)
      await recordOutcome(lease, item, {...step.mark, next: 'settled'});
    return step;
  }

  return {reconcile, ensure: ensurePosted};
}

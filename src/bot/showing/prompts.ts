import {suffixOf, type IdSuffix} from '../../domain/core/ids.js';
import {
  findFirstSendTime,
  findNextRepeatTime,
  listOpenLines,
  needsNewMessage,
  type Prompt,
  type PromptContent,
  type PromptState,
} from '../../domain/prompts/prompt.js';
import {type SlackItem, slackItemName} from '../../domain/slack/slack-post.js';
import {type ChannelLease, readMarkTime, type Settlement, storeDeadline} from './channel-work.js';
import {type ChatMessage, type ChatFailure, concernsPerson, isMessageOrThreadGone} from './chat.js';
import {
  hashContent,
  type DesiredMessages,
  type MessageKind,
  singleMessage,
  channelUnknown,
  markFields,
} from './kind.js';
import {hasMetadata} from './metadata.js';
import {policies} from './policies.js';
import type {ChannelContext} from './reconcile.js';

type PromptItem = SlackItem & {kind: 'prompt'};

/** A reminder and the content it should show now. No content when the member no longer exists. */
interface FoundPrompt {
  readonly prompt: Prompt;
  readonly state: PromptContent | undefined;
}

/** The result that ends the work on a reminder whose member no longer exists. */
const gone: Settlement = {next: 'settled', forget: true};

/** Error codes for a chat account that may no longer exist. */
const accountRefusals: ReadonlySet<string> = new Set(['user_disabled', 'user_not_found']);

/** The time (ms) for which an edit waits for the link to the standup, so that one edit shows both. */
const linkMs = 10_000;

/**
 * The one reminder of a member's day, edited to show the outcome. An edit notifies no one, so a repeated
 * reminder is a new message that replaces the earlier one, or is merged into the next day's.
 */
export function createPromptMessages<M extends ChatMessage>(
  context: ChannelContext<M>,
): MessageKind<PromptItem, FoundPrompt, M> {
  const {prompts, chat, work, failures, now} = context;
  const {channelViews: views} = context.services;
  const {present, calls} = chat;

  const kind: MessageKind<PromptItem, FoundPrompt, M> = {
    policy: () => policies.prompt,
    async find({workspace, channel}, {member, date}) {
      const prompt = await prompts.find(workspace, member, date, storeDeadline());
      // The member uses another chat account now, whose channel gets the reminder.
      if (prompt === undefined || prompt.user !== channel) return undefined;
      return {prompt, state: await views.findPromptContent({workspace, deadline: storeDeadline()}, prompt)};
    },
    ...singleMessage,
    shownOf: ({prompt}) => singleMessage.shownOf(prompt),
    isOurs: ({prompt: {member, date, take}}, _number, metadata) =>
      hasMetadata(metadata, 'prompt', {member, date, take}),
    channelOf: async ({workspace, channel}, {prompt}) =>
      prompt.channel ?? prompts.findDirect(workspace, channel, storeDeadline()),
    desire: (lease, item, found) =>
      found.prompt.ts === undefined
        ? planFirstMessage(lease, item, found)
        : planEdit(lease, item, found, found.prompt.ts),
    recordPosted: (_found, {posted: {channel}, token = ''}) => ({set: {channel, sent: readMarkTime(token)}}),
    // Every success is recorded: a merged reminder loses its count of failures, which cannot tell this.
    noteShown: (lease, {prompt}) => noteUnreachable(lease, prompt, [...prompt.runs.keys()], undefined),
    isFinal: (failure) => failure.kind === 'refused' && concernsPerson(failure),
    // Each failure is recorded at once: a run may close and report before the next attempt. It comes before
    // the attempt's outcome, so that after a crash in between it is only recorded again.
    async noteFailure(lease, {prompt, state}, code) {
      const runs = listOpenLines(state).map(({run}) => suffixOf(run));
      await noteUnreachable(lease, prompt, runs, code);
      if (accountRefusals.has(code)) await context.lookAt(lease.workspace, prompt.user);
    },
    recordLost: ({prompt}) => ({next: prompt.old.length > 0 ? 'more' : 'settled'}),
    whenUnsure: resolveUncertainPost,
  };
  return kind;

  async function planFirstMessage(
    lease: ChannelLease,
    item: PromptItem,
    {prompt, state}: FoundPrompt,
  ): Promise<DesiredMessages<M>> {
    const isOver = prompt.snoozed !== undefined && prompt.snoozed <= now();
    // Removes the snooze only if its time is over, so that a snooze chosen during this step stays.
    const snoozed = isOver ? ['snoozed'] : [];
    const isOpen = listOpenLines(state).length > 0;
    if (state === undefined || !isOpen || !state.wanted || prompt.failed !== undefined) {
      const latest = prompt.old.at(-1);
      // No new message is sent, so the reminder's existing message remains the current one.
      if (latest !== undefined)
        return makeRecordStep({
          ...buildReplacedMessageFields(prompt.old.slice(0, -1), {ts: latest}, snoozed),
          next: 'more',
        });
      // A person who chose another channel, or another account, while the reminder waited gets it there.
      if (state?.wanted === false && prompt.failed === undefined)
        await context.services.moveReminder(context.jobCall(lease.workspace), prompt);
      if (state === undefined) return makeRecordStep(gone);
      // They may also come back until the reminder is sent.
      const at = findFirstSendTime(prompt, state);
      return makeRecordStep({next: isOpen && prompt.failed === undefined && at > now() ? {at} : 'settled'});
    }
    const from = findFirstSendTime(prompt, state);
    if (from > now()) return makeRecordStep({next: {at: from}});
    // A reminder left over from an earlier day becomes today's reminder, or is merged into it.
    if (state.today > prompt.date) {
      await prompts.moveTo(lease, prompt, state.today, storeDeadline());
      return {kind: 'done'};
    }
    if (await context.lookAtStatus(lease.workspace, prompt.user, state))
      return makeRecordStep({next: 'more'});
    return {
      kind: 'messages',
      messages: [
        {
          message: present.prompt(prompt, state, {now: now()}),
          shown: hashContent(present.prompt(prompt, state, {})),
          clear: ['links', ...snoozed],
        },
      ],
      end: {},
      finish: () => work.recordOutcome(lease, item, {next: 'more'}),
    };
  }

  /** Plans the edit of a reminder's message, or deletes the record of a member who no longer exists. */
  async function planEdit(
    lease: ChannelLease,
    item: PromptItem,
    {prompt, state: current}: FoundPrompt,
    ts: string,
  ): Promise<DesiredMessages<M>> {
    const state = current ?? {wanted: false, lines: [], blockers: [], awayEmoji: undefined};
    const isOpen = listOpenLines(state).length > 0;
    const {snoozed, old} = prompt;
    const isPutOff = snoozed !== undefined && snoozed <= now();
    // If the member has turned reminders off, a snoozed reminder's message stays, and no new one is sent.
    if (isOpen && isPutOff && !state.wanted) return makeRecordStep({clear: ['snoozed'], next: 'more'});
    const again = current?.wanted && isOpen ? findNextRepeatTime(prompt, current) : undefined;
    if (again !== undefined && again <= now()) {
      const set = {take: prompt.take + 1, old: [...old, ts].join(',')};
      // A repeated reminder is sent even if an earlier attempt failed.
      return makeRecordStep({clear: ['ts', 'shown', 'failures', 'failed'], set, next: 'more'});
    }
    const waiting = isPutOff ? undefined : snoozed;
    const end = current === undefined ? gone : planNextReminderTime(state, again ?? snoozed);
    const shown = hashContent(present.prompt(prompt, state, {snoozed: waiting}));
    const until = prompt.linksUntil > 0 ? prompt.linksUntil : now() + linkMs;
    const awaitsLink = state.lines.some((line) => line.awaitsLink) && until > now();
    if (prompt.shown !== shown && awaitsLink) return makeRecordStep({set: {links: until}, next: {at: until}});
    return {
      kind: 'messages',
      messages: [
        {
          message: present.prompt(prompt, state, {snoozed: waiting, now: now()}),
          shown,
          clear: ['links'],
        },
      ],
      next: old.length > 0 || end.forget ? 'more' : end.next,
      end: {},
      finish: () =>
        old.length > 0
          ? removeReplaced(lease, item, {prompt, state: current})
          : work.recordOutcome(lease, item, end),
    };
  }

  /** Removes the oldest of the messages that a newer message of the reminder has replaced. */
  async function removeReplaced(lease: ChannelLease, item: PromptItem, found: FoundPrompt): Promise<void> {
    const {prompt} = found;
    const [first = '', ...left] = prompt.old;
    const channel = await kind.channelOf?.(lease, found);
    if (channel !== undefined) {
      const behind = slackItemName(item);
      const result = await calls.remove(channel, first, behind);
      const wait = result.kind === 'done' ? undefined : failures.waitFor(kind, found, result);
      if (wait !== undefined) return work.recordOutcome(lease, item, wait);
      if (result.kind === 'refused' && !isMessageOrThreadGone(result))
        await calls.update(channel, first, present.moved(prompt), behind);
    }
    return work.recordOutcome(lease, item, {
      ...buildReplacedMessageFields(left, {}, ['failures']),
      next: 'more',
    });
  }

  /** Sends nothing while it is unknown whether a reminder was posted; the next attempt searches first. */
  async function resolveUncertainPost(
    lease: ChannelLease,
    {prompt, state}: FoundPrompt,
    token: string | undefined,
    failure: ChatFailure,
  ): Promise<Settlement> {
    const mark = token === undefined ? {} : {token};
    if (failure.kind !== 'refused') return {...mark, set: {failed: 'outcome_unknown'}, next: 'settled'};
    const isPersonal = concernsPerson(failure) && failure.code !== channelUnknown;
    // If there is another reason to remind by now, a new message does not repeat the uncertain one.
    if (!isPersonal && needsNewMessage({...prompt, sent: readMarkTime(token ?? '')})) {
      const set = {take: prompt.take + 1};
      return {...mark, clear: [...markFields, 'failures', 'failed'], set, next: 'more'};
    }
    if (!isPersonal) await kind.noteShown?.(lease, {prompt, state});
    const failed = isPersonal ? failure.code : 'outcome_unknown';
    return {...mark, set: {failed}, next: 'settled', forget: state === undefined};
  }

  /** Returns the time at which the reminder is due next: when a run closes, or when the reminder repeats. */
  function planNextReminderTime(state: Pick<PromptState, 'lines'>, again: number | undefined): Settlement {
    const open = listOpenLines(state).map(({closesAt}) => closesAt);
    const due = open.length === 0 || again === undefined ? open : [...open, again];
    return {next: due.length === 0 ? 'settled' : {at: Math.min(...due)}};
  }

  function noteUnreachable(
    {workspace}: ChannelLease,
    {member}: Prompt,
    runs: readonly IdSuffix<'run'>[],
    code: string | undefined,
  ): Promise<void> {
    return prompts.noteUnreachable(workspace, runs, member, code, storeDeadline());
  }
}

function makeRecordStep(settlement: Settlement): {kind: 'record'; settlement: Settlement} {
  return {kind: 'record', settlement};
}

/** Returns the field that lists the replaced messages still to be removed, together with the other fields. */
function buildReplacedMessageFields(
  old: readonly string[],
  set: Readonly<Record<string, string>>,
  clear: readonly string[] = [],
): Pick<Settlement, 'set' | 'clear'> {
  if (old.length === 0) return {set, clear: [...clear, 'old']};
  return {set: {...set, old: old.join(',')}, clear};
}

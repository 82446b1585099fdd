import type {IdSuffix} from '../../domain/core/ids.js';
import {
  countPostedMembers,
  type SlackDay,
  type SlackItem,
  type SlackPost,
} from '../../domain/slack/slack-post.js';
import {type ChannelLease, storeDeadline} from './channel-work.js';
import {type ChatMessage, isMessageGone, isSearchHopeless} from './chat.js';
import {
  hashContent,
  type MessageKind,
  type DesiredMessage,
  singleMessage,
  markFields,
  type MessageOutcome,
} from './kind.js';
import {hasMetadata} from './metadata.js';
import {policies} from './policies.js';
import type {Reconciler, ChannelContext} from './reconcile.js';

type DayItem = SlackItem & {kind: 'day'};
type ThreadDay = Pick<DayItem, 'team' | 'date'>;

export type Days = ReturnType<typeof createDayMessages>;

/** The message of a day, which starts the thread of its standups and report, and shows who has posted. */
export function createDayMessages<M extends ChatMessage>(
  {posts, chat, services: {channelViews: views}, work}: ChannelContext<M>,
  reconciler: Reconciler<M>,
) {
  const {calls, present: presenters} = chat;
  const kind: MessageKind<DayItem, SlackDay, M> = {
    policy: () => policies.day,
    find: ({workspace, channel}, {team, date}) =>
      posts.findDay(workspace, channel, team, date, storeDeadline()),
    ...singleMessage,
    isOurs: ({team, date}, _number, metadata) => hasMetadata(metadata, 'day', {team, date}),
    // If it is unknown whether the message was posted, it is posted again: two copies do less harm than none.
    async whenUnsure(_lease, {failures}, token, failure) {
      if (failure.kind !== 'refused' || !isSearchHopeless(failure)) return undefined;
      const next = work.waitAfter(failure, failures) ?? 'settled';
      return {token, clear: markFields, set: {failures: failures + 1}, next};
    },
    async desire(lease, item, day) {
      const settlement = {next: 'settled'} as const;
      if (day.ts === undefined && !day.wanted) return {kind: 'record', settlement};
      return {
        kind: 'messages',
        messages: [await presentDayMessage(lease, day)],
        next: 'settled',
        end: {},
        finish: () => work.recordOutcome(lease, item, settlement),
      };
    },
  };

  async function presentDayMessage({workspace}: ChannelLease, day: SlackDay): Promise<DesiredMessage<M>> {
    const {date, team} = day;
    const call = {workspace, deadline: storeDeadline()};
    const run = await views.findRun(call, team, date);
    const isOver = run === undefined ? await views.isOver(call, team, date) : run.closing === 'closed';
    const count = run?.count ?? countPostedMembers(day, isOver);
    const names = day.names ? await views.listAuthors(call, pickFirstStandups(day)) : undefined;
    const message = presenters.day({team, date, ...count, names, closing: run?.closing});
    // If a person deletes the message, Slack hides its thread. While the run is open, we then post the
    // message again; later we do so only if a late standup needs it.
    const comesAgain = !isOver && day.authors.size > 0;
    return {
      message,
      shown: hashContent(message.text),
      set: {of: count.of},
      again: comesAgain
        ? {set: {wanted: '1'}, next: 'more'}
        : {clear: ['failures', 'ts', 'shown', 'wanted'], next: 'settled'},
    };
  }

  /** Posts the message of a day if it does not exist. `post`: a standup that the message counts already. */
  const ensure = (lease: ChannelLease, day: ThreadDay, post?: SlackPost): Promise<MessageOutcome> =>
    reconciler.ensure(kind, lease, {kind: 'day', ...day}, (found) =>
      presentDayMessage(lease, post === undefined ? found : addPostToDay(found, post)),
    );

  return {
    show: (lease: ChannelLease, item: DayItem) => reconciler.reconcile(kind, lease, item),
    ensure,
    /** Updates the message of a day. If a person has removed the message, posts it again. */
    async renew(lease: ChannelLease, {team, date}: ThreadDay): Promise<MessageOutcome> {
      const item = {kind: 'day', team, date} as const;
      const day = await posts.findDay(lease.workspace, lease.channel, team, date, storeDeadline());
      if (day.ts === undefined) return ensure(lease, item);
      const {message, shown, set} = await presentDayMessage(lease, day);
      const there = {kind: 'there', ts: day.ts} as const;
      if (shown === day.shown) return there;
      const result = await calls.update(lease.channel, day.ts, message);
      if (result.kind === 'done')
        await work.record(lease, item, {clear: ['failures'], set: {...set, shown}, next: 'settled'});
      if (!isMessageGone(result)) return there;
      await work.record(lease, item, {clear: ['failures', 'ts', 'shown'], next: 'settled'});
      return ensure(lease, item);
    },
  };
}

function addPostToDay(day: SlackDay, {suffix, author, mode}: SlackPost): SlackDay {
  return {
    ...day,
    authors: new Map([...day.authors, [suffix, author]]),
    names: day.names || mode === 'digest',
  };
}

function pickFirstStandups({authors}: SlackDay): IdSuffix<'standup'>[] {
  return [...new Map([...authors].map(([suffix, author]) => [author, suffix])).values()];
}

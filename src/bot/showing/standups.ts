import {suffixOf, isId} from '../../domain/core/ids.js';
import {
  type SlackItem,
  type SlackPost,
  findSlackMessageOfPost,
  formatCommentField,
  formatSlackMessageField,
} from '../../domain/slack/slack-post.js';
import {listDatesAround} from '../../domain/prompts/prompt-days.js';
import {type ChannelLease, type Settlement, storeDeadline} from './channel-work.js';
import type {ChatMessage, FoundMetadata} from './chat.js';
import type {Days} from './days.js';
import {type DesiredMessages, type MessageKind, markFields} from './kind.js';
import {isStandupMessage, readDetailKey, readShownRevision} from './metadata.js';
import {policies} from './policies.js';
import type {ChannelContext} from './reconcile.js';

type StandupItem = SlackItem & {kind: 'standup'};

/** Shows each standup in one message or more: in the thread of its day, or directly in the channel. */
export function createStandupMessages<M extends ChatMessage>(
  context: ChannelContext<M>,
  days: Days,
): MessageKind<StandupItem, SlackPost, M> {
  const {posts, chat, work, failures} = context;
  const {channelViews: views, slackFailures} = context.services;

  const standups: MessageKind<StandupItem, SlackPost, M> = {
    policy: () => policies.standup,
    find: ({workspace}, {suffix}) => posts.find(workspace, suffix, storeDeadline()),
    shownOf: (post) => ({...post, parts: listShownParts(post), removed: false}),
    isOurs: isStandupMessage,
    desire: planMessages,
    fieldsOf(number, shown) {
      const [revision = '', blockers = '', counts = ''] = shown.split('/');
      const details = Object.entries({blockers, counts}).map(
        ([name, key]) => [formatSlackMessageField(name as 'blockers' | 'counts', number), key] as const,
      );
      const posted = {[formatSlackMessageField('posted', number)]: revision};
      return {
        set: {...posted, ...Object.fromEntries(details.filter(([, key]) => key !== ''))},
        clear: details.flatMap(([field, key]) => (key === '' ? [field] : [])),
      };
    },
    readShown: ({metadata}) => readContentKey(readShownRevision(metadata), metadata),
    thread: {
      ensureRoot: async (lease, _item, post) =>
        post.mode === 'channel' ? undefined : days.ensure(lease, {team: post.team, date: post.day}, post),
      rootOf: ({team, day: date}) => ({kind: 'day', team, date}),
      of: ({mode, ts, parent}) => (mode === 'channel' ? ts : parent),
    },
    recordPosted(post, {number, posted}) {
      if (number > 1) return {};
      return post.mode === 'channel' ? {root: posted.ts} : computeDayMessageChange(post, {shows: true});
    },
    failureReporter: ({workspace, channel}, item, {suffix, team, want, posted}) => ({
      // A failed removal is not reported: no one expected to see the standup any more.
      note: async (code, isLost) => {
        if (isLost && want === 'deleted') return;
        await context.slackTroubles.note(
          workspace,
          channel,
          {team, code, ...(isLost && {lost: item})},
          storeDeadline(),
        );
      },
      report: (code) => {
        const revision = want === 'deleted' ? Math.max(1, posted) : want;
        const unshown = {kind: 'standup', suffix, revision, team} as const;
        return slackFailures.reportUnshown(context.jobCall(workspace), unshown, code);
      },
    }),
    // If we stop trying to show a standup, the message of its day must no longer count it.
    recordLost: (post) => ({
      want: post.want,
      ...(post.ts === undefined && post.mode === 'thread' && computeDayMessageChange(post, {shows: false})),
    }),
    // A removal continues with the messages that we know, even if there may be one more.
    whenUnsure: async (_lease, post, token) =>
      post.want === 'deleted' && findLastPartNumber(post) > 0
        ? {...(token !== undefined && {token}), clear: [...markFields, 'failures'], next: 'more'}
        : undefined,
  };
  return standups;

  async function planMessages(
    lease: ChannelLease,
    item: StandupItem,
    post: SlackPost,
  ): Promise<DesiredMessages<M>> {
    const {workspace} = lease;
    const {want} = post;
    if (want === 'deleted') return post.comments.length > 0 ? removeComments(lease, post) : planRemoval(post);
    const call = {workspace, deadline: storeDeadline()};
    const standup = await views.findStandup(call, post.suffix, want);
    if (standup === undefined) return {kind: 'record', settlement: {next: 'settled', want}};
    if (standup.date !== post.day) return moveToOtherDay(post, standup.date);
    if (post.mode === 'digest') return planDigestEntry(lease, item, post, want);
    const [blockers, counts, picture, nameable] = await Promise.all([
      views.listBlockersOf(call, standup),
      views.countAnswers(call, post.team, post.suffix),
      views.findPicture(call, standup.author.id),
      // The mentioned people were notified at first: a message moved to another thread mentions no one.
      post.again ? undefined : views.listNameable(call, post.team, standup),
    ]);
    const location =
      post.mode === 'channel' ? ({in: 'channel', date: post.day} as const) : ({in: 'thread'} as const);
    const messages = chat.present.standup({...standup, blockers, counts, picture}, location, nameable);
    return {
      kind: 'messages',
      messages: messages.map((message) => ({
        message,
        shown: readContentKey(want, message.metadata),
        // Only the counts, which the first message has, are different then.
        behind: post.posted === want && post.blockers === readDetailKey(message.metadata, 'blockers'),
      })),
      end: {want},
      finish: () => recordFinished(lease, item, post),
    };
  }

  /** Removes the comments below a deleted standup first. They go without events of their own. */
  async function removeComments(
    {workspace, channel}: ChannelLease,
    {comments}: SlackPost,
  ): Promise<DesiredMessages<M>> {
    const items = comments.map((suffix) => ({channel, item: {kind: 'comment', suffix} as const}));
    await posts.refresh(workspace, items, storeDeadline());
    return {kind: 'record', settlement: {clear: comments.map(formatCommentField), next: 1}};
  }

  /** Removes the last message first: without replies, Slack leaves no placeholder for the first one. */
  function planRemoval(post: SlackPost): DesiredMessages<M> {
    const number = findLastPartNumber(post);
    if (number > 1) return {kind: 'remove', number, after: {next: 'more'}};
    const leaves = post.mode === 'channel' ? {} : computeDayMessageChange(post, {shows: false});
    const end = {next: 'settled', want: 'deleted', forget: true, ...leaves} as const;
    return number === 1 ? {kind: 'remove', number, after: end} : {kind: 'record', settlement: end};
  }

  /** Moves a standup whose date has changed from the thread of its old day to that of the new day. */
  function moveToOtherDay(post: SlackPost, date: string): DesiredMessages<M> {
    const number = findLastPartNumber(post);
    if (post.mode === 'thread' && number > 1) return {kind: 'remove', number, after: {next: 'more'}};
    const set = {day: date};
    if (post.mode === 'channel') return {kind: 'record', settlement: {set, next: 'more'}};
    const leaves = computeDayMessageChange(post, {shows: false});
    if (number === 0) return {kind: 'record', settlement: {set, next: 'more', clear: ['posted'], ...leaves}};
    const after = {
      set: {...set, again: '1'},
      next: 'more',
      clear: ['parent', 'permalink'],
      ...leaves,
    } as const;
    return {kind: 'remove', number, after};
  }

  /** In `digest` mode the standup has no message: its author's name appears in the message of the day. */
  async function planDigestEntry(
    lease: ChannelLease,
    item: StandupItem,
    post: SlackPost,
    want: number,
  ): Promise<DesiredMessages<M>> {
    if (post.posted === 0) {
      const day = await days.ensure(lease, {team: post.team, date: post.day}, post);
      if (day.kind !== 'there') {
        await failures.ofRoot({kind: standups, lease, item, found: post}, day);
        return {kind: 'done'};
      }
    }
    const settlement: Settlement = {
      clear: ['failures', 'failed'],
      set: {posted: want},
      next: 'settled',
      want,
      success: true,
      ...computeDayMessageChange(post, {shows: true, names: true}),
    };
    return {kind: 'record', settlement};
  }

  /** Records that all messages exist, and asks for their address. The next step asks again. */
  async function recordFinished(lease: ChannelLease, item: StandupItem, post: SlackPost): Promise<void> {
    const {ts, team, day: date, want} = post;
    const asked = ts !== undefined && post.permalink === undefined;
    const found = asked ? await chat.calls.findPermalink(lease.channel, ts) : undefined;
    const permalink = found?.kind === 'done' ? found.value : undefined;
    const link = permalink === undefined ? {} : {set: {permalink}, links: {team, date}};
    await work.record(lease, item, {...link, success: true, next: 'settled', want});
    if (permalink !== undefined) await scheduleReminderLink(lease, post);
  }

  /** Schedules an edit of the author's reminder, which waits for the link to the standup. */
  async function scheduleReminderLink({workspace}: ChannelLease, {author, day}: SlackPost): Promise<void> {
    if (!isId('member', author)) return;
    const waiting = await context.prompts.listOf(
      workspace,
      suffixOf(author),
      listDatesAround([day]),
      storeDeadline(),
    );
    await context.prompts.ask(workspace, waiting, storeDeadline());
    for (const {user} of waiting) context.wake(workspace, {kind: 'post-slack', channel: user});
  }
}

function findLastPartNumber({ts, rest}: SlackPost): number {
  return Math.max(ts === undefined ? 0 : 1, ...rest.keys());
}

function listShownParts(
  post: SlackPost,
): Map<number, {ts: string; shown: string; isSame: (want: {shown: string}) => boolean}> {
  const numbers = [...(post.ts === undefined ? [] : [1]), ...post.rest.keys()];
  return new Map(
    numbers.flatMap((number) => {
      const part = findSlackMessageOfPost(post, number);
      if (part === undefined) return [];
      const {ts, posted, blockers} = part;
      const isSame = ({shown}: {shown: string}) => shown.startsWith(`${posted}/`);
      const counts = number === 1 ? post.counts : '';
      return [[number, {ts, shown: computeContentKey(posted, blockers, counts), isSame}] as const];
    }),
  );
}

function computeContentKey(revision: number, blockers: string, counts: string): string {
  return `${revision}/${blockers}/${counts}`;
}

function readContentKey(revision: number, metadata: FoundMetadata | undefined): string {
  const [blockers, counts] = [readDetailKey(metadata, 'blockers'), readDetailKey(metadata, 'counts')];
  return computeContentKey(revision, blockers, counts);
}

function computeDayMessageChange(
  {team, day: date, author}: SlackPost,
  change: {shows: boolean; names?: boolean},
): Pick<Settlement, 'day'> {
  return {day: {team, date, author, ...change}};
}

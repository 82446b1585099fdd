import type {Log} from '../../domain/log.js';
import type {SlackClaim, SlackDay, SlackItem, SlackPost} from '../../domain/slack-post.js';
import type {Perform} from '../../domain/work.js';
import type {ChannelCalls, FoundMessage, Outcome} from './channel-calls.js';
import {
  type ChannelWorkParts,
  closedCodes,
  createChannelWork,
  type Hold,
  markedSince,
  type Settlement,
  type Waits,
  within,
} from './channel-work.js';
import {isMessageOf, isMessageOfDay, presentDay, presentStandup} from './messages.js';
import {createPostNotice, type FindNotice, type NoticeStore} from './post-notice.js';
import type {FindStandup} from './read-slack.js';

export interface PostStore extends NoticeStore, Pick<ChannelWorkParts['posts'], 'begin' | 'settle'> {
  claim(hold: Hold, leaseMs: number, deadline: number): Promise<SlackClaim>;
  release(hold: Hold, deadline: number): Promise<boolean>;
  renew(hold: Hold, leaseMs: number, deadline: number): Promise<boolean>;
  find(workspace: string, drawn: string, deadline: number): Promise<SlackPost | undefined>;
  findDay(
    workspace: string,
    channel: string,
    team: string,
    date: string,
    deadline: number,
  ): Promise<SlackDay>;
}

export interface PostSlackParts {
  readonly posts: PostStore;
  readonly calls: ChannelCalls;
  readonly findStandup: FindStandup;
  readonly findNotice: FindNotice;
  /** Tells by event that a standup is not shown; called again after a crash, so it must tell once. */
  readonly reportUnposted: (
    workspace: string,
    standup: {drawn: string; revision: number; team: string},
    reason: string,
  ) => Promise<void>;
  readonly log: Log;
  /** Draws what tells one holder, or one call, from all others. */
  readonly drawToken: () => string;
  /** Wall time in ms. */
  readonly now: () => number;
  readonly waits?: Partial<Waits>;
}

/**
 * Makes one channel show what it should: parent message first, then each standup posted, updated or deleted. One holder works on a
 * channel at a time. A post is marked before it is sent; a mark that is found standing means that nobody knows whether it arrived, and
 * then, and only then, the thread is read once.
 */
export function createPostSlack(parts: PostSlackParts): Perform<{kind: 'post-slack'; channel: string}> {
  const {posts, calls, findStandup, reportUnposted, log, drawToken} = parts;
  const work = createChannelWork(parts);
  const {waits, sendMarked, record} = work;
  const postNotice = createPostNotice({...parts, findMessage: parts.findNotice, work});

  return async ({workspace, work, until, signal}) => {
    const hold = {workspace, channel: work.channel, holder: drawToken()};
    while (performance.now() < until && !signal.aborted) {
      const claim = await posts.claim(hold, waits.leaseMs, within());
      if (claim.kind !== 'due') return {more: false};
      await whileRenewed(hold, () => advance(hold, claim.item));
    }
    return {more: await posts.release(hold, within())};
  };

  /** Keeps the channel while a call to Slack takes its time. */
  async function whileRenewed(hold: Hold, work: () => Promise<void>): Promise<void> {
    const renew = () => void posts.renew(hold, waits.leaseMs, within()).catch(() => {});
    const timer = setInterval(renew, waits.leaseMs / 5);
    try {
      await work();
    } finally {
      clearInterval(timer);
    }
  }

  async function advance(hold: Hold, item: SlackItem): Promise<void> {
    if (item.kind === 'day') return showDay(hold, item);
    if (item.kind === 'notice') return postNotice(hold, item);
    const post = await posts.find(hold.workspace, item.drawn, within());
    if (post === undefined) return settle(hold, item, {next: 'settled'});
    if (post.sending !== undefined) return resolve(hold, post, post.sending);
    if (post.ts === undefined)
      return post.want === 'deleted' ? finish(hold, post) : publish(hold, post, post.want);
    if (post.want === 'deleted') return retract(hold, post, post.ts);
    return post.posted === post.want ? finish(hold, post) : revise(hold, post, post.ts, post.want);
  }

  async function publish(hold: Hold, post: SlackPost, revision: number): Promise<void> {
    const standup = await findStandup(hold.workspace, post.drawn, revision, within());
    if (standup === undefined) return finish(hold, post);
    const parent = await ensureDay(hold, post);
    if (parent === undefined) return;
    const item = toItem(post);
    const outcome = await sendMarked(hold, item, parent, () =>
      calls.post(hold.channel, presentStandup(standup), parent),
    );
    if (outcome === undefined) return;
    const {token, result} = outcome;
    if (result.kind === 'done') {
      const recorded = await recordPosted(hold, post, {ts: result.value, revision, token});
      if (!recorded) await removeDouble(hold, post, result.value);
      return;
    }
    if (
      result.kind === 'refused' &&
      (result.code === 'thread_not_found' || result.code === 'cannot_reply_to_message')
    ) {
      // Somebody has deleted the parent message: the standups to come get a new one.
      const day = {kind: 'day', team: post.team, date: post.day} as const;
      await settle(hold, day, {clear: ['ts', 'posted'], next: 'settled'});
      return settle(hold, item, {token, clear: ['sending', 'parent'], next: 0});
    }
    return fail(hold, post, result, token);
  }

  /** The parent message's `ts`; undefined when it could not be had, which is then noted on the standup. */
  async function ensureDay(hold: Hold, post: SlackPost): Promise<string | undefined> {
    const item = {kind: 'day', team: post.team, date: post.day} as const;
    const day = await posts.findDay(hold.workspace, hold.channel, post.team, post.day, within());
    if (day.ts !== undefined) return day.ts;
    if (day.sending !== undefined) {
      const token = day.sending;
      const place = {thread: undefined, sinceMs: markedSince(token)};
      const found = await calls.find(hold.channel, place, (metadata) => isMessageOfDay(day, metadata));
      if (found.kind !== 'done') {
        if (found.kind === 'refused') await settle(hold, item, {token, clear: ['sending'], next: 'settled'});
        await failLookUp(hold, post, found, undefined);
        return undefined;
      }
      if (found.value !== undefined) {
        await settle(hold, item, {token, clear: ['sending'], set: {ts: found.value.ts}, next: 'settled'});
        return found.value.ts;
      }
      await settle(hold, item, {token, clear: ['sending'], next: 'settled'});
    }
    const people = Math.max(1, day.people);
    const sent = await sendMarked(hold, item, undefined, () =>
      calls.post(hold.channel, presentDay({...day, people})),
    );
    if (sent === undefined) return undefined;
    const {token, result} = sent;
    if (result.kind === 'done') {
      const set = {ts: result.value, posted: people};
      if (await record(hold, item, {token, clear: ['sending'], set, next: 'settled'})) return result.value;
      await calls.remove(hold.channel, result.value);
      return undefined;
    }
    if (result.kind !== 'unknown') await settle(hold, item, {token, clear: ['sending'], next: 'settled'});
    await fail(hold, post, result, undefined);
    return undefined;
  }

  /** A mark stands whose call nobody has heard of again. */
  async function resolve(hold: Hold, post: SlackPost, token: string): Promise<void> {
    const place = {thread: post.parent, sinceMs: markedSince(token)};
    const found = await calls.find(hold.channel, place, (metadata) => isMessageOf(post, metadata));
    const threadGone = found.kind === 'refused' && found.code === 'thread_not_found';
    if (found.kind !== 'done' && !threadGone) return failLookUp(hold, post, found, token);
    if (found.kind !== 'done' || found.value === undefined) {
      return settle(hold, toItem(post), {token, clear: ['sending'], next: 0});
    }
    await recordPosted(hold, post, {ts: found.value.ts, revision: revisionOf(found.value), token});
  }

  async function recordPosted(
    hold: Hold,
    post: SlackPost,
    message: {ts: string; revision: number; token: string},
  ): Promise<boolean> {
    return record(hold, toItem(post), {
      token: message.token,
      clear: ['sending', 'failures', 'failed'],
      set: {ts: message.ts, posted: message.revision},
      next: 'settled',
      want: message.revision,
      day: {team: post.team, date: post.day, shows: true, author: post.author},
    });
  }

  /** Another holder has taken over while our call was under way: if it has posted too, ours is the one too many. */
  async function removeDouble(hold: Hold, post: SlackPost, ts: string): Promise<void> {
    const current = await posts.find(hold.workspace, post.drawn, within());
    if (current?.ts !== ts) await calls.remove(hold.channel, ts);
  }

  async function revise(hold: Hold, post: SlackPost, ts: string, revision: number): Promise<void> {
    const standup = await findStandup(hold.workspace, post.drawn, revision, within());
    if (standup === undefined) return finish(hold, post);
    const result = await calls.update(hold.channel, ts, presentStandup(standup));
    // A person who removed the message from the channel meant it.
    const gone = result.kind === 'refused' && result.code === 'message_not_found';
    if (result.kind !== 'done' && !gone) return fail(hold, post, result, undefined);
    await settle(hold, toItem(post), {
      clear: ['failures', 'failed'],
      set: {posted: revision},
      next: 'settled',
      want: revision,
    });
  }

  async function retract(hold: Hold, post: SlackPost, ts: string): Promise<void> {
    const result = await calls.remove(hold.channel, ts);
    const gone = result.kind === 'refused' && result.code === 'message_not_found';
    if (result.kind !== 'done' && !gone) return fail(hold, post, result, undefined);
    await settle(hold, toItem(post), {
      clear: ['ts', 'posted', 'failures', 'failed'],
      next: 'settled',
      want: 'deleted',
      day: {team: post.team, date: post.day, shows: false, author: post.author},
    });
  }

  /** Brings the count in a parent message up to date, some time after the standups under it have changed. */
  async function showDay(hold: Hold, item: SlackItem & {kind: 'day'}): Promise<void> {
    const day = await posts.findDay(hold.workspace, hold.channel, item.team, item.date, within());
    if (day.ts === undefined || day.posted === day.people) return settle(hold, item, {next: 'settled'});
    const result = await calls.update(hold.channel, day.ts, presentDay(day));
    if (result.kind === 'limited') return settle(hold, item, {next: 0, pauseMs: result.waitMs});
    if (result.kind === 'unknown') return settle(hold, item, {next: waits.unanswered[0] ?? 60_000});
    // A count that cannot be shown holds nothing up: the next standup of the day tries again.
    if (result.kind === 'refused') return settle(hold, item, {next: 'settled'});
    return settle(hold, item, {set: {posted: day.people}, next: 'settled'});
  }

  /** A call did not do what was wanted. `token`: the mark it was sent under, which stays while the outcome is not known. */
  async function fail(
    hold: Hold,
    post: SlackPost,
    failure: Exclude<Outcome<never>, {kind: 'done'}>,
    token: string | undefined,
  ): Promise<void> {
    const item = toItem(post);
    const marked = token === undefined ? {} : {token, clear: ['sending']};
    if (failure.kind === 'limited') {
      return settle(hold, item, {...marked, next: 0, pauseMs: failure.waitMs});
    }
    const {kind, code} = failure;
    const closed = kind === 'refused' && closedCodes.has(code);
    const schedule = closed ? waits.closed : kind === 'unknown' ? waits.unanswered : [];
    const wait = schedule[post.failures];
    log.warn(
      {
        workspace: hold.workspace,
        channel: hold.channel,
        standup: post.drawn,
        code,
        failures: post.failures + 1,
      },
      wait === undefined ? 'a standup is given up for Slack' : 'a standup is not shown in Slack yet',
    );
    if (wait === undefined || (closed && post.failed === undefined)) await report(hold, post, code);
    if (wait === undefined) return giveUp(hold, post, code, token);
    await settle(hold, item, {
      ...(kind === 'unknown' ? token !== undefined && {token} : marked),
      set: {failures: post.failures + 1, ...(closed && {failed: code})},
      next: wait,
      ...(closed && {pauseMs: wait}),
    });
  }

  /** Whether a message is there could not be found out: not allowed to look is the end, anything else another try. */
  async function failLookUp(
    hold: Hold,
    post: SlackPost,
    failure: Exclude<Outcome<FoundMessage>, {kind: 'done'}>,
    token: string | undefined,
  ): Promise<void> {
    const mark = token === undefined ? {} : {token};
    // Reading is limited far more than writing: the rest of the channel need not wait for it.
    if (failure.kind === 'limited') return settle(hold, toItem(post), {...mark, next: failure.waitMs});
    const wait = failure.kind === 'unknown' ? waits.unanswered[post.failures] : undefined;
    if (wait !== undefined) {
      return settle(hold, toItem(post), {...mark, set: {failures: post.failures + 1}, next: wait});
    }
    log.warn(
      {
        workspace: hold.workspace,
        channel: hold.channel,
        standup: post.drawn,
        code: failure.kind === 'refused' ? failure.code : 'no_answer',
      },
      'whether a standup is shown in Slack cannot be found out',
    );
    await report(hold, post, 'outcome_unknown');
    await giveUp(hold, post, 'outcome_unknown', token);
  }

  async function report(hold: Hold, post: SlackPost, reason: string): Promise<void> {
    const revision = post.want === 'deleted' ? Math.max(1, post.posted) : post.want;
    await reportUnposted(hold.workspace, {drawn: post.drawn, revision, team: post.team}, reason);
  }

  /** Kept as failed, for people to see, and out of the queue; the next change of the standup begins anew. */
  async function giveUp(hold: Hold, post: SlackPost, code: string, token: string | undefined): Promise<void> {
    await settle(hold, toItem(post), {
      ...(token !== undefined && {token}),
      ...(token !== undefined && {clear: ['sending']}),
      set: {failed: code, failures: post.failures + 1},
      next: 'settled',
      want: post.want,
    });
  }

  async function finish(hold: Hold, post: SlackPost): Promise<void> {
    await settle(hold, toItem(post), {next: 'settled', want: post.want});
  }

  /** A settlement that nobody needs to answer for when somebody else has taken over. */
  async function settle(hold: Hold, item: SlackItem, settlement: Settlement): Promise<void> {
    await record(hold, item, settlement);
  }
}

function toItem({drawn}: SlackPost): SlackItem {
  return {kind: 'standup', drawn};
}

function revisionOf({metadata}: FoundMessage): number {
  const revision = metadata?.event_payload?.['revision'];
  return typeof revision === 'number' ? revision : Number(revision) || 0;
}

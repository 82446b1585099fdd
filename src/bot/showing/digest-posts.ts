import {createHash} from 'node:crypto';
import {type SlackDigestPost, type SlackItem, slackPartField} from '../../domain/slack/slack-post.js';
import type {DigestContent} from '../../domain/runs/run-content.js';
import {isMessageOfDigest, presentDigest} from '../slack/digest/present-digest.js';
import {type ChannelCalls, isGone} from '../slack/posting/channel-calls.js';
import {type ChannelWork, type Hold, markedWithin, type Settlement, within} from './channel-work.js';
import type {DayMessages} from './day-messages.js';
import type {DigestFailures} from './digest-failures.js';
import type {Message} from '../slack/posting/messages.js';
import type {Id, IdSuffix} from '../../domain/core/ids.js';
import type {SlackPosts} from '../../store/slack/slack-posts.js';

/**
 * What the report of a run says now; undefined when there is no such run, or nobody to tell. `team`: drawn
 * half of its id.
 */
export type FindDigest = (
  workspace: Id<'workspace'>,
  team: IdSuffix<'team'>,
  date: string,
) => Promise<DigestContent | undefined>;

export interface DigestPostsParts {
  readonly posts: Pick<SlackPosts, 'findDigest'>;
  readonly calls: ChannelCalls;
  readonly findDigest: FindDigest;
  readonly work: ChannelWork;
  readonly days: DayMessages;
  readonly failures: DigestFailures;
}

type DigestItem = SlackItem & {kind: 'digest'};

interface Part {
  readonly number: number;
  readonly message: Message;
  /** What tells its content from others. */
  readonly shown: string;
}

/**
 * Makes the messages of a digest say what the report of its run says now: posted in order, those that say
 * something else edited where they are, those that are too many removed. Each is marked before it is sent;
 * a mark that is found standing means that nobody knows whether it arrived, and then the thread is read
 * once. What somebody has removed stays so.
 */
export function createDigestPosts(parts: DigestPostsParts): (hold: Hold, item: DigestItem) => Promise<void> {
  const {posts, calls, findDigest, work, days, failures} = parts;
  const {sendMarked} = work;

  async function settle(hold: Hold, item: DigestItem, settlement: Settlement): Promise<void> {
    await work.record(hold, item, settlement);
  }

  /**
   * Under which message one of its messages is to stand; undefined when that could not be had, which is
   * then noted.
   */
  async function placeOf(
    hold: Hold,
    item: DigestItem,
    post: SlackDigestPost,
    number: number,
  ): Promise<{parent?: string | undefined} | undefined> {
    if (post.place === 'channel') return number === 1 ? {} : {parent: post.parts.get(1)?.ts};
    if (number > 1) return {parent: post.parent};
    const day = await days.renew(hold, item);
    if (day.kind === 'there') return {parent: day.ts};
    if (day.kind === 'failed') await failures.fail(hold, item, post, day.failure);
    if (day.kind === 'unseen') await failures.failLookUp(hold, item, post, day.failure);
    return undefined;
  }

  async function publish(
    hold: Hold,
    item: DigestItem,
    post: SlackDigestPost,
    {number, message, shown}: Part,
  ): Promise<void> {
    const place = await placeOf(hold, item, post, number);
    if (place === undefined) return;
    const sent = await sendMarked(hold, item, {...place, part: number}, () =>
      calls.post(hold.channel, message, place.parent),
    );
    if (sent === undefined) return;
    const {token, result} = sent;
    const clear = ['sending', 'part'];
    if (result.kind === 'done') {
      const set = {
        [slackPartField('ts', number)]: result.value.ts,
        [slackPartField('posted', number)]: shown,
      };
      const posted = {
        token,
        clear: [...clear, 'failures', 'failed'],
        set,
        next: 'more',
        success: true,
      } as const;
      const findTs = () => findPart(hold, item, number);
      await work.recordPosted(hold, item, posted, {...result.value, findTs});
      return;
    }
    if (result.kind === 'refused' && threadGone.has(result.code)) {
      // Who removed what the rest would stand under meant that, too.
      if (number > 1) return settle(hold, item, {token, clear, next: 'settled'});
      const day = {kind: 'day', team: item.team, date: item.date} as const;
      await work.record(hold, day, {clear: ['ts', 'shown'], next: 'settled'});
      return settle(hold, item, {token, clear: [...clear, 'parent'], next: 0});
    }
    const mark = result.kind === 'unknown' ? {token} : {token, clear};
    await failures.fail(hold, item, post, result, token === undefined ? {} : mark);
  }

  async function findPart(
    {workspace}: Hold,
    {team, date}: DigestItem,
    number: number,
  ): Promise<string | undefined> {
    return (await posts.findDigest(workspace, team, date, within()))?.parts.get(number)?.ts;
  }

  /** A mark stands whose call nobody has heard of again. */
  async function resolve(hold: Hold, item: DigestItem, post: SlackDigestPost, token: string): Promise<void> {
    const number = post.sendingPart;
    const place = {thread: post.parent, ...markedWithin(token)};
    const found = await calls.find(hold.channel, place, (metadata) =>
      isMessageOfDigest(item, number, metadata),
    );
    const gone = found.kind === 'refused' && threadGone.has(found.code);
    if (found.kind !== 'done' && !gone) return failures.failLookUp(hold, item, post, found, token);
    const clear = ['sending', 'part', 'failures', 'failed'];
    if (found.kind !== 'done' || found.value === undefined)
      return settle(hold, item, {token, clear, next: 'more'});
    // What it shows is not known: it is edited next.
    const set = {[slackPartField('ts', number)]: found.value.ts, [slackPartField('posted', number)]: '0'};
    await settle(hold, item, {token, clear, set, next: 'more', success: true});
  }

  async function revise(
    hold: Hold,
    item: DigestItem,
    post: SlackDigestPost,
    {number, message, shown, ts}: Part & {ts: string},
  ): Promise<void> {
    const result = await calls.update(hold.channel, ts, message);
    if (result.kind !== 'done' && !isGone(result)) return failures.fail(hold, item, post, result);
    await settle(hold, item, {
      clear: ['failures', 'failed'],
      set: {[slackPartField('posted', number)]: shown, ...(result.kind !== 'done' && {removed: '1'})},
      next: 'more',
      success: true,
    });
  }

  /** The last message first, so that none stands alone that is one of several. */
  async function withdraw(
    hold: Hold,
    item: DigestItem,
    post: SlackDigestPost,
    number: number,
  ): Promise<void> {
    const ts = post.parts.get(number)?.ts;
    const result = ts === undefined ? undefined : await calls.remove(hold.channel, ts);
    if (result !== undefined && result.kind !== 'done' && !isGone(result))
      return failures.fail(hold, item, post, result);
    const fields = [slackPartField('ts', number), slackPartField('posted', number)];
    await settle(hold, item, {clear: [...fields, 'failures', 'failed'], next: 'more', success: true});
  }

  return async (hold, item) => {
    const post = await posts.findDigest(hold.workspace, item.team, item.date, within());
    if (post === undefined) return settle(hold, item, {next: 'settled'});
    if (post.sending !== undefined) return resolve(hold, item, post, post.sending);
    const content = await findDigest(hold.workspace, item.team, item.date);
    if (content === undefined) return settle(hold, item, {next: 'settled'});
    const messages = presentDigest(content);
    for (const [i, message] of messages.entries()) {
      const number = i + 1;
      const shown = fingerprint(message);
      const there = post.parts.get(number);
      if (there === undefined && post.removed) continue;
      if (there === undefined) return publish(hold, item, post, {number, message, shown});
      if (there.shown !== shown) return revise(hold, item, post, {number, message, shown, ts: there.ts});
    }
    const last = Math.max(...post.parts.keys());
    if (last > messages.length) return withdraw(hold, item, post, last);
    await settle(hold, item, {clear: ['failures', 'failed'], next: 'settled', success: true});
  };
}

const threadGone: ReadonlySet<string> = new Set(['thread_not_found', 'cannot_reply_to_message']);

function fingerprint(message: Message): string {
  return createHash('sha256').update(JSON.stringify(message)).digest('base64url').slice(0, 22);
}

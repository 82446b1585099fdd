import {createHash} from 'node:crypto';
import type {Log} from '../../domain/core/log.js';
import type {SlackItem, SlackNotice} from '../../domain/slack/slack-post.js';
import type {ChannelCalls, Outcome} from '../slack/posting/channel-calls.js';
import {type ChannelWork, type Hold, isDirect, markedWithin, within} from './channel-work.js';
import {isNoticeOf, type Message} from '../slack/posting/messages.js';
import type {Id} from '../../domain/core/ids.js';
import type {SlackPosts} from '../../store/slack/slack-posts.js';
import type {Prompts} from '../../store/prompts/prompts.js';

/** What an event is told as, and its id; undefined when retention has taken what it is about. */
export type FindNotice = (
  workspace: Id<'workspace'>,
  sequence: number,
  deadline: number,
) => Promise<ToldNotice | undefined>;

export interface ToldNotice {
  readonly event: Id<'event'>;
  readonly message: Message;
  /** It is over: who has not been told of it yet need not be. */
  readonly over?: boolean;
  /** It must not come twice: where nobody may look whether it arrived it is not sent again. */
  readonly once?: boolean;
  /** Nothing is sent before this instant (ms by the store's clock): quiet hours. */
  readonly notBefore?: number;
}

export interface PostNoticeParts {
  readonly posts: Pick<SlackPosts, 'findNotice'>;
  readonly prompts: Pick<Prompts, 'findDirect'>;
  readonly calls: ChannelCalls;
  readonly findMessage: FindNotice;
  readonly work: ChannelWork;
  /** The store's clock (ms). */
  readonly now: () => number;
  readonly log: Log;
}

type NoticeItem = SlackItem & {kind: 'notice'};

/**
 * Tells one person of an event by direct message, once: marked before it is sent, looked for when nobody
 * knows whether it arrived. Where we are not allowed to look a warning is sent again, since one that comes
 * twice does less harm than one that never comes.
 */
export function createPostNotice(parts: PostNoticeParts): (hold: Hold, item: NoticeItem) => Promise<void> {
  const {posts, prompts, calls, findMessage, work, now, log} = parts;
  const {waitAfter, waitToLook, sendMarked, record, recordPosted} = work;

  /** The channel that it stands in. Undefined for a person of whom Slack has not told it yet. */
  async function findChannel({workspace, channel}: Hold): Promise<string | undefined> {
    return isDirect(channel) ? prompts.findDirect(workspace, channel, within()) : channel;
  }

  async function look(hold: Hold, event: Id<'event'>, token: string): Promise<Outcome<string | undefined>> {
    const direct = await findChannel(hold);
    // Nothing has ever been answered: then nobody may look.
    if (direct === undefined) return {kind: 'refused', code: 'channel_not_found'};
    const place = {thread: undefined, ...markedWithin(token)};
    const found = await calls.find(direct, place, (metadata) => isNoticeOf(event, metadata));
    return found.kind === 'done' ? {kind: 'done', value: found.value?.ts} : found;
  }

  /**
   * Undecided for now: tried again after the next of the waits, given up after the last. `token` stays as
   * the mark unless it is cleared.
   */
  async function postpone(
    hold: Hold,
    item: NoticeItem,
    {failures}: SlackNotice,
    failure: Exclude<Outcome<never>, {kind: 'done'}>,
    mark: {token: string | undefined; clear?: readonly string[]},
  ): Promise<void> {
    if (failure.kind === 'limited') {
      await record(hold, item, {...mark, next: {whenTaken: failure.method}});
      return;
    }
    const {code} = failure;
    const wait = waitAfter(failure, failures);
    log.warn(
      {workspace: hold.workspace, channel: hold.channel, event: item.sequence, code, failures: failures + 1},
      wait === undefined ? 'a notice is given up for Slack' : 'a notice is not shown in Slack yet',
    );
    await record(hold, item, {...mark, set: {failures: failures + 1}, next: wait ?? 'settled'});
  }

  /**
   * What it tells of has gone on since: the message is edited, which pings nobody. One that was removed
   * stays so.
   */
  async function update(
    hold: Hold,
    item: NoticeItem,
    notice: SlackNotice & {ts: string},
    message: Message,
    shown: string,
  ): Promise<void> {
    if (notice.shown === shown) return void (await record(hold, item, {next: 'settled'}));
    const direct = notice.channel ?? (await findChannel(hold));
    if (direct === undefined) return void (await record(hold, item, {set: {shown}, next: 'settled'}));
    const result = await calls.update(direct, notice.ts, message);
    if (result.kind === 'limited') return void (await record(hold, item, {next: {whenTaken: result.method}}));
    const next = result.kind === 'done' ? undefined : waitAfter(result, notice.failures);
    if (next !== undefined) {
      await record(hold, item, {set: {failures: notice.failures + 1}, next});
    } else {
      await record(hold, item, {set: {shown, failures: 0}, next: 'settled'});
    }
  }

  return async (hold, item) => {
    const notice = await posts.findNotice(hold.workspace, hold.channel, item.sequence, within());
    const told = await findMessage(hold.workspace, item.sequence, within());
    if (notice === undefined || told === undefined) {
      await record(hold, item, {next: 'settled'});
      return;
    }
    const {event, message} = told;
    const shown = createHash('sha256').update(JSON.stringify(message)).digest('base64url').slice(0, 22);
    if (notice.ts !== undefined) return update(hold, item, {...notice, ts: notice.ts}, message, shown);
    if (notice.sending !== undefined) {
      const token = notice.sending;
      const found = await look(hold, event, token);
      if (found.kind === 'done' && found.value !== undefined) {
        await record(hold, item, {token, clear: ['sending'], set: {ts: found.value}, next: 'more'});
      } else if (found.kind === 'limited' && waitToLook(found, notice.failures) !== undefined) {
        // Counted: a search that begins anew each time may never get as far as the message.
        const next = {whenTaken: found.method};
        await record(hold, item, {token, set: {failures: notice.failures + 1}, next});
      } else if (found.kind === 'refused' && told.once) {
        // The mark stays. Another message may tell meanwhile where the direct messages with the person stand.
        await postpone(hold, item, notice, {...found, kind: 'unknown'}, {token});
      } else if (found.kind !== 'unknown') {
        const failures = notice.failures + (found.kind === 'done' ? 0 : 1);
        await record(hold, item, {token, clear: ['sending'], set: {failures}, next: 0});
      } else {
        await postpone(hold, item, notice, found, {token});
      }
      return;
    }
    if (told.over) {
      await record(hold, item, {next: 'settled'});
      return;
    }
    const {notBefore = 0} = told;
    if (now() < notBefore) return void (await record(hold, item, {next: {at: notBefore}}));
    const sent = await sendMarked(hold, item, {}, () => calls.post(hold.channel, message));
    if (sent === undefined) return;
    const {token, result} = sent;
    if (result.kind === 'done') {
      const posted = {token, clear: ['sending'], set: {...result.value, shown}, next: 'settled'} as const;
      const findTs = async () =>
        (await posts.findNotice(hold.workspace, hold.channel, item.sequence, within()))?.ts;
      await recordPosted(hold, item, posted, {...result.value, findTs});
      return;
    }
    await postpone(hold, item, notice, result, {
      token,
      ...(result.kind !== 'unknown' && {clear: ['sending']}),
    });
  };
}

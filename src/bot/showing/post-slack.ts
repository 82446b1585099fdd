import {AppError} from '../../domain/core/errors.js';
import {drawnPart, type Id, isId} from '../../domain/core/ids.js';
import type {Log} from '../../domain/core/log.js';
import type {Meter} from '../../domain/core/meter.js';
import {
  type SlackItem,
  slackItemName,
  type SlackPart,
  slackPart,
  slackPartField,
  type SlackPost,
} from '../../domain/slack/slack-post.js';
import type {Perform, Work} from '../../domain/core/work.js';
import {type ChannelCalls, type FoundMessage, isGone} from '../slack/posting/channel-calls.js';
import {
  createChannelWork,
  type Hold,
  markedWithin,
  type Settlement,
  type Waits,
  within,
} from './channel-work.js';
import {createDayMessages, type DayMessagesParts} from './day-messages.js';
import {isMessageOf, type Message} from '../slack/posting/messages.js';
import {mayPass} from '../slack/door/slack-errors.js';
import {createDigestFailures} from './digest-failures.js';
import {createDigestPosts, type FindDigest} from './digest-posts.js';
import {createPostFailures, type PostFailuresParts} from './post-failures.js';
import {createPostNotice, type FindNotice} from './post-notice.js';
import {around} from '../../domain/prompts/prompt-days.js';
import {createPostPrompt, type PostPromptParts} from './post-prompt.js';
import type {FindStandup, FindWeek} from './find-shown.js';
import {createWeekPosts} from './week-posts.js';
import type {
  PlacedStandup as StandupRevision,
  StandupBlocker as ToldBlocker,
  StandupContent as ShownStandup,
} from '../../domain/slack/standup-content.js';
import type {FindMentions} from '../slack/posting/find-mentions.js';
import {blockersIn, presentStandup} from '../slack/posting/standup-messages.js';
import {dayOf, lastPart, toItem} from './standup-item.js';
import type {SlackPosts} from '../../store/slack/slack-posts.js';
import type {Prompts} from '../../store/prompts/prompts.js';

export interface PostSlackParts
  extends Pick<DayMessagesParts, 'isOver' | 'findAuthors' | 'findRun'>,
    Pick<PostFailuresParts, 'reportUnshown'>,
    Pick<PostPromptParts, 'findPromptState' | 'now'> {
  readonly prompts: Prompts;
  readonly posts: SlackPosts;
  readonly calls: ChannelCalls;
  readonly findStandup: FindStandup;
  readonly findBlockers: (
    workspace: Id<'workspace'>,
    standup: StandupRevision,
  ) => Promise<readonly ToldBlocker[]>;
  /** The address of its author's picture in Slack, where it is known. */
  readonly findPicture: (workspace: Id<'workspace'>, standup: StandupRevision) => Promise<string | undefined>;
  readonly findMentions: FindMentions;
  readonly findNotice: FindNotice;
  readonly findDigest: FindDigest;
  readonly findWeek: FindWeek;
  readonly slackTroubles: PostFailuresParts['slackTroubles'] & {
    refresh: (workspace: Id<'workspace'>, channel: string, deadline: number) => Promise<readonly string[]>;
  };
  /**
   * Counts how often our own code has failed on an item since this process began; answers how often by now.
   */
  readonly countFault: (item: string) => number;
  readonly meter: Pick<Meter, 'countUnshown'>;
  /** Starts the posting of a channel without waiting for the pump. */
  readonly wake: (workspace: Id<'workspace'>, work: Work) => void;
  readonly log: Log;
  /** The name of this process among those that work. */
  readonly holder: string;
  /** Draws what tells one turn, or one call, from all others. */
  readonly drawToken: () => string;
  /** Wall time (ms), compared with what Slack's clock says. */
  readonly slackNow: () => number;
  readonly waits?: Partial<Waits>;
}

/**
 * Makes one channel show what it should: parent message first, then each standup posted, updated or
 * deleted. One holder works on a channel at a time. A post is marked before it is sent; a mark that is
 * found standing means that nobody knows whether it arrived, and then, and only then, the thread is read
 * once.
 */
export function createPostSlack(parts: PostSlackParts): Perform<{kind: 'post-slack'; channel: string}> {
  const {
    posts,
    calls,
    findStandup,
    findBlockers,
    findMentions,
    slackTroubles: troubles,
    log,
    drawToken,
  } = parts;
  const work = createChannelWork(parts);
  const {waits, sendMarked, record, recordPosted} = work;
  const postNotice = createPostNotice({...parts, findMessage: parts.findNotice, work});
  const postPrompt = createPostPrompt({...parts, work});
  const days = createDayMessages({...parts, work});
  const postDigest = createDigestPosts({
    ...parts,
    work,
    days,
    failures: createDigestFailures({...parts, work}),
  });
  const postWeek = createWeekPosts({...parts, work});
  const {fail, failLookUp} = createPostFailures({...parts, work});

  return async ({workspace, work, until, signal}) => {
    const hold = {workspace, channel: work.channel, holder: `${parts.holder}.${drawToken()}`};
    while (performance.now() < until && !signal.aborted) {
      const claim = await posts.claim(hold, waits.leaseMs, within());
      if (claim.kind !== 'due') return {more: false};
      await whileRenewed(hold, () => advanceOrPostpone({...hold, claimed: claim}, claim.item));
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

  /**
   * An item on which our own code fails waits, so that what is behind it does not; after the last of the
   * waits it is given up.
   */
  async function advanceOrPostpone(hold: Hold, item: SlackItem): Promise<void> {
    try {
      await advance(hold, item);
    } catch (error) {
      const {workspace, channel} = hold;
      const fields = {workspace, channel, item: slackItemName(item)};
      // While the store is away nothing says that it is the item.
      const isAway = error instanceof AppError && error.code === 'service_unavailable';
      const wait = waits.unanswered[isAway ? 1 : parts.countFault(Object.values(fields).join(' '))];
      if (isAway) log.warn({...fields, code: error.code}, 'an item of a channel waits for the store');
      else if (wait === undefined) log.error(fields, 'an item is given up for Slack', error);
      else log.error(fields, 'an item of a channel waits', error);
      await settle(hold, item, {next: wait ?? 'settled'});
      if (wait !== undefined) return;
      parts.meter.countUnshown('item');
      await reportLost(workspace, item).catch(() => undefined);
    }
  }

  async function reportLost(workspace: Id<'workspace'>, item: SlackItem): Promise<void> {
    if (item.kind === 'digest') return parts.reportUnshown(workspace, item, 'internal_error');
    const post = item.kind === 'standup' ? await posts.find(workspace, item.drawn, within()) : undefined;
    if (post === undefined || post.want === 'deleted') return;
    const {drawn, team, want: revision} = post;
    await parts.reportUnshown(workspace, {kind: 'standup', drawn, revision, team}, 'internal_error');
  }

  async function advance(hold: Hold, item: SlackItem): Promise<void> {
    if (item.kind === 'day') return days.show(hold, item);
    if (item.kind === 'digest') return postDigest(hold, item);
    if (item.kind === 'week') return postWeek(hold, item);
    if (item.kind === 'notice') return postNotice(hold, item);
    if (item.kind === 'prompt') return postPrompt(hold, item);
    if (item.kind === 'trouble') {
      for (const person of await troubles.refresh(hold.workspace, hold.channel, within()))
        parts.wake(hold.workspace, {kind: 'post-slack', channel: person});
      return settle(hold, item, {next: 'settled'});
    }
    const post = await posts.find(hold.workspace, item.drawn, within());
    if (post === undefined) return settle(hold, item, {next: 'settled'});
    if (post.sending !== undefined) return resolve(hold, post, post.sending);
    if (post.want === 'deleted') return retract(hold, post);
    const standup = await findStandup(hold.workspace, post.drawn, post.want, within());
    if (standup === undefined) return finish(hold, post);
    if (standup.date !== post.day) return move(hold, post, standup.date);
    if (post.mode === 'digest') return enter(hold, post, post.want);
    const [blockers, picture] = await Promise.all([
      findBlockers(hold.workspace, standup),
      parts.findPicture(hold.workspace, standup),
    ]);
    return show(hold, post, post.want, {...standup, blockers, picture});
  }

  /**
   * The next step towards a standup's messages being as they should: in order, then those that are too
   * many.
   */
  async function show(hold: Hold, post: SlackPost, revision: number, standup: ShownStandup): Promise<void> {
    const mentions = post.again ? undefined : await findMentions(hold.workspace, post.team, standup);
    const place = post.mode === 'channel' ? ({in: 'channel', date: post.day} as const) : undefined;
    const messages = presentStandup(standup, place, mentions);
    for (const [i, message] of messages.entries()) {
      const part = slackPart(post, i + 1);
      if (part === undefined) return publish(hold, post, {number: i + 1, message, revision});
      if (part.posted !== revision || part.blockers !== blockersIn(message.metadata))
        return revise(hold, post, {number: i + 1, there: part, message, revision});
    }
    const last = lastPart(post);
    if (last > messages.length) return withdraw(hold, post, last, {next: 'more'});
    return finish(hold, post, {success: true, permalink: await findPermalink(hold, post)});
  }

  async function publish(
    hold: Hold,
    post: SlackPost,
    {number, message, revision}: {number: number; message: Message; revision: number},
  ): Promise<void> {
    const place = await placeOf(hold, post, number);
    if (place === undefined) return;
    const item = toItem(post);
    // Its thread is gone: what would have stood there stands nowhere else.
    if (number > 1 && place.parent === undefined)
      return settle(hold, item, {next: 'settled', want: revision});
    const outcome = await sendMarked(hold, item, {...place, part: number}, () =>
      calls.post(hold.channel, message, place.parent),
    );
    if (outcome === undefined) return;
    const {token, result} = outcome;
    if (result.kind === 'done') {
      const {ts} = result.value;
      const posted = settlementOf(post, {
        number,
        ts,
        revision,
        token,
        blockers: blockersIn(message.metadata),
      });
      const findTs = () => findPart(hold, post, number);
      return void (await recordPosted(hold, item, posted, {...result.value, findTs}));
    }
    if (
      result.kind === 'refused' &&
      (result.code === 'thread_not_found' || result.code === 'cannot_reply_to_message')
    ) {
      const clear = ['sending', 'part', 'parent'];
      // A person who removed what the rest would stand under meant that, too.
      if (number > 1) return settle(hold, item, {token, clear, next: 'settled', want: revision});
      // Somebody has deleted the parent message: the standups to come get a new one.
      const day = {kind: 'day', team: post.team, date: post.day} as const;
      await settle(hold, day, {clear: ['ts', 'shown'], next: 'settled'});
      return settle(hold, item, {token, clear, next: 0});
    }
    return fail(hold, post, result, token);
  }

  /**
   * The message under which one of a standup's is to stand; undefined when that could not be had, which is
   * then noted on the standup.
   */
  async function placeOf(
    hold: Hold,
    post: SlackPost,
    number: number,
  ): Promise<{parent?: string | undefined} | undefined> {
    if (post.mode === 'channel') return number === 1 ? {} : {parent: post.ts};
    if (number > 1) return {parent: post.parent};
    const ts = await ensureDay(hold, post);
    return ts === undefined ? undefined : {parent: ts};
  }

  async function ensureDay(hold: Hold, post: SlackPost): Promise<string | undefined> {
    const day = await days.ensure(hold, {team: post.team, date: post.day}, post);
    if (day.kind === 'there') return day.ts;
    if (day.kind === 'failed') await fail(hold, post, day.failure, undefined);
    if (day.kind === 'unseen') await failLookUp(hold, post, day.failure, undefined);
    return undefined;
  }

  /** A mark stands whose call nobody has heard of again. */
  async function resolve(hold: Hold, post: SlackPost, token: string): Promise<void> {
    const number = post.sendingPart;
    const place = {thread: post.parent, ...markedWithin(token)};
    const found = await calls.find(hold.channel, place, (metadata) => isMessageOf(post, number, metadata));
    const threadGone = found.kind === 'refused' && found.code === 'thread_not_found';
    if (found.kind !== 'done' && !threadGone) return failLookUp(hold, post, found, token);
    if (found.kind !== 'done' || found.value === undefined) {
      return settle(hold, toItem(post), {token, clear: ['sending', 'part'], next: 'more'});
    }
    const {ts, metadata} = found.value;
    const there = {number, ts, revision: revisionOf(found.value), token, blockers: blockersIn(metadata)};
    await settle(hold, toItem(post), settlementOf(post, there));
  }

  /** One of its messages stands there. */
  function settlementOf(
    post: SlackPost,
    message: {number: number; ts: string; revision: number; blockers: string; token: string | undefined},
  ): Settlement {
    const {number, ts, token} = message;
    const {set, clear} = shownIn(number, message);
    return {
      token,
      clear: ['sending', 'part', 'failures', 'failed', ...clear],
      set: {[slackPartField('ts', number)]: ts, ...set},
      next: 'more',
      success: true,
      ...(number === 1 && post.mode === 'thread' && dayOf(post, {shows: true})),
    };
  }

  async function findPart(
    {workspace}: Hold,
    {drawn}: SlackPost,
    number: number,
  ): Promise<string | undefined> {
    const current = await posts.find(workspace, drawn, within());
    return current && slackPart(current, number)?.ts;
  }

  async function revise(
    hold: Hold,
    post: SlackPost,
    {
      number,
      there,
      message,
      revision,
    }: {number: number; there: SlackPart; message: Message; revision: number},
  ): Promise<void> {
    const result = await calls.update(hold.channel, there.ts, message);
    // A standup whose words stand as they should is not told of as one that is not shown.
    const isLeft = there.posted === revision && result.kind === 'refused' && !mayPass(result.code);
    // A person who removed the message from the channel meant it.
    if (result.kind !== 'done' && !isGone(result) && !isLeft) return fail(hold, post, result, undefined);
    const {set, clear} = shownIn(number, {revision, blockers: blockersIn(message.metadata)});
    await settle(hold, toItem(post), {
      clear: ['failures', 'failed', ...clear],
      set,
      next: 'more',
      success: true,
    });
  }

  /** In a digest nothing stands for a standup but that its author is in. */
  async function enter(hold: Hold, post: SlackPost, revision: number): Promise<void> {
    if (post.posted === 0 && (await ensureDay(hold, post)) === undefined) return;
    await settle(hold, toItem(post), {
      clear: ['failures', 'failed'],
      set: {posted: revision},
      next: 'settled',
      want: revision,
      success: true,
      ...dayOf(post, {shows: true, names: true}),
    });
  }

  /**
   * To another day: what stands under the message of the one it had goes, and comes back under that of the
   * other.
   */
  async function move(hold: Hold, post: SlackPost, date: string): Promise<void> {
    const last = lastPart(post);
    if (post.mode === 'thread' && last > 1) return withdraw(hold, post, last, {next: 'more'});
    const there = {set: {day: date}, next: 'more'} as const;
    if (post.mode === 'channel') return settle(hold, toItem(post), there);
    const leaving = dayOf(post, {shows: false});
    if (last === 1) {
      const again = {set: {day: date, again: '1'}, next: 'more', clear: ['parent', 'permalink']} as const;
      return withdraw(hold, post, last, {...again, ...leaving});
    }
    return settle(hold, toItem(post), {...there, clear: ['posted'], ...leaving});
  }

  /** The last message first: a message that goes before its replies leaves a stone behind. */
  async function retract(hold: Hold, post: SlackPost): Promise<void> {
    const last = lastPart(post);
    if (last > 1) return withdraw(hold, post, last, {next: 'more'});
    const end = {
      next: 'settled',
      want: 'deleted',
      forget: true,
      ...(post.mode !== 'channel' && dayOf(post, {shows: false})),
    } as const;
    return last === 1 ? withdraw(hold, post, last, end) : settle(hold, toItem(post), end);
  }

  /** Removes one of a standup's messages, and records what follows from that. */
  async function withdraw(
    hold: Hold,
    post: SlackPost,
    number: number,
    {clear = [], ...rest}: Settlement,
  ): Promise<void> {
    const ts = slackPart(post, number)?.ts;
    const result = ts === undefined ? undefined : await calls.remove(hold.channel, ts);
    if (result !== undefined && result.kind !== 'done' && !isGone(result))
      return fail(hold, post, result, undefined);
    const fields = (['ts', 'posted', 'blockers'] as const).map((field) => slackPartField(field, number));
    await settle(hold, toItem(post), {
      clear: [...fields, 'failures', 'failed', ...clear],
      ...(ts !== undefined && {success: true}),
      ...rest,
    });
  }

  /** Asked for once after each change until Slack has told it: nothing waits for it. */
  async function findPermalink(hold: Hold, {ts, permalink}: SlackPost): Promise<string | undefined> {
    if (ts === undefined || permalink !== undefined) return undefined;
    const found = await calls.findPermalink(hold.channel, ts);
    return found.kind === 'done' ? found.value : undefined;
  }

  async function finish(
    hold: Hold,
    post: SlackPost,
    {success = false, permalink}: {success?: boolean; permalink?: string | undefined} = {},
  ): Promise<void> {
    const told = permalink === undefined ? {} : {set: {permalink}, links: {team: post.team, date: post.day}};
    await settle(hold, toItem(post), {...told, success, next: 'settled', want: post.want});
    if (permalink !== undefined) await askForLink(hold, post);
  }

  /** The author's reminder waits for the link. */
  async function askForLink({workspace}: Hold, {author, day}: SlackPost): Promise<void> {
    if (!isId('member', author)) return;
    const waiting = await parts.prompts.listOf(workspace, drawnPart(author), around([day]), within());
    await parts.prompts.ask(workspace, waiting, within());
    for (const {user} of waiting) parts.wake(workspace, {kind: 'post-slack', channel: user});
  }

  /** A settlement that nobody needs to answer for when somebody else has taken over. */
  async function settle(hold: Hold, item: SlackItem, settlement: Settlement): Promise<void> {
    await record(hold, item, settlement);
  }
}

/** What is recorded of what one of a standup's messages shows. */
function shownIn(number: number, {revision, blockers}: {revision: number; blockers: string}) {
  const field = slackPartField('blockers', number);
  const posted = {[slackPartField('posted', number)]: revision};
  return blockers === '' ? {set: posted, clear: [field]} : {set: {...posted, [field]: blockers}, clear: []};
}

function revisionOf({metadata}: FoundMessage): number {
  const revision = metadata?.event_payload?.['revision'];
  return typeof revision === 'number' ? revision : Number(revision) || 0;
}

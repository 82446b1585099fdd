import {createHash} from 'node:crypto';
import {countIn, type SlackDay, type SlackItem, type SlackPost} from '../../domain/slack/slack-post.js';
import {type ChannelCalls, isGone, type Outcome} from '../slack/posting/channel-calls.js';
import {type ChannelWork, type Hold, markedWithin, within} from './channel-work.js';
import {mayLookLater} from '../slack/door/slack-errors.js';
import {isMessageOfDay, type Message, presentDay} from '../slack/posting/messages.js';
import type {Id, IdSuffix} from '../../domain/core/ids.js';
import type {RunOfDay} from '../../domain/runs/run-content.js';
import type {SlackPosts} from '../../store/slack/slack-posts.js';

export interface DayMessagesParts {
  readonly posts: Pick<SlackPosts, 'findDay'>;
  readonly calls: ChannelCalls;
  readonly work: ChannelWork;
  /** Whether a day is past where the team (drawn half) is. */
  readonly isOver: (workspace: Id<'workspace'>, team: IdSuffix<'team'>, date: string) => Promise<boolean>;
  /** How the run of a day stands; undefined where there is none that counts. */
  readonly findRun: (
    workspace: Id<'workspace'>,
    team: IdSuffix<'team'>,
    date: string,
  ) => Promise<RunOfDay | undefined>;
  /** Names of the authors of standups (drawn halves); those that are gone are left out. */
  readonly findAuthors: (
    workspace: Id<'workspace'>,
    standups: readonly IdSuffix<'standup'>[],
  ) => Promise<string[]>;
}

/**
 * The parent message's `ts`, or why it could not be had. `mark`: whether it is known that none was posted.
 */
export type EnsuredDay =
  | {readonly kind: 'there'; readonly ts: string}
  | {readonly kind: 'failed'; readonly failure: Exclude<Outcome<never>, {kind: 'done'}>}
  /** It could not even be found out whether it is there. */
  | {readonly kind: 'unseen'; readonly failure: Exclude<Outcome<never>, {kind: 'done'}>}
  /** Somebody else works on the channel, or it has to wait. */
  | {readonly kind: 'not-now'};

type DayItem = SlackItem & {kind: 'day'};

export interface DayMessages {
  /**
   * Posts the parent message of a day where there is none. `post`: a standup that is to stand there, and
   * counts already.
   */
  ensure: (hold: Hold, day: Pick<DayItem, 'team' | 'date'>, post?: SlackPost) => Promise<EnsuredDay>;
  /**
   * The same, once the one that is there says what is true now: so it is known whether somebody has removed
   * it.
   */
  renew: (hold: Hold, day: Pick<DayItem, 'team' | 'date'>) => Promise<EnsuredDay>;
  /** Brings a parent message up to date; where there is none it is posted when a run of the day wants it. */
  show: (hold: Hold, item: DayItem) => Promise<void>;
}

export function createDayMessages({
  posts,
  calls,
  work,
  isOver,
  findAuthors,
  findRun,
}: DayMessagesParts): DayMessages {
  const {waitAfter, sendMarked, record, recordPosted} = work;

  async function present(
    {workspace}: Hold,
    day: SlackDay,
  ): Promise<{message: Message; set: {shown: string; of: number}; isOpen: boolean}> {
    const {date, team} = day;
    const run = await findRun(workspace, team, date);
    const over = run === undefined ? await isOver(workspace, team, date) : run.closing === 'closed';
    const count = run?.count ?? countIn(day, over);
    const names = day.names ? await findAuthors(workspace, firstStandups(day)) : undefined;
    const message = presentDay({team, date, ...count, names, closing: run?.closing});
    const shown = createHash('sha256').update(message.text).digest('base64url').slice(0, 22);
    return {message, set: {shown, of: count.of}, isOpen: !over};
  }

  /**
   * What a run wants there is not worth more than a try after each of the waits: the first standup tries
   * again, and tells of what is in its way.
   */
  async function showFirst(hold: Hold, item: DayItem, day: SlackDay): Promise<void> {
    if (!day.wanted) return void (await record(hold, item, {next: 'settled'}));
    const ensured = await days.ensure(hold, item);
    if (ensured.kind === 'not-now') return;
    if (ensured.kind === 'there') return void (await record(hold, item, {next: 'settled'}));
    const {failure} = ensured;
    if (failure.kind === 'limited')
      return void (await record(hold, item, {next: {whenTaken: failure.method}}));
    const wait = waitAfter(failure, day.failures);
    await record(hold, item, {set: {failures: day.failures + 1}, next: wait ?? 'settled'});
  }

  const days: DayMessages = {
    async ensure(hold, {team, date}, post) {
      const item = {kind: 'day', team, date} as const;
      const found = await posts.findDay(hold.workspace, hold.channel, team, date, within());
      if (found.ts !== undefined) return {kind: 'there', ts: found.ts};
      if (found.sending !== undefined) {
        const token = found.sending;
        const place = {thread: undefined, ...markedWithin(token)};
        const seen = await calls.find(hold.channel, place, (metadata) => isMessageOfDay(found, metadata));
        const clear = ['sending'];
        if (seen.kind !== 'done') {
          if (seen.kind === 'refused' && !mayLookLater(seen.code))
            await record(hold, item, {token, clear, next: 'settled'});
          return {kind: 'unseen', failure: seen};
        }
        if (seen.value !== undefined) {
          await record(hold, item, {token, clear, set: {ts: seen.value.ts}, next: 'settled'});
          return {kind: 'there', ts: seen.value.ts};
        }
        await record(hold, item, {token, clear, next: 'settled'});
      }
      const day = post === undefined ? found : withPost(found, post);
      const {message, set} = await present(hold, day);
      const sent = await sendMarked(hold, item, {}, () => calls.post(hold.channel, message));
      if (sent === undefined) return {kind: 'not-now'};
      const {token, result} = sent;
      if (result.kind === 'done') {
        const {ts} = result.value;
        const posted = {token, clear: ['sending'], set: {ts, ...set}, next: 'settled'} as const;
        const findTs = async () =>
          (await posts.findDay(hold.workspace, hold.channel, team, date, within())).ts;
        return (await recordPosted(hold, item, posted, {...result.value, findTs}))
          ? {kind: 'there', ts}
          : {kind: 'not-now'};
      }
      if (result.kind !== 'unknown') await record(hold, item, {token, clear: ['sending'], next: 'settled'});
      return {kind: 'failed', failure: result};
    },

    async renew(hold, {team, date}) {
      const item = {kind: 'day', team, date} as const;
      const day = await posts.findDay(hold.workspace, hold.channel, team, date, within());
      if (day.ts === undefined) return days.ensure(hold, item);
      const {message, set} = await present(hold, day);
      if (set.shown === day.shown) return {kind: 'there', ts: day.ts};
      const result = await calls.update(hold.channel, day.ts, message);
      if (result.kind === 'done') await record(hold, item, {clear: ['failures'], set, next: 'settled'});
      if (!isGone(result)) return {kind: 'there', ts: day.ts};
      await record(hold, item, {clear: ['failures', 'ts', 'shown'], next: 'settled'});
      return days.ensure(hold, item);
    },

    async show(hold, item) {
      const day = await posts.findDay(hold.workspace, hold.channel, item.team, item.date, within());
      if (day.ts === undefined) return showFirst(hold, item, day);
      const {message, set, isOpen} = await present(hold, day);
      if (set.shown === day.shown) return void (await record(hold, item, {next: 'settled'}));
      const result = await calls.update(hold.channel, day.ts, message);
      if (result.kind === 'limited') {
        await record(hold, item, {next: {whenTaken: result.method}});
        return;
      }
      const next = result.kind === 'done' ? undefined : waitAfter(result, day.failures);
      if (next !== undefined) {
        await record(hold, item, {set: {failures: day.failures + 1}, next});
        return;
      }
      const removed = isGone(result);
      if (removed && isOpen && day.authors.size > 0) {
        // More standups may come: they are not to go where nobody sees them.
        const clear = ['failures', 'ts', 'shown'];
        return void (await record(hold, item, {clear, set: {wanted: '1'}, next: 'more'}));
      }
      // A count that cannot be shown holds nothing up: the next change of the day tries again.
      await record(hold, item, {
        // A late standup gets a new one.
        clear: removed ? ['failures', 'ts', 'shown', 'wanted'] : ['failures'],
        ...(result.kind === 'done' && {set}),
        next: 'settled',
      });
    },
  };
  return days;
}

/** The day as it is once this standup is shown. */
function withPost(day: SlackDay, {drawn, author, mode}: SlackPost): SlackDay {
  return {
    ...day,
    authors: new Map([...day.authors, [drawn, author]]),
    names: day.names || mode === 'digest',
  };
}

/** One standup of each author. */
function firstStandups({authors}: SlackDay): IdSuffix<'standup'>[] {
  return [...new Map([...authors].map(([drawn, author]) => [author, drawn])).values()];
}

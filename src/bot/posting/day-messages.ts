import {createHash} from 'node:crypto';
import {countIn, type SlackDay, type SlackItem, type SlackPost} from '../../domain/slack-post.js';
import type {ChannelCalls, Outcome} from './channel-calls.js';
import {type ChannelWork, type Hold, markedWithin, within} from './channel-work.js';
import {isMessageOfDay, type Message, presentDay} from './messages.js';

export interface DayStore {
  findDay(
    workspace: string,
    channel: string,
    team: string,
    date: string,
    deadline: number,
  ): Promise<SlackDay>;
}

export interface DayMessagesParts {
  readonly posts: DayStore;
  readonly calls: ChannelCalls;
  readonly work: ChannelWork;
  /** Whether a day is past where the team (drawn half) is. */
  readonly isOver: (workspace: string, team: string, date: string) => Promise<boolean>;
  /** Names of the authors of standups (drawn halves); those that are gone are left out. */
  readonly findAuthors: (workspace: string, standups: readonly string[]) => Promise<string[]>;
}

/** The parent message's `ts`, or why it could not be had. `mark`: whether it is known that none was posted. */
export type EnsuredDay =
  | {readonly kind: 'there'; readonly ts: string}
  | {readonly kind: 'failed'; readonly failure: Exclude<Outcome<never>, {kind: 'done'}>}
  /** It could not even be found out whether it is there. */
  | {readonly kind: 'unseen'; readonly failure: Exclude<Outcome<never>, {kind: 'done'}>}
  /** Somebody else works on the channel, or it has to wait. */
  | {readonly kind: 'not-now'};

type DayItem = SlackItem & {kind: 'day'};

export interface DayMessages {
  /** Posts the parent message of a standup's day where there is none. */
  ensure(hold: Hold, post: SlackPost): Promise<EnsuredDay>;
  /** Brings a parent message up to date. */
  show(hold: Hold, item: DayItem): Promise<void>;
}

export function createDayMessages({posts, calls, work, isOver, findAuthors}: DayMessagesParts): DayMessages {
  const {waits, sendMarked, record} = work;

  async function present(
    {workspace}: Hold,
    day: SlackDay,
  ): Promise<{message: Message; set: {shown: string; of: number}}> {
    const count = countIn(day, await isOver(workspace, day.team, day.date));
    const names = day.names ? await findAuthors(workspace, firstStandups(day)) : undefined;
    const message = presentDay({team: day.team, date: day.date, ...count, names});
    const shown = createHash('sha256').update(message.text).digest('base64url').slice(0, 22);
    return {message, set: {shown, of: count.of}};
  }

  return {
    async ensure(hold, post) {
      const item = {kind: 'day', team: post.team, date: post.day} as const;
      const found = await posts.findDay(hold.workspace, hold.channel, post.team, post.day, within());
      if (found.ts !== undefined) return {kind: 'there', ts: found.ts};
      if (found.sending !== undefined) {
        const token = found.sending;
        const place = {thread: undefined, ...markedWithin(token)};
        const seen = await calls.find(hold.channel, place, (metadata) => isMessageOfDay(found, metadata));
        const clear = ['sending'];
        if (seen.kind !== 'done') {
          if (seen.kind === 'refused') await record(hold, item, {token, clear, next: 'settled'});
          return {kind: 'unseen', failure: seen};
        }
        if (seen.value !== undefined) {
          await record(hold, item, {token, clear, set: {ts: seen.value.ts}, next: 'settled'});
          return {kind: 'there', ts: seen.value.ts};
        }
        await record(hold, item, {token, clear, next: 'settled'});
      }
      const day = withPost(found, post);
      const {message, set} = await present(hold, day);
      const sent = await sendMarked(hold, item, {}, () => calls.post(hold.channel, message));
      if (sent === undefined) return {kind: 'not-now'};
      const {token, result} = sent;
      if (result.kind === 'done') {
        const ts = result.value;
        const clear = ['sending'];
        if (await record(hold, item, {token, clear, set: {ts, ...set}, next: 'settled'}))
          return {kind: 'there', ts};
        await calls.remove(hold.channel, ts);
        return {kind: 'not-now'};
      }
      if (result.kind !== 'unknown') await record(hold, item, {token, clear: ['sending'], next: 'settled'});
      return {kind: 'failed', failure: result};
    },

    async show(hold, item) {
      const day = await posts.findDay(hold.workspace, hold.channel, item.team, item.date, within());
      if (day.ts === undefined) return void (await record(hold, item, {next: 'settled'}));
      const {message, set} = await present(hold, day);
      if (set.shown === day.shown) return void (await record(hold, item, {next: 'settled'}));
      const result = await calls.update(hold.channel, day.ts, message);
      if (result.kind === 'limited') {
        await record(hold, item, {next: {whenTaken: result.method}});
        return;
      }
      const next = result.kind === 'unknown' ? waits.unanswered[day.failures] : undefined;
      if (next !== undefined) {
        await record(hold, item, {set: {failures: day.failures + 1}, next});
        return;
      }
      // Somebody has removed it: the next standup of the day gets a new one.
      const removed = result.kind === 'refused' && result.code === 'message_not_found';
      // A count that cannot be shown holds nothing up: the next change of the day tries again.
      await record(hold, item, {
        clear: removed ? ['failures', 'ts', 'shown'] : ['failures'],
        ...(result.kind === 'done' && {set}),
        next: 'settled',
      });
    },
  };
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
function firstStandups({authors}: SlackDay): string[] {
  return [...new Map([...authors].map(([drawn, author]) => [author, drawn])).values()];
}

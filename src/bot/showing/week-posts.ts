import {createHash} from 'node:crypto';
import type {Log} from '../../domain/core/log.js';
import type {SlackItem, SlackWeek} from '../../domain/slack/slack-post.js';
import {type ChannelCalls, isGone, type Outcome} from '../slack/posting/channel-calls.js';
import {type ChannelWork, type Hold, markedWithin, type Settlement, within} from './channel-work.js';
import type {Message} from '../slack/posting/messages.js';
import type {FindWeek} from './find-shown.js';
import {isMessageOfWeek, presentWeek} from '../slack/week/present-week.js';
import type {SlackPosts} from '../../store/slack/slack-posts.js';

type WeekItem = SlackItem & {kind: 'week'};
type Failure = Exclude<Outcome<never>, {kind: 'done'}>;

export interface WeekPostsParts {
  readonly posts: Pick<SlackPosts, 'findDigest' | 'findWeek'>;
  readonly calls: ChannelCalls;
  readonly findWeek: FindWeek;
  readonly work: ChannelWork;
  readonly log: Log;
}

/**
 * Makes the message of a week say what the week came to: posted once, under a mark as everything is, edited
 * where something of it changes afterwards, and left alone where somebody has removed it.
 */
export function createWeekPosts(parts: WeekPostsParts): (hold: Hold, item: WeekItem) => Promise<void> {
  const {posts, calls, findWeek, work, log} = parts;
  const {waitAfter, waitToLook, sendMarked, recordPosted} = work;

  async function settle(hold: Hold, item: WeekItem, settlement: Settlement): Promise<void> {
    await work.record(hold, item, settlement);
  }

  /**
   * Tried again after the next of the waits, given up after the last; `mark` says what becomes of the mark
   * it was sent under.
   */
  async function postpone(
    hold: Hold,
    item: WeekItem,
    {failures}: SlackWeek,
    failure: Failure,
    {wait, ...mark}: Pick<Settlement, 'token' | 'clear'> & {readonly wait: number | undefined},
  ): Promise<void> {
    if (failure.kind === 'limited') return settle(hold, item, {...mark, next: {whenTaken: failure.method}});
    const {workspace, channel} = hold;
    log.warn(
      {workspace, channel, team: item.team, week: item.date, code: failure.code},
      wait === undefined ? 'a summary of a week is given up for Slack' : 'a summary of a week waits',
    );
    await settle(hold, item, {...mark, set: {failures: failures + 1}, next: wait ?? 'settled'});
  }

  /** A mark stands whose call nobody has heard of again. */
  async function resolve(hold: Hold, item: WeekItem, week: SlackWeek, token: string): Promise<void> {
    const place = {thread: undefined, ...markedWithin(token)};
    const found = await calls.find(hold.channel, place, (metadata) => isMessageOfWeek(item, metadata));
    // The mark stays where that cannot be found out: it is not posted twice.
    if (found.kind !== 'done')
      return postpone(hold, item, week, found, {token, wait: waitToLook(found, week.failures)});
    const set = found.value === undefined ? {} : {ts: found.value.ts};
    await settle(hold, item, {token, clear: ['sending', 'failures'], set, next: 'more'});
  }

  async function publish(hold: Hold, item: WeekItem, week: SlackWeek, message: Message): Promise<void> {
    const sent = await sendMarked(hold, item, {}, () => calls.post(hold.channel, message));
    if (sent === undefined) return;
    const {token, result} = sent;
    if (result.kind === 'done') {
      const {ts} = result.value;
      const set = {ts, shown: fingerprint(message)};
      const posted = {token, clear: ['sending', 'failures'], set, next: 'settled', success: true} as const;
      const findTs = async () => (await posts.findWeek(hold.workspace, item.team, item.date, within()))?.ts;
      await recordPosted(hold, item, posted, {...result.value, findTs});
      return;
    }
    const wait = result.kind === 'limited' ? undefined : waitAfter(result, week.failures);
    const marked = token === undefined ? {} : {token};
    const clear = result.kind === 'unknown' || token === undefined ? {} : {clear: ['sending']};
    await postpone(hold, item, week, result, {...marked, ...clear, wait});
  }

  async function revise(
    hold: Hold,
    item: WeekItem,
    week: SlackWeek & {readonly ts: string},
    message: Message,
  ): Promise<void> {
    const result = await calls.update(hold.channel, week.ts, message);
    const removed = isGone(result);
    if (result.kind === 'done' || removed) {
      const set = {shown: fingerprint(message), ...(removed && {removed: '1'})};
      return settle(hold, item, {clear: ['failures'], set, next: 'settled', success: true});
    }
    const wait = result.kind === 'limited' ? undefined : waitAfter(result, week.failures);
    await postpone(hold, item, week, result, {wait});
  }

  /** The addresses of the reports of its days, of which each is asked for once. */
  async function findLinks(
    hold: Hold,
    item: WeekItem,
    {links}: SlackWeek,
    dates: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    const found = new Map(links);
    for (const date of dates.filter((one) => !links.has(one))) {
      const report = await posts.findDigest(hold.workspace, item.team, date, within());
      const ts = report?.channel === hold.channel ? report.parts.get(1)?.ts : undefined;
      const link = ts === undefined ? undefined : await calls.findPermalink(hold.channel, ts);
      if (link?.kind === 'done') found.set(date, link.value);
    }
    const fresh = [...found].filter(([date]) => !links.has(date));
    if (fresh.length > 0) {
      const set = Object.fromEntries(fresh.map(([date, url]) => [`link:${date}`, url]));
      await settle(hold, item, {set, next: 'more'});
    }
    return found;
  }

  return async (hold, item) => {
    const week = await posts.findWeek(hold.workspace, item.team, item.date, within());
    if (week === undefined || week.removed) return settle(hold, item, {next: 'settled'});
    if (week.sending !== undefined) return resolve(hold, item, week, week.sending);
    const found = await findWeek(hold.workspace, item.team, item.date);
    if (found === undefined) return settle(hold, item, {next: 'settled'});
    const dates = found.participation.by_date.map(({date}) => date);
    const message = presentWeek({...found, links: await findLinks(hold, item, week, dates)});
    const {ts} = week;
    if (ts === undefined) return publish(hold, item, week, message);
    if (week.shown === fingerprint(message)) return settle(hold, item, {next: 'settled'});
    await revise(hold, item, {...week, ts}, message);
  };
}

function fingerprint(message: Message): string {
  return createHash('sha256').update(JSON.stringify(message)).digest('base64url').slice(0, 22);
}

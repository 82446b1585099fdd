import type {SlackItem, SlackWeek} from '../../domain/slack/slack-post.js';
import {type ChannelLease, storeDeadline} from './channel-work.js';
import type {ChatMessage} from './chat.js';
import {hashContent, type MessageKind, singleMessage} from './kind.js';
import {hasMetadata} from './metadata.js';
import {policies} from './policies.js';
import type {ChannelContext} from './reconcile.js';

type WeekItem = SlackItem & {kind: 'week'};

/** Summaries of weeks: each is posted once, and edited when something in its week changes later. */
export function createWeekMessages<M extends ChatMessage>({
  posts,
  chat,
  services: {channelViews: views},
  work,
}: ChannelContext<M>): MessageKind<WeekItem, SlackWeek & WeekItem, M> {
  const done = {kind: 'record', settlement: {next: 'settled'}} as const;

  /** Returns the permalinks of the reports of a week's days. The chat is asked only once for each. */
  async function findLinks(
    lease: ChannelLease,
    item: WeekItem,
    {links}: SlackWeek,
    dates: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    const found = new Map(links);
    for (const date of dates.filter((one) => !links.has(one))) {
      const report = await posts.findDigest(lease.workspace, item.team, date, storeDeadline());
      const ts = report?.channel === lease.channel ? report.parts.get(1)?.ts : undefined;
      const link = ts === undefined ? undefined : await chat.calls.findPermalink(lease.channel, ts);
      if (link?.kind === 'done') found.set(date, link.value);
    }
    const fresh = [...found].filter(([date]) => !links.has(date));
    if (fresh.length > 0) {
      const set = Object.fromEntries(fresh.map(([date, url]) => [`link:${date}`, url]));
      await work.record(lease, item, {set, next: 'more'});
    }
    return found;
  }

  return {
    policy: () => policies.week,
    async find({workspace}, item) {
      const week = await posts.findWeek(workspace, item.team, item.date, storeDeadline());
      return week && {...week, ...item};
    },
    ...singleMessage,
    isOurs: ({team, date}, _number, metadata) => hasMetadata(metadata, 'week', {team, date}),
    async desire(lease, item, week) {
      if (week.removed) return done;
      const {workspace} = lease;
      const content = await views.findWeek({workspace, deadline: storeDeadline()}, item.team, item.date);
      if (content === undefined) return done;
      const dates = content.participation.by_date.map(({date}) => date);
      const message = chat.present.week({...content, links: await findLinks(lease, item, week, dates)});
      return {
        kind: 'messages',
        messages: [{message, shown: hashContent(message)}],
        next: 'settled',
        end: {},
        finish: () => work.recordOutcome(lease, item, {next: 'settled'}),
      };
    },
  };
}

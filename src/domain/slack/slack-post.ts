import {z} from 'zod';
import type {Infer} from '../core/schemas.js';
import type {PrincipalId} from '../core/access.js';
import {suffixOf, idPrefixes, type IdSuffix, storedSuffix, type Id} from '../core/ids.js';
import type {SlackDigest, SlackPostMode} from '../teams/team.js';

/**
 * The wanted and the actual state of one standup in a Slack channel. A change of the standup changes the
 * wanted state, and a job then makes the actual one equal.
 */
export interface SlackPost {
  readonly suffix: IdSuffix<'standup'>;
  readonly team: IdSuffix<'team'>;
  /** The date of the day's message under which the standup was first posted. */
  readonly day: string;
  readonly author: PrincipalId;
  /** The way in which the team wanted standups to appear when this one was created. */
  readonly mode: SlackPostMode;
  /** The revision to show, or `deleted` to show nothing. */
  readonly want: number | 'deleted';
  /**
   * The revision that the first message shows; 0 for a message with unknown content. In the mode `digest`, it
   * says whether the standup counts.
   */
  readonly posted: number;
  /** A hash of the blockers in the first message; empty for none. */
  readonly blockers: string;
  /** A hash of the counts of reactions and comments in the first message; empty for none. */
  readonly counts: string;
  /** Slack's id (`ts`) of the first message; undefined without a message. */
  readonly ts: string | undefined;
  /** The messages after the first one, which contain the rest of a long text. They are numbered from 2 on. */
  readonly rest: ReadonlyMap<number, SlackPart>;
  /** The URL of the first message; undefined until Slack has returned it. */
  readonly permalink: string | undefined;
  /** The parent message under which the last message of the standup was posted, or is being posted. */
  readonly parent: string | undefined;
  /** The comments that may have messages in the standup's thread. */
  readonly comments: readonly IdSuffix<'comment'>[];
  /** True if the standup may have been in Slack before. Then its mentions notify no one again. */
  readonly again: boolean;
  /**
   * The mark of the call that is posting a message, with the start of the call (ms). It is set before the
   * call, and removed when the result is known.
   */
  readonly sending: string | undefined;
  /** The number of the message that `sending` belongs to. */
  readonly sendingPart: number;
  readonly failures: number;
  readonly failed: string | undefined;
}

/** One of the messages of a standup. */
export interface SlackPart {
  readonly ts: string;
  /** The revision that this message shows; see `SlackPost`. */
  readonly posted: number;
  readonly blockers: string;
}

/** Returns a message of a standup by its number, counted from 1. */
export function findSlackMessageOfPost(
  {ts, posted, blockers, rest}: SlackPost,
  number: number,
): SlackPart | undefined {
  if (number > 1) return rest.get(number);
  return ts === undefined ? undefined : {ts, posted, blockers};
}

/** Returns the name of the field that holds a property of a message in the standup's record. */
export function formatSlackMessageField(
  field: 'ts' | 'posted' | 'blockers' | 'counts',
  number: number,
): string {
  return number === 1 ? field : `${field}:${number}`;
}

/** The prefix of a field in a standup's record, before the id suffix of a comment shown below it. */
const commentPrefix = 'comment:';

/** Returns the field of a standup's record that names a comment shown below the standup. */
export function formatCommentField(suffix: IdSuffix<'comment'>): string {
  return commentPrefix + suffix;
}

/** The prefix of a field in the record of a report, before the key of a copy. Its value is the copy's channel. */
const copyPrefix = 'copy:';

export function formatCopyField(key: string): string {
  return copyPrefix + key;
}

/** Returns the copies that the fields of a report's record name, each with its channel. */
export function parseCopyFields(
  fields: ReadonlyMap<string, string>,
): {readonly key: string; readonly channel: string}[] {
  return [...fields].flatMap(([name, channel]) =>
    name.startsWith(copyPrefix) ? [{key: name.slice(copyPrefix.length), channel}] : [],
  );
}

/** Returns the comments that the fields of a standup's record name. */
export function parseCommentFields(names: Iterable<string>): IdSuffix<'comment'>[] {
  return [...names].flatMap((name) =>
    name.startsWith(commentPrefix) ? [storedSuffix<'comment'>(name.slice(commentPrefix.length))] : [],
  );
}

export const slackMessageSchema = z.object({
  channel_id: z.string(),
  message_ts: z
    .string()
    .nullable()
    .meta({description: "Slack's id of the message in its channel. Null until Slack accepts it."}),
  permalink: z
    .string()
    .nullable()
    .meta({description: 'The link to the message. Null until Slack has returned it.'}),
  problem: z.string().nullable().meta({
    description:
      "Why Slack does not show it or its latest change: Slack's code, such as `not_in_channel`, or `outcome_unknown`. Null if Slack shows it.",
  }),
});

/** The Slack message of a standup, as the API shows it. */
export type SlackMessage = Infer<typeof slackMessageSchema>;

/** The report of a run, with the messages in Slack that show it. */
export interface SlackDigestPost {
  readonly team: IdSuffix<'team'>;
  readonly date: string;
  readonly channel: string;
  /**
   * The place of the report that the team had chosen when the run closed: as a reply to the day's message, or
   * as a message in the channel.
   */
  readonly mode: Exclude<SlackDigest, 'off'>;
  /** The messages by their numbers from 1 on. `shown` is a hash of the content. */
  readonly parts: ReadonlyMap<number, {readonly ts: string; readonly shown: string}>;
  /** The parent message; see `SlackPost`. */
  readonly parent: string | undefined;
  readonly sending: string | undefined;
  readonly sendingPart: number;
  readonly failures: number;
  /** The reason for which people were last told that the report is not shown. */
  readonly failed: string | undefined;
  /** True when a person has removed a message of the report. Then it gets no more messages. */
  readonly removed: boolean;
}

/** A comment, with the messages in Slack that show it in the thread of its standup. */
export interface SlackComment {
  readonly suffix: IdSuffix<'comment'>;
  readonly standup: IdSuffix<'standup'>;
  /** The messages by their numbers from 1 on. `shown` is a hash of the content. */
  readonly parts: ReadonlyMap<number, {readonly ts: string; readonly shown: string}>;
  /** The message under which they are posted; see `SlackPost`. */
  readonly parent: string | undefined;
  readonly sending: string | undefined;
  readonly sendingPart: number;
  readonly failures: number;
  readonly failed: string | undefined;
  /** True when a person has removed the thread. Then the comment gets no more messages. */
  readonly removed: boolean;
}

/** The summary of a team's week, with the message in Slack that shows it. */
export interface SlackWeek {
  readonly channel: string;
  readonly ts: string | undefined;
  /** A mark of a call that posts the message; see `SlackPost`. */
  readonly sending: string | undefined;
  /** A hash of the content that the message shows; undefined when that is unknown. */
  readonly shown: string | undefined;
  readonly failures: number;
  /** True when a person has removed the summary, which is then not posted again. */
  readonly removed: boolean;
  /** The URLs of the week's reports, by date. */
  readonly links: ReadonlyMap<string, string>;
}

/** A report that a person has posted in a channel, with the messages in Slack that show it. */
export interface SlackCopy {
  readonly item: SlackItem & {readonly kind: 'copy'};
  readonly channel: string;
  /** The messages by their numbers from 1 on. `shown` is a hash of the content. */
  readonly parts: ReadonlyMap<number, {readonly ts: string; readonly shown: string}>;
  /** The parent message; see `SlackPost`. */
  readonly parent: string | undefined;
  readonly sending: string | undefined;
  readonly sendingPart: number;
  readonly failures: number;
  /** The reason why Slack does not show it. */
  readonly failed: string | undefined;
  /** True when a person has removed a message of it. Then it gets no more messages. */
  readonly removed: boolean;
}

/** The parent message for a team's day. */
export interface SlackDay {
  readonly team: IdSuffix<'team'>;
  readonly date: string;
  readonly ts: string | undefined;
  readonly sending: string | undefined;
  /** A hash of the content that the message shows; undefined when that is unknown. */
  readonly shown: string | undefined;
  /** The number of expected people that the message shows. */
  readonly of: number | undefined;
  /** The author of each standup of the day, by the standup's id suffix. */
  readonly authors: ReadonlyMap<IdSuffix<'standup'>, PrincipalId>;
  /** True if the message names the people who have posted, because some standups are not shown themselves. */
  readonly names: boolean;
  /** True if the message must exist without any standup, because a run of that day has opened. */
  readonly wanted: boolean;
  /** The number of consecutive updates that got no answer from Slack. */
  readonly failures: number;
  /** The id suffixes of the team's current members. */
  readonly members: readonly IdSuffix<'member'>[];
}

/**
 * Counts the members of a team who have posted on a day. Service accounts do not count. A member who posted
 * and then left counts in both numbers. `over`: the day is past, so later changes of the team have no effect.
 */
export function countPostedMembers(
  {authors, members, of}: SlackDay,
  over: boolean,
): {in: number; of: number} {
  const people = [...authors.values()].filter((author) => author.startsWith(`${idPrefixes.member}_`));
  const posted = new Set(people.map((id) => suffixOf(id)));
  const everybody = new Set<IdSuffix>([...members, ...posted]);
  return {in: posted.size, of: over && of !== undefined ? Math.max(of, posted.size) : everybody.size};
}

/** A request, caused by one event, to show a standup in a channel. */
export interface SlackStandupRefresh {
  readonly channel: string;
  readonly suffix: IdSuffix<'standup'>;
  readonly want: number | 'deleted';
  /** The team, day, author and mode of the standup, given only with its first revision. */
  readonly initial?: {
    readonly team: Id<'team'>;
    readonly day: string;
    readonly author: PrincipalId;
    readonly mode: SlackPostMode;
  };
}

/** A request to update the message of a day, a report, a notice, or the messages of a standup. */
export interface SlackRefresh {
  readonly channel: string;
  readonly item: SlackItem & {
    readonly kind: 'day' | 'digest' | 'week' | 'copy' | 'standup' | 'counts' | 'comment' | 'notice';
  };
  /**
   * The fields for a record that does not exist yet. Without them, no message is created. A standup only gets
   * them: its messages stay.
   */
  readonly make?: Readonly<Record<string, string>>;
}

export interface SlackTrouble {
  readonly channel: string;
  /** `open`: it persists. `solving`: the channel accepts messages again. `done`: all are shown. */
  readonly state: 'open' | 'solving' | 'done';
  readonly team: IdSuffix<'team'>;
  /** Slack's error code for the channel; undefined when only single messages have failed. */
  readonly code: string | undefined;
  /** The start of the problem (ms). `tried`: the last attempt (ms). */
  readonly since: number;
  readonly tried: number;
  /** The number of the event by which people were told. `notified`: those people's Slack user ids. */
  readonly notice: number | undefined;
  readonly notified: readonly string[];
  /** Standups and reports that are given up until a person posts them again. */
  readonly lost: readonly SlackItem[];
  /** The number of standups shown since then. `reports`: that of reports. `held`: those that wait. */
  readonly shown: number;
  readonly reports: number;
  readonly held: number;
}

/** The state of the message to one person about one event. */
export interface SlackNotice {
  /** Slack's id (`ts`) of the message; undefined without a message. */
  readonly ts: string | undefined;
  /** Slack's id of the direct message channel; see `Prompt`. */
  readonly channel: string | undefined;
  /** A mark of a call that posts the message; see `SlackPost`. */
  readonly sending: string | undefined;
  readonly failures: number;
  /** A hash of the content that the message shows. */
  readonly shown: string | undefined;
}

/** The subject of a report: one run, or a week. */
export type ReportKind = 'digest' | 'week';

/**
 * Something that a channel shows: a delivery problem, a standup, the parent message of a day, the report of a
 * run, the summary of a week, one of these that a person has posted, a comment, or the counts below a
 * standup. In a direct message: a notice of an event, or the day's reminder.
 */
export type SlackItem =
  | {readonly kind: 'standup'; readonly suffix: IdSuffix<'standup'>}
  /** The counts of reactions and comments in the message of a standup, which change once a minute at most. */
  | {readonly kind: 'counts'; readonly suffix: IdSuffix<'standup'>}
  | {readonly kind: 'day'; readonly team: IdSuffix<'team'>; readonly date: string}
  /** The report of the run on that date. */
  | {readonly kind: 'digest'; readonly team: IdSuffix<'team'>; readonly date: string}
  /** The summary of the week that begins on that date. */
  | {readonly kind: 'week'; readonly team: IdSuffix<'team'>; readonly date: string}
  /** A report that a person has posted in the channel. `key`: that of their press. */
  | {
      readonly kind: 'copy';
      readonly team: IdSuffix<'team'>;
      readonly date: string;
      readonly of: ReportKind;
      readonly key: string;
    }
  | {readonly kind: 'comment'; readonly suffix: IdSuffix<'comment'>}
  | {readonly kind: 'notice'; readonly sequence: number}
  /** The reminder of a day. `member`: the member's id suffix. `date`: in the member's time zone. */
  | {readonly kind: 'prompt'; readonly member: IdSuffix<'member'>; readonly date: string}
  | {readonly kind: 'trouble'};

export type SlackClaim =
  /** `busy`: another worker updates the channel, or Slack has asked for a pause. */
  {readonly kind: 'busy'} | {readonly kind: 'idle'} | ({readonly kind: 'due'} & SlackClaimed);

/**
 * An item that a worker has claimed. `asked` changes when the item is requested again. Then it stays due,
 * whatever the result of this claim.
 */
export interface SlackClaimed {
  readonly item: SlackItem;
  readonly asked: string;
}

/** The result of the work on an item, which is recorded in one step. */
export interface SlackOutcome {
  readonly item: SlackItem;
  /**
   * The mark of this call. If it is given, the result counts only while the record still has this mark. If it
   * is not given, the result counts while the worker holds the lease.
   */
  readonly token?: string | undefined;
  readonly set?: Readonly<Record<string, string | number>>;
  readonly clear?: readonly string[];
  /**
   * The next step after this result. `settled`: the item shows what was wanted (`want`, which may have
   * changed since). `more`: the next step is due at once, before other items. A number: try again after so
   * many ms. `whenTaken`: when Slack accepts that method again. `at`: at that instant (ms by the store's
   * clock), or at once if the item was requested again.
   */
  readonly next: 'settled' | 'more' | number | {readonly whenTaken: string} | {readonly at: number};
  readonly want?: number | 'deleted';
  /** True when nothing of the item is left in Slack, so that its record can be deleted too. */
  readonly forget?: boolean;
  /** True when Slack has accepted a message in this channel, whose delivery problem then is over. */
  readonly success?: boolean;
  /** The time (ms) for which nothing is sent to this channel. */
  readonly pauseMs?: number;
  /** The run whose report should link to the standup, whose message's URL has just become known. */
  readonly links?: {readonly team: IdSuffix<'team'>; readonly date: string};
  /** The message (`ts`) that starts the thread of the standup alone, as people's replies name it. */
  readonly root?: string;
  /** The change in the number of standups under a day's message, whose count is updated later. */
  readonly day?: {
    readonly team: IdSuffix<'team'>;
    readonly date: string;
    readonly shows: boolean;
    readonly author: PrincipalId;
    /** True when the day's message must name the people who have posted from now on. */
    readonly names?: boolean;
  };
}

/** The number of the notice that greets the person who installed the bot. Those of events begin with 1. */
export const greetingSequence = 0;

/** Returns the unique name of an item in its channel's list of pending work. */
export function slackItemName(item: SlackItem): string {
  switch (item.kind) {
    case 'standup':
      return item.suffix;
    case 'counts':
      return `counts/${item.suffix}`;
    case 'day':
      return `day/${item.team}/${item.date}`;
    case 'digest':
      return `digest/${item.team}/${item.date}`;
    case 'week':
      return `week/${item.team}/${item.date}`;
    case 'copy':
      return `copy/${item.team}/${item.date}/${item.of}/${item.key}`;
    case 'comment':
      return `comment/${item.suffix}`;
    case 'notice':
      return `notice/${item.sequence}`;
    case 'prompt':
      return `prompt/${item.member}/${item.date}`;
    case 'trouble':
      return 'trouble/';
  }
}

export function parseSlackItemName(name: string): SlackItem {
  const [kind, team = '', date = '', of = '', key = ''] = name.split('/');
  if (kind === 'trouble') return {kind};
  if (kind === 'copy') return {kind, team: storedSuffix(team), date, of: of === 'week' ? of : 'digest', key};
  if (kind === 'prompt') return {kind, member: storedSuffix(team), date};
  if (kind === 'comment') return {kind, suffix: storedSuffix(team)};
  if (kind === 'counts') return {kind, suffix: storedSuffix(team)};
  if (kind === 'notice') return {kind, sequence: Number(team)};
  return kind === 'day' || kind === 'digest' || kind === 'week'
    ? {kind, team: storedSuffix(team), date}
    : {kind: 'standup', suffix: storedSuffix(name)};
}

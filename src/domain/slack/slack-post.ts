import type {PrincipalId} from '../core/access.js';
import {suffixOf, idPrefixes, type IdSuffix, storedSuffix, type Id} from '../core/ids.js';
import type {SlackDigest, SlackPostMode} from '../teams/team.js';

/**
 * The wanted and the known state of one standup in a Slack channel. A job makes the two equal; a change of
 * the standup meanwhile only changes the wanted one.
 */
export interface SlackPost {
  /** Id suffix of the standup. */
  readonly suffix: IdSuffix<'standup'>;
  /** Id suffix of the team. */
  readonly team: IdSuffix<'team'>;
  /** The day whose parent message it is under, or is to be under first. */
  readonly day: string;
  readonly author: PrincipalId;
  /** As its team wanted it when it was made. */
  readonly mode: SlackPostMode;
  /** The revision to show, or that none is to be shown. */
  readonly want: number | 'deleted';
  /**
   * The revision that its first message shows; 0 when there is a message whose content is not known. In a
   * digest: whether it counts.
   */
  readonly posted: number;
  /** Identifies the blockers that its first message shows; empty for none. */
  readonly blockers: string;
  /** Slack's name of its first message; undefined while there is none. */
  readonly ts: string | undefined;
  /** Messages with the rest of a text that is too long for one, by their number: from 2. */
  readonly rest: ReadonlyMap<number, SlackPart>;
  /** The address of its first message; undefined until Slack has returned it. */
  readonly permalink: string | undefined;
  /** The parent under which the last message was, or was to be, posted. */
  readonly parent: string | undefined;
  /** It has been in Slack before, or may have been: the people that it names have been notified. */
  readonly again: boolean;
  /**
   * Present from before a call that posts until its outcome is known: its start (ms) and a mark that is
   * unique to it.
   */
  readonly sending: string | undefined;
  /** The number of the message that `sending` is about. */
  readonly sendingPart: number;
  readonly failures: number;
  readonly failed: string | undefined;
}

/** One of the messages of a standup. */
export interface SlackPart {
  readonly ts: string;
  /** As in `SlackPost`. */
  readonly posted: number;
  readonly blockers: string;
}

/** A message of a standup, by its number from 1. */
export function slackMessageOfPost(
  {ts, posted, blockers, rest}: SlackPost,
  number: number,
): SlackPart | undefined {
  if (number > 1) return rest.get(number);
  return ts === undefined ? undefined : {ts, posted, blockers};
}

/** The field that holds a property of a message in the record of its standup. */
export function slackMessageField(field: 'ts' | 'posted' | 'blockers', number: number): string {
  return number === 1 ? field : `${field}:${number}`;
}

/** The message of a standup in Slack, as the API shows it. */
export interface SlackMessage {
  readonly channel_id: string;
  /** Null when it has no message there because Slack accepts none. */
  readonly message_ts: string | null;
  /** Null until Slack has returned it. */
  readonly permalink: string | null;
  /** Why Slack does not show it, or its latest change; null when it does. */
  readonly problem: string | null;
}

/** The report of a run, as its messages are known to show it. */
export interface SlackDigestPost {
  /** Id suffix of the team. */
  readonly team: IdSuffix<'team'>;
  readonly date: string;
  readonly channel: string;
  /**
   * As its team wanted it when the run closed: a reply to the message of the day, or a message in the
   * channel.
   */
  readonly mode: Exclude<SlackDigest, 'off'>;
  /** By number from 1. `shown` identifies the content. */
  readonly parts: ReadonlyMap<number, {readonly ts: string; readonly shown: string}>;
  /** As in `SlackPost`. */
  readonly parent: string | undefined;
  readonly sending: string | undefined;
  readonly sendingPart: number;
  readonly failures: number;
  /** The reason why it was not shown, as last reported. */
  readonly failed: string | undefined;
  /** A person has removed a message of it: it gets no more. */
  readonly removed: boolean;
}

/** The summary of a team's week, as its message is known to show it. */
export interface SlackWeek {
  readonly channel: string;
  readonly ts: string | undefined;
  /** As in `SlackPost`. */
  readonly sending: string | undefined;
  /** A digest of the content it shows; undefined when that is not known. */
  readonly shown: string | undefined;
  readonly failures: number;
  /** A person has removed it: it is not posted again. */
  readonly removed: boolean;
  /** The addresses of the reports of its days, by date. */
  readonly links: ReadonlyMap<string, string>;
}

/** The parent message of a team's day. */
export interface SlackDay {
  readonly team: IdSuffix<'team'>;
  readonly date: string;
  readonly ts: string | undefined;
  readonly sending: string | undefined;
  /** A digest of the content it shows; undefined when that is not known. */
  readonly shown: string | undefined;
  /** The number of people in its last count. */
  readonly of: number | undefined;
  /** The author of each shown standup of the day, by the standup's id suffix. */
  readonly authors: ReadonlyMap<IdSuffix<'standup'>, PrincipalId>;
  /** Whether it says who is in, because some of these standups are not shown themselves. */
  readonly names: boolean;
  /** It must exist even if no standup needs it: a run of that day has opened. */
  readonly wanted: boolean;
  /** How many updates in a row have got no answer. */
  readonly failures: number;
  /** Id suffixes of the team's present members. */
  readonly members: readonly IdSuffix<'member'>[];
}

/**
 * How many of a team are in on a day: members only, since programs take no part. A member who has posted and
 * left since is counted on both sides. `over`: the day is past, so that people who joined or left later
 * change nothing.
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

/** The request of one event to show a standup in a channel. */
export interface SlackStandupRefresh {
  readonly channel: string;
  readonly suffix: IdSuffix<'standup'>;
  readonly want: number | 'deleted';
  /** Given with the first revision only: where the standup belongs from then on. */
  readonly initial?: {
    readonly team: Id<'team'>;
    readonly day: string;
    readonly author: PrincipalId;
    readonly mode: SlackPostMode;
  };
}

/** A request to bring the message of a day, a digest, or the messages of a standup up to date. */
export interface SlackRefresh {
  readonly channel: string;
  readonly item: SlackItem & {readonly kind: 'day' | 'digest' | 'week' | 'standup'};
  /** The first fields of its record where there is none. Left out: only an existing message is updated. */
  readonly make?: Readonly<Record<string, string>>;
}

/** The problem that keeps a channel from showing standups and reports. */
export interface SlackTrouble {
  readonly channel: string;
  /**
   * `open`: it persists; `solving`: the channel accepts messages again; `done`: all that it had held up is
   * shown.
   */
  readonly state: 'open' | 'solving' | 'done';
  /** Id suffix of the team. */
  readonly team: IdSuffix<'team'>;
  /** Slack's error for the channel; undefined when only single messages are given up. */
  readonly code: string | undefined;
  /** When it began, and when the last try was (ms). */
  readonly since: number;
  readonly tried: number;
  /** Sequence of the event by which people were notified, and those people (Slack's ids). */
  readonly notice: number | undefined;
  readonly notified: readonly string[];
  /** Standups and reports that are given up, until a person has them posted again. */
  readonly lost: readonly SlackItem[];
  /** How many standups and how many reports have been shown since, and how many of both are still held up. */
  readonly shown: number;
  readonly reports: number;
  readonly held: number;
}

/** The state of one person's notice of one event. */
export interface SlackNotice {
  /** Slack's name of the message; undefined while there is none. */
  readonly ts: string | undefined;
  /** As in `Prompt`. */
  readonly channel: string | undefined;
  /** As in `SlackPost`. */
  readonly sending: string | undefined;
  readonly failures: number;
  /** Identifies the content that it shows. */
  readonly shown: string | undefined;
}

/**
 * Work of a channel: its delivery problem, whose end is reported; a standup; the parent message of a day
 * whose count has changed; the report of a run or the summary of a week. In the channel of one person: the
 * notice of an event, or the one message of a day that reminds them.
 */
export type SlackItem =
  | {readonly kind: 'standup'; readonly suffix: IdSuffix<'standup'>}
  | {readonly kind: 'day'; readonly team: IdSuffix<'team'>; readonly date: string}
  /** The report of the run of that date. */
  | {readonly kind: 'digest'; readonly team: IdSuffix<'team'>; readonly date: string}
  /** The summary of the week that begins on that date. */
  | {readonly kind: 'week'; readonly team: IdSuffix<'team'>; readonly date: string}
  | {readonly kind: 'notice'; readonly sequence: number}
  /** `member`: id suffix; `date`: in their own time zone. */
  | {readonly kind: 'prompt'; readonly member: IdSuffix<'member'>; readonly date: string}
  | {readonly kind: 'trouble'};

export type SlackClaim =
  /** Another worker has the channel, or Slack has asked for a pause. */
  {readonly kind: 'busy'} | {readonly kind: 'idle'} | ({readonly kind: 'due'} & SlackClaimed);

/**
 * An item that a worker has claimed. `asked` changes when the item is asked for again: then it stays due,
 * whatever the result of this claim.
 */
export interface SlackClaimed {
  readonly item: SlackItem;
  readonly asked: string;
}

/** The result of an item, recorded in one step. */
export interface SlackOutcome {
  readonly item: SlackItem;
  /** Applies only while this call's mark is the current one; left out: only while the lease is held. */
  readonly token?: string | undefined;
  readonly set?: Readonly<Record<string, string | number>>;
  readonly clear?: readonly string[];
  /**
   * `settled`: shows what was wanted (given in `want`, since that may have changed meanwhile); `more`: the
   * next step is due at once, ahead of later items; a number: look again in so many ms; `whenTaken`: when
   * Slack accepts that method again; `at`: at that instant of the store's clock (ms), but at once if it has
   * been asked for again meanwhile.
   */
  readonly next: 'settled' | 'more' | number | {readonly whenTaken: string} | {readonly at: number};
  readonly want?: number | 'deleted';
  /** With nothing of it left in Slack, its record is deleted too. */
  readonly forget?: boolean;
  /** Slack has accepted something in this channel: its problem, if there is one, is over. */
  readonly success?: boolean;
  /** Nothing is sent to this channel for so many ms. */
  readonly pauseMs?: number;
  /**
   * A standup has an address that was not known before: the report of that run, if it is in the same channel,
   * links it.
   */
  readonly links?: {readonly team: IdSuffix<'team'>; readonly date: string};
  /** Changes the standups under a day's parent message, whose count then follows. */
  readonly day?: {
    readonly team: IdSuffix<'team'>;
    readonly date: string;
    readonly shows: boolean;
    readonly author: PrincipalId;
    /** From then on it says who is in. */
    readonly names?: boolean;
  };
}

/** The canonical name of an item, as a member of a channel's pending set. */
export function slackItemName(item: SlackItem): string {
  switch (item.kind) {
    case 'standup':
      return item.suffix;
    case 'day':
      return `day/${item.team}/${item.date}`;
    case 'digest':
      return `digest/${item.team}/${item.date}`;
    case 'week':
      return `week/${item.team}/${item.date}`;
    case 'notice':
      return `notice/${item.sequence}`;
    case 'prompt':
      return `prompt/${item.member}/${item.date}`;
    case 'trouble':
      return 'trouble/';
  }
}

export function parseSlackItem(name: string): SlackItem {
  const [kind, team = '', date = ''] = name.split('/');
  if (kind === 'trouble') return {kind};
  if (kind === 'prompt') return {kind, member: storedSuffix(team), date};
  if (kind === 'notice') return {kind, sequence: Number(team)};
  return kind === 'day' || kind === 'digest' || kind === 'week'
    ? {kind, team: storedSuffix(team), date}
    : {kind: 'standup', suffix: storedSuffix(name)};
}

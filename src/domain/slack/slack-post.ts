import type {PrincipalId} from '../core/access.js';
import {drawnPart, idPrefixes, type IdSuffix, storedSuffix, type Id} from '../core/ids.js';
import type {SlackDigest, SlackPostMode} from '../teams/team.js';

/**
 * What a Slack channel should show of one standup and what it is known to show. A job makes the two equal;
 * whoever changes the standup meanwhile only changes what is wanted.
 */
export interface SlackPost {
  /** Drawn half of the standup's id. */
  readonly drawn: IdSuffix<'standup'>;
  /** Drawn half of the team's id. */
  readonly team: IdSuffix<'team'>;
  /** The day under whose parent message it stands, or is to stand first. */
  readonly day: string;
  readonly author: PrincipalId;
  /** As its team wanted it when it was made. */
  readonly mode: SlackPostMode;
  /** The revision to be shown, or that nothing is. */
  readonly want: number | 'deleted';
  /**
   * The revision that its first message shows; 0 when a message stands there whose content is not known. In
   * a digest: whether it counts.
   */
  readonly posted: number;
  /** What tells the blockers that its first message shows from others; empty for none. */
  readonly blockers: string;
  /** Slack's name of its first message; undefined while there is none. */
  readonly ts: string | undefined;
  /** Messages with the rest of a text that is too long for one, by their number: from 2. */
  readonly rest: ReadonlyMap<number, SlackPart>;
  /** The address of its first message; undefined while Slack has not told it. */
  readonly permalink: string | undefined;
  /** The message that the last one was, or was to be, posted under. */
  readonly parent: string | undefined;
  /** It has stood in Slack before, or may have: whom it names has been told. */
  readonly again: boolean;
  /**
   * Present from before a call that posts until its outcome is known: when it began (ms) and what tells it
   * from others.
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
export function slackPart({ts, posted, blockers, rest}: SlackPost, number: number): SlackPart | undefined {
  if (number > 1) return rest.get(number);
  return ts === undefined ? undefined : {ts, posted, blockers};
}

/** The field in which something of a message stands in the record of its standup. */
export function slackPartField(field: 'ts' | 'posted' | 'blockers', number: number): string {
  return number === 1 ? field : `${field}:${number}`;
}

/** Where a standup is shown in Slack, as the API says it. */
export interface SlackPlace {
  readonly channel_id: string;
  /** Null where none of its messages is there, since Slack takes none. */
  readonly message_ts: string | null;
  /** Null until Slack has told it. */
  readonly permalink: string | null;
  /** Why Slack does not show it, or its latest change; null when it does. */
  readonly problem: string | null;
}

/** The report of a run, as its messages are known to show it. */
export interface SlackDigestPost {
  /** Drawn half of the team's id. */
  readonly team: IdSuffix<'team'>;
  readonly date: string;
  readonly channel: string;
  /**
   * As its team wanted it when the run closed: a reply to the message of the day, or a message of the
   * channel.
   */
  readonly place: Exclude<SlackDigest, 'off'>;
  /** By number from 1. `shown`: what tells the content from others. */
  readonly parts: ReadonlyMap<number, {readonly ts: string; readonly shown: string}>;
  /** As in `SlackPost`. */
  readonly parent: string | undefined;
  readonly sending: string | undefined;
  readonly sendingPart: number;
  readonly failures: number;
  /** Why it was not shown when that was last told. */
  readonly failed: string | undefined;
  /** Somebody has removed a message of it: it gets no more. */
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
  /** Somebody has removed it: it is not posted again. */
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
  /** Of how many people it spoke last. */
  readonly of: number | undefined;
  /** The author of each standup of the day that is shown, by the drawn half of its id. */
  readonly authors: ReadonlyMap<IdSuffix<'standup'>, PrincipalId>;
  /** Whether it says who is in, since not all of these standups are shown themselves. */
  readonly names: boolean;
  /** It is to be there though no standup needs it: a run of that day has opened. */
  readonly wanted: boolean;
  /** How many updates in a row have had no answer. */
  readonly failures: number;
  /** Drawn halves of the ids of those who are in the team now. */
  readonly members: readonly IdSuffix<'member'>[];
}

/**
 * How many of a team are in on a day: members alone, since programs take part in nothing. Who has posted
 * and left since is counted on both sides. `over`: the day is past, so that who joined or left later
 * changes nothing.
 */
export function countIn({authors, members, of}: SlackDay, over: boolean): {in: number; of: number} {
  const people = [...authors.values()].filter((author) => author.startsWith(`${idPrefixes.member}_`));
  const posted = new Set(people.map((id) => drawnPart(id)));
  const everybody = new Set<IdSuffix>([...members, ...posted]);
  return {in: posted.size, of: over && of !== undefined ? Math.max(of, posted.size) : everybody.size};
}

/** What one event asks a channel to show of a standup. */
export interface SlackStandupRefresh {
  readonly channel: string;
  readonly drawn: IdSuffix<'standup'>;
  readonly want: number | 'deleted';
  /** Given with the first revision only: where the standup belongs from then on. */
  readonly place?: {
    readonly team: Id<'team'>;
    readonly day: string;
    readonly author: PrincipalId;
    readonly mode: SlackPostMode;
  };
}

/** The message of a day, a digest, or what is shown of a standup, that is to say what is true now. */
export interface SlackRefresh {
  readonly channel: string;
  readonly item: SlackItem & {readonly kind: 'day' | 'digest' | 'week' | 'standup'};
  /** What its record begins with where there is none. Left out: only what is there already is shown anew. */
  readonly make?: Readonly<Record<string, string>>;
}

/** What keeps a channel from showing standups and reports. */
export interface SlackTrouble {
  readonly channel: string;
  /** `open`: it does; `solving`: it takes them again; `done`: what it had held up is shown. */
  readonly state: 'open' | 'solving' | 'done';
  /** Drawn half of the team's id. */
  readonly team: IdSuffix<'team'>;
  /** What Slack says of the channel; undefined where only single ones are given up. */
  readonly code: string | undefined;
  /** When it began, and when it was tried last (ms). */
  readonly since: number;
  readonly tried: number;
  /** Sequence of the event by which people were told, and who they are (Slack's ids). */
  readonly notice: number | undefined;
  readonly told: readonly string[];
  /** Standups and reports that are given up, until somebody has them posted again. */
  readonly lost: readonly SlackItem[];
  /** How many standups and reports have been shown since, and how many of both are still held up. */
  readonly shown: number;
  readonly reports: number;
  readonly held: number;
}

/** What is known of telling one person of one event. */
export interface SlackNotice {
  /** Slack's name of the message; undefined while there is none. */
  readonly ts: string | undefined;
  /** As in `Prompt`. */
  readonly channel: string | undefined;
  /** As in `SlackPost`. */
  readonly sending: string | undefined;
  readonly failures: number;
  /** What tells the content it shows from others. */
  readonly shown: string | undefined;
}

/**
 * Work of a channel: its trouble, whose end is told; a standup, the parent message of a day whose count has
 * changed, the report of a run, or an event that the person whose channel it is, is told of, or the one
 * message of a day by which they are reminded.
 */
export type SlackItem =
  | {readonly kind: 'standup'; readonly drawn: IdSuffix<'standup'>}
  | {readonly kind: 'day'; readonly team: IdSuffix<'team'>; readonly date: string}
  /** The report of the run of that date. */
  | {readonly kind: 'digest'; readonly team: IdSuffix<'team'>; readonly date: string}
  /** The summary of the week that begins on that date. */
  | {readonly kind: 'week'; readonly team: IdSuffix<'team'>; readonly date: string}
  | {readonly kind: 'notice'; readonly sequence: number}
  /** `member`: drawn half of the id; `date`: by their own clocks. */
  | {readonly kind: 'prompt'; readonly member: IdSuffix<'member'>; readonly date: string}
  | {readonly kind: 'trouble'};

export type SlackClaim =
  /** Somebody else works on the channel, or Slack has asked for a pause. */
  {readonly kind: 'busy'} | {readonly kind: 'idle'} | ({readonly kind: 'due'} & SlackClaimed);

/**
 * An item that somebody works on. `asked` is another once it has been asked for anew: then it stays due,
 * whatever becomes of this one.
 */
export interface SlackClaimed {
  readonly item: SlackItem;
  readonly asked: string;
}

/** What became of an item, recorded in one step. */
export interface SlackOutcome {
  readonly item: SlackItem;
  /** Holds only while this call's mark is the one that stands; left out: only while the lease is held. */
  readonly token?: string | undefined;
  readonly set?: Readonly<Record<string, string | number>>;
  readonly clear?: readonly string[];
  /**
   * `settled`: shows what was wanted (given in `want`, since that may have changed meanwhile); `more`: the
   * next step is due at once, ahead of what came later; a number: look again in so many ms; a method: when
   * Slack takes it again; `at`: at that instant of the store's clock (ms), but at once where it has been
   * asked for anew meanwhile.
   */
  readonly next: 'settled' | 'more' | number | {readonly whenTaken: string} | {readonly at: number};
  readonly want?: number | 'deleted';
  /** With nothing of it left in Slack, nothing is kept of it either. */
  readonly forget?: boolean;
  /** Slack has taken something in this channel: its trouble, if there is one, is over. */
  readonly success?: boolean;
  /** Nothing is sent to this channel for so many ms. */
  readonly pauseMs?: number;
  /**
   * A standup has an address that was not known before: the report of that run, if it stands in the same
   * channel, links it.
   */
  readonly links?: {readonly team: IdSuffix<'team'>; readonly date: string};
  /** Changes who stands under a day's parent message, whose count then follows. */
  readonly day?: {
    readonly team: IdSuffix<'team'>;
    readonly date: string;
    readonly shows: boolean;
    readonly author: PrincipalId;
    /** From then on it says who is in. */
    readonly names?: boolean;
  };
}

/** The one spelling of an item, as a member of a channel's pending set. */
export function slackItemName(item: SlackItem): string {
  switch (item.kind) {
    case 'standup':
      return item.drawn;
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
    : {kind: 'standup', drawn: storedSuffix(name)};
}

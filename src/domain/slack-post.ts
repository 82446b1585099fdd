/**
 * What a Slack channel should show of one standup and what it is known to show. A job makes the two equal; whoever changes the standup
 * meanwhile only changes what is wanted.
 */
export interface SlackPost {
  /** Drawn half of the standup's id. */
  readonly drawn: string;
  /** Drawn half of the team's id. */
  readonly team: string;
  /** The day under whose parent message it stands: that of its first revision. */
  readonly day: string;
  readonly author: string;
  /** The revision to be shown, or that nothing is. */
  readonly want: number | 'deleted';
  /** The revision shown; 0 when a message stands there whose content is not known. */
  readonly posted: number;
  /** Slack's name of the message; undefined while there is none. */
  readonly ts: string | undefined;
  /** The parent message it was, or was to be, posted under. */
  readonly parent: string | undefined;
  /** Present from before a call that posts until its outcome is known: when it began (ms) and what tells it from others. */
  readonly sending: string | undefined;
  readonly failures: number;
  readonly failed: string | undefined;
}

/** The parent message of a team's day. */
export interface SlackDay {
  readonly team: string;
  readonly date: string;
  readonly ts: string | undefined;
  readonly sending: string | undefined;
  /** The count it shows; 0 when that is not known. */
  readonly posted: number;
  /** How many people have a standup under it. */
  readonly people: number;
}

/** What one event asks a channel to show. */
export interface SlackWish {
  readonly channel: string;
  readonly drawn: string;
  readonly want: number | 'deleted';
  /** Given with the first revision only: where the standup belongs from then on. */
  readonly place?: {readonly team: string; readonly day: string; readonly author: string};
}

/** Asks that these people (Slack's ids) are told of the event by direct message. */
export interface SlackNoticeWish {
  readonly notify: readonly string[];
}

/** What is known of telling one person of one event. */
export interface SlackNotice {
  /** Slack's name of the message; undefined while there is none. */
  readonly ts: string | undefined;
  /** As in `SlackPost`. */
  readonly sending: string | undefined;
  readonly failures: number;
}

/** Work of a channel: a standup, the parent message of a day whose count has changed, or an event that the person whose channel it is, is told of. */
export type SlackItem =
  | {readonly kind: 'standup'; readonly drawn: string}
  | {readonly kind: 'day'; readonly team: string; readonly date: string}
  | {readonly kind: 'notice'; readonly sequence: number};

export type SlackClaim =
  /** Somebody else works on the channel, or Slack has asked for a pause. */
  {readonly kind: 'busy'} | {readonly kind: 'idle'} | {readonly kind: 'due'; readonly item: SlackItem};

/** What became of an item, recorded in one step. */
export interface SlackOutcome {
  readonly item: SlackItem;
  /** Holds only while this call's mark is the one that stands; left out: only while the lease is held. */
  readonly token?: string;
  readonly set?: Readonly<Record<string, string | number>>;
  readonly clear?: readonly string[];
  /** `settled`: shows what was wanted (given in `want`, since that may have changed meanwhile); a number: look again in so many ms. */
  readonly next: 'settled' | number;
  readonly want?: number | 'deleted';
  /** Nothing is sent to this channel for so many ms. */
  readonly pauseMs?: number;
  /** Changes who stands under a day's parent message, whose count then follows. */
  readonly day?: {
    readonly team: string;
    readonly date: string;
    readonly shows: boolean;
    readonly author: string;
  };
}

/** The one spelling of an item, as a member of a channel's pending set. */
export function slackItemName(item: SlackItem): string {
  switch (item.kind) {
    case 'standup':
      return item.drawn;
    case 'day':
      return `day/${item.team}/${item.date}`;
    case 'notice':
      return `notice/${item.sequence}`;
  }
}

export function parseSlackItem(name: string): SlackItem {
  const [kind, team = '', date = ''] = name.split('/');
  if (kind === 'notice') return {kind, sequence: Number(team)};
  return kind === 'day' ? {kind, team, date} : {kind: 'standup', drawn: name};
}

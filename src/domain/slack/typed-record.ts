import type {PrincipalId} from '../core/access.js';
import type {Id} from '../core/ids.js';
import {limits} from '../core/limits.js';
import type {TypedDraft, TypedEnd} from './typing.js';

/** The record of a person's messages to the bot, kept until 48 hours after the last one. */
export interface TypedRecord {
  /** The member of the record. If the Slack user becomes another member, a new record begins. */
  readonly member: PrincipalId;
  readonly draft?: TypedDraft;
  /** Texts that are posted if their author agrees. The latest comes last. */
  readonly offers: readonly TypedOffer[];
  /** The results of earlier drafts and offers, without their texts. The latest comes last. */
  readonly done: readonly TypedDone[];
  /** Edits and deletions of messages that have not arrived yet. */
  readonly early?: readonly TypedEarly[];
  /** Handled messages and button presses. If one comes again, it changes nothing. */
  readonly heard: readonly string[];
  /** Messages and button presses that the bot still has to answer, in the order of their arrival. */
  readonly due: readonly TypedDue[];
  /** The worker that is sending the bot's answers, and since when (ms). */
  readonly saying?: {readonly token: string; readonly at: number};
  /** The times of the messages in the last minute (ms). `slowed`: when the person was last warned. */
  readonly pace: readonly number[];
  readonly slowed?: number;
}

export interface TypedOffer {
  readonly ts: string;
  readonly text: string;
  /** The time of the last edit, as Slack writes times. */
  readonly at?: string;
}

/** An edit, or a deletion if there is no text. */
export type TypedEarly =
  | {readonly ts: string; readonly text: string; readonly at: string}
  | {readonly ts: string};

export interface TypedDone {
  readonly id: string;
  readonly standups: readonly {readonly id: Id<'standup'>; readonly team: Id<'team'>}[];
  readonly asks: TypedDraft['asks'];
  /** The key of the question that each message answered, by `ts`; empty for the whole update. */
  readonly slots: Readonly<Record<string, string>>;
  /** The last edits of messages, by their `ts`. */
  readonly edits?: Readonly<Record<string, string>>;
}

export type TypedDue = {
  readonly key: string;
  readonly channel: string;
  readonly thread?: string;
} & TypedMatter;

export type TypedMatter =
  | {readonly is: 'word' | 'edit' | 'offer' | 'edited-offer'; readonly ts: string}
  | {readonly is: 'pressed'; readonly ts: string}
  | {readonly is: 'command'; readonly ts: string; readonly text: string}
  | {readonly is: 'edit-posted'; readonly ts: string; readonly text: string; readonly at: string}
  | {readonly is: 'deleted-posted'; readonly ts: string}
  | {readonly is: 'deleted' | 'deleted-offer' | 'slow' | 'begin' | 'over'}
  /** A draft has been posted. `done`: its id. */
  | {readonly is: 'posted'; readonly done: string}
  /** A draft of another day was not continued. */
  | {readonly is: 'left'; readonly draft: TypedDraft}
  | {readonly is: 'idle'}
  | {readonly is: 'unfit'; readonly why: TypedUnfit}
  | {readonly is: 'dropped'; readonly team: string; readonly why: TypedEnd};

/**
 * The reason why a message cannot be posted completely: it has a file, has a file beside text, is empty, has
 * only emoji, or is too long.
 */
export type TypedUnfit = 'file' | 'attached' | 'empty' | 'emoji' | 'long';

/** The largest number of remembered handled messages. */
const maxHeard = 200;
const maxKept = 5;
/** The largest number of things that wait for an answer. */
const maxDue = 30;
export function createEmptyTypedRecord(member: PrincipalId): TypedRecord {
  return {member, offers: [], done: [], heard: [], due: [], pace: []};
}

/** Removes the oldest parts of a record, so that it stays small. */
export function trimTypedRecord(record: TypedRecord): TypedRecord {
  return {
    ...record,
    offers: record.offers.slice(-maxKept),
    done: record.done.slice(-maxKept),
    heard: record.heard.slice(-maxHeard),
    due: record.due.slice(-maxDue),
    pace: record.pace.slice(-limits.typedPerMinute - 1),
  };
}

export function addUnansweredMatter(record: TypedRecord, due: TypedDue): TypedRecord {
  return record.due.some(({key}) => key === due.key) ? record : {...record, due: [...record.due, due]};
}

import type {PrincipalId} from '../core/access.js';
import type {Id} from '../core/ids.js';
import {limits} from '../core/limits.js';
import type {TypedDraft, TypedEnd} from './typing.js';

/** The record of what a person types to the bot: kept until 48 hours after their last message. */
export interface TypedRecord {
  /** Its member; for another member of the same Slack user the record starts again. */
  readonly member: PrincipalId;
  readonly draft?: TypedDraft;
  /** Texts that may be posted when their author agrees; the latest last. */
  readonly offers: readonly TypedOffer[];
  /** Ends of earlier drafts and offers, without any text; the latest last. */
  readonly done: readonly TypedDone[];
  /** Changes of messages that have not arrived yet. */
  readonly early?: readonly TypedEarly[];
  /** Messages and buttons that have been handled: one that comes again changes nothing. */
  readonly heard: readonly string[];
  /** Matters still to be answered, in the order in which they came. */
  readonly due: readonly TypedDue[];
  /** A worker is answering, since this instant (ms). */
  readonly saying?: {readonly token: string; readonly at: number};
  /**
   * When the messages of the last minute came (ms), and when their author was last notified that they are too
   * many.
   */
  readonly pace: readonly number[];
  readonly slowed?: number;
}

export interface TypedOffer {
  readonly ts: string;
  readonly text: string;
  /** The instant of its last edit, as Slack writes instants. */
  readonly at?: string;
}

/** An edit, or without a text a deletion. */
export type TypedEarly =
  | {readonly ts: string; readonly text: string; readonly at: string}
  | {readonly ts: string};

export interface TypedDone {
  readonly id: string;
  readonly standups: readonly {readonly id: Id<'standup'>; readonly team: Id<'team'>}[];
  readonly asks: TypedDraft['asks'];
  /** The question that each message answered, by its `ts`; empty for the whole update. */
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
  /** `done`: id of the posted draft. */
  | {readonly is: 'posted'; readonly done: string}
  /** A draft of another day that was not continued. */
  | {readonly is: 'left'; readonly draft: TypedDraft}
  | {readonly is: 'idle'}
  | {readonly is: 'unfit'; readonly why: TypedUnfit}
  | {readonly is: 'dropped'; readonly team: string; readonly why: TypedEnd};

/**
 * The reason why not all of a message is text to post: it has a file, alone or beside its text, nothing,
 * nothing but emoji, or too much.
 */
export type TypedUnfit = 'file' | 'attached' | 'empty' | 'emoji' | 'long';

/** Messages known to have been handled. */
const maxHeard = 200;
const maxKept = 5;
/** Matters still to be answered. */
const maxDue = 30;
export function emptyRecord(member: PrincipalId): TypedRecord {
  return {member, offers: [], done: [], heard: [], due: [], pace: []};
}

/** The record with its oldest parts cut, so that it stays small whatever is typed. */
export function trimRecord(record: TypedRecord): TypedRecord {
  return {
    ...record,
    offers: record.offers.slice(-maxKept),
    done: record.done.slice(-maxKept),
    heard: record.heard.slice(-maxHeard),
    due: record.due.slice(-maxDue),
    pace: record.pace.slice(-limits.typedPerMinute - 1),
  };
}

export function addDueWork(record: TypedRecord, due: TypedDue): TypedRecord {
  return record.due.some(({key}) => key === due.key) ? record : {...record, due: [...record.due, due]};
}

// The seam to a chat: the calls it takes, and how content looks there. Nothing here is of one chat alone.
import type {Id} from '../../domain/core/ids.js';
import type {Prompt, PromptLine} from '../../domain/prompts/prompt.js';
import type {DigestContent} from '../../domain/runs/run-content.js';
import type {WeekContent} from '../../domain/runs/week-content.js';
import type {NoticeContent} from '../../domain/slack/notice-content.js';
import type {Nameable, StandupContent} from '../../domain/slack/standup-content.js';

/** A message, without its place. What a chat shows of it besides is its own. */
export interface ChatMessage {
  /** All that it says, for notifications and for the ear. */
  readonly text: string;
  readonly metadata: Metadata;
}

/** Data kept with a message, which nobody sees: a message is found again by it. */
export interface Metadata {
  readonly event_type: string;
  readonly event_payload: Readonly<Record<string, string | number>>;
}

/** The same, as it comes back from the chat. */
export interface FoundMetadata {
  readonly event_type?: string;
  readonly event_payload?: Readonly<Record<string, unknown>>;
}

/**
 * Why a chat refuses a call:
 * - `token`: it takes nothing from us before we get another token; `closed`: nothing in this channel, or
 *   workspace, before somebody acts; `permission`: as `closed`, where we were never allowed; `nowhere`: as
 *   `closed`, since it knows no such channel, or person.
 * - `held`: this one is not taken now and may be later; others are.
 * - `person`: it does not deliver to that person. `message-gone`, `thread-gone`: what the call is about is
 *   not there. `final`: it is never taken as it is.
 */
export type RefusalReason =
  | 'token'
  | 'closed'
  | 'permission'
  | 'nowhere'
  | 'held'
  | 'person'
  | 'message-gone'
  | 'thread-gone'
  | 'final';

/** The chat did not do it. `code`: its own word for why. */
export interface Refused {
  readonly kind: 'refused';
  readonly code: string;
  readonly reason: RefusalReason;
}

/**
 * It may have done it (a lost reply, a time-out, a fault of its own), so that repeating it could post twice.
 */
export interface Unknown {
  readonly kind: 'unknown';
  readonly code: string;
}

/** It takes no call of this method for so long. */
export interface Limited {
  readonly kind: 'limited';
  readonly method: string;
  readonly waitMs: number;
}

export type Failure = Limited | Refused | Unknown;

/** How a call to a chat ended. */
export type Outcome<T> = {readonly kind: 'done'; readonly value: T} | Failure;

/** A message that has been posted: where it stands, which of a direct message nobody knew before. */
export interface Posted {
  readonly channel: string;
  readonly ts: string;
}

export interface FoundMessage {
  readonly ts: string;
  readonly metadata: FoundMetadata | undefined;
}

/** Where, and posted when (ms), a message is looked for. */
export interface SearchPlace {
  readonly thread: string | undefined;
  readonly sinceMs: number;
  readonly untilMs: number;
}

/**
 * The calls to a channel. Each ends in an outcome; only asking our own store for a limit may throw.
 */
export interface ChatCalls<M extends ChatMessage> {
  /** That the chat takes no posts for now; undefined when it does. */
  findPostLimit: () => Promise<Limited | undefined>;
  /**
   * Posts. For `channel` a person's id will do: then it is a direct message. Never throws, and does not ask
   * for the limit: it is called under a mark, and what is certainly not sent must not stand as sent.
   */
  post: (channel: string, message: M, thread?: string) => Promise<Outcome<Posted>>;
  /** `behind`, here and below: what tells a call that goes behind those without it from its like. */
  update: (channel: string, ts: string, message: M, behind?: string) => Promise<Outcome<undefined>>;
  remove: (channel: string, ts: string, behind?: string) => Promise<Outcome<undefined>>;
  /** The address of a message. */
  findPermalink: (channel: string, ts: string) => Promise<Outcome<string>>;
  /** The first message of a thread (or, without one, of the channel) within a span of time that `matches`. */
  find: (
    channel: string,
    place: SearchPlace,
    matches: (metadata: FoundMetadata | undefined) => boolean,
  ) => Promise<Outcome<FoundMessage | undefined>>;
}

/**
 * Where a standup stands: under the message of its day, or alone in the channel, where its day is said with
 * it.
 */
export type StandupPlace = {readonly in: 'thread'} | {readonly in: 'channel'; readonly date: string};

/** The content of the message of a day. */
export interface DayContent {
  readonly team: string;
  readonly date: string;
  readonly in: number;
  readonly of: number;
  /** The people who are in, where it is to be said. */
  readonly names?: readonly string[] | undefined;
  /** The end of its run, where it has one: when it closes (ms), or that it has. */
  readonly closing?: number | 'closed' | undefined;
}

/** The key of the reminder of a day. */
export type PromptKey = Pick<Prompt, 'member' | 'date' | 'take'>;

/** How the same content looks in one chat. */
export interface Presenters<M extends ChatMessage> {
  /**
   * One standup as the messages that it takes. `nameable`: the people it may tell by their names;
   * undefined: nobody.
   */
  standup: (
    standup: StandupContent,
    place: StandupPlace,
    nameable: readonly Nameable[] | undefined,
  ) => readonly M[];
  /** The message of a day, under which its standups stand. */
  day: (day: DayContent) => M;
  /** The report of a run as the messages that it takes. */
  report: (report: DigestContent) => readonly M[];
  /** The summary of a week. */
  week: (week: WeekContent) => M;
  /** The news of an event for one person. */
  notice: (event: Id<'event'>, notice: NoticeContent) => Promise<M>;
  /** The one reminder of somebody's day. */
  prompt: (
    prompt: PromptKey,
    lines: readonly PromptLine[],
    more: {readonly snoozed?: number | undefined; readonly now?: number},
  ) => M;
  /** The rest of a reminder that another one has replaced, where the chat lets nobody remove it. */
  moved: (prompt: PromptKey) => M;
}

/** A chat, as the reconciler uses it for one workspace. */
export interface Chat<M extends ChatMessage> {
  /** In the log. */
  readonly name: string;
  readonly calls: ChatCalls<M>;
  readonly present: Presenters<M>;
  /** True for a person, who gets direct messages, and for no channel. */
  readonly isPerson: (channel: string) => boolean;
}

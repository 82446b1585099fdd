// The interface to a chat: its calls, and how content looks there. Nothing here is specific to one chat.
import type {Id} from '../../domain/core/ids.js';
import type {Prompt, PromptLine} from '../../domain/prompts/prompt.js';
import type {DigestContent} from '../../domain/runs/run-content.js';
import type {WeekContent} from '../../domain/runs/week-content.js';
import type {NoticeContent} from '../../domain/slack/notice-content.js';
import type {Nameable, StandupContent} from '../../domain/slack/standup-content.js';

/** A message, without its channel. Each chat adds its own fields. */
export interface ChatMessage {
  /** The complete content as text, for notifications and screen readers. */
  readonly text: string;
  readonly metadata: MessageMetadata;
}

/** Hidden data of a message, by which it is found again. */
export interface MessageMetadata {
  readonly event_type: string;
  readonly event_payload: Readonly<Record<string, string | number>>;
}

/** As `MessageMetadata`, as the chat returns it. */
export interface FoundMetadata {
  readonly event_type?: string;
  readonly event_payload?: Readonly<Record<string, unknown>>;
}

/**
 * The reason for which a chat refuses a call:
 * - `token`: it takes nothing from us before we get another token; `closed`: nothing in this channel, or
 *   workspace, before a person acts; `permission`: as `closed`, where we never had the permission; `nowhere`:
 *   as `closed`, since it knows no such channel, or person.
 * - `held`: it does not take this one now and may later; it takes others.
 * - `person`: it does not deliver to that person. `message-gone`, `thread-gone`: the target of the call does
 *   not exist. `final`: it never takes this call as it is.
 */
export type ChatRefusalReason =
  | 'token'
  | 'closed'
  | 'permission'
  | 'nowhere'
  | 'held'
  | 'person'
  | 'message-gone'
  | 'thread-gone'
  | 'final';

/** The chat did not do it. `code`: the chat's own error code. */
export interface ChatRefusal {
  readonly kind: 'refused';
  readonly code: string;
  readonly reason: ChatRefusalReason;
}

/**
 * The chat may have done it (a lost reply, a time-out, an error of its own): repeating it could post twice.
 */
export interface UncertainResult {
  readonly kind: 'unknown';
  readonly code: string;
}

/** The chat takes no call of this method for `waitMs`. */
export interface ChatRateLimit {
  readonly kind: 'limited';
  readonly method: string;
  readonly waitMs: number;
}

export type ChatFailure = ChatRateLimit | ChatRefusal | UncertainResult;

/** How a call to a chat ended. */
export type ChatResult<T> = {readonly kind: 'done'; readonly value: T} | ChatFailure;

/**
 * A message that has been posted: its channel, which for a direct message was unknown before, and its `ts`.
 */
export interface MessageReference {
  readonly channel: string;
  readonly ts: string;
}

export interface FoundMessage {
  readonly ts: string;
  readonly metadata: FoundMetadata | undefined;
}

/** The channel or thread, and the range of time (ms), in which a message is searched. */
export interface SearchScope {
  readonly thread: string | undefined;
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** The calls to a channel. Each returns an outcome; only reading the limit from our own store may throw. */
export interface ChatCalls<M extends ChatMessage> {
  /** The current limit on posts; undefined when the chat takes posts. */
  findPostLimit: () => Promise<ChatRateLimit | undefined>;
  /**
   * Posts. `channel` may be a person's id: then it is a direct message. Never throws, and does not check the
   * limit: it is called under a mark, and a message that is certainly not sent must not count as sent.
   */
  post: (channel: string, message: M, thread?: string) => Promise<ChatResult<MessageReference>>;
  /**
   * `behind`, here and below: a key that identifies the call; a call with a key goes behind calls without
   * one.
   */
  update: (channel: string, ts: string, message: M, behind?: string) => Promise<ChatResult<undefined>>;
  remove: (channel: string, ts: string, behind?: string) => Promise<ChatResult<undefined>>;
  /** The address of a message. */
  findPermalink: (channel: string, ts: string) => Promise<ChatResult<string>>;
  /**
   * Finds the first message of a thread (or, without one, of the channel) in a range of time that `matches`.
   */
  find: (
    channel: string,
    scope: SearchScope,
    matches: (metadata: FoundMetadata | undefined) => boolean,
  ) => Promise<ChatResult<FoundMessage | undefined>>;
}

/**
 * The position of a standup: under the message of its day, or alone in the channel, where it shows its date.
 */
export type StandupLocation = {readonly in: 'thread'} | {readonly in: 'channel'; readonly date: string};

/** The content of the message of a day. */
export interface DayContent {
  readonly team: string;
  readonly date: string;
  readonly in: number;
  readonly of: number;
  /** The people who have posted, where they are to be listed. */
  readonly names?: readonly string[] | undefined;
  /** The end of its run, if it has one: when it closes (ms), or that it has closed. */
  readonly closing?: number | 'closed' | undefined;
}

/** The key of the reminder of a day. */
export type PromptKey = Pick<Prompt, 'member' | 'date' | 'take'>;

/** How the same content looks in one chat. */
export interface Presenters<M extends ChatMessage> {
  /**
   * Presents one standup in as many messages as it takes. `nameable`: the people it may mention by name;
   * undefined: none.
   */
  standup: (
    standup: StandupContent,
    location: StandupLocation,
    nameable: readonly Nameable[] | undefined,
  ) => readonly M[];
  /** Presents the message of a day, which is the root of its standups. */
  day: (day: DayContent) => M;
  /** Presents the report of a run in as many messages as it takes. */
  report: (report: DigestContent) => readonly M[];
  /** Presents the summary of a week. */
  week: (week: WeekContent) => M;
  /** Presents an event as a direct message for one person. */
  notice: (event: Id<'event'>, notice: NoticeContent) => Promise<M>;
  /** Presents the one reminder of a member's day. */
  prompt: (
    prompt: PromptKey,
    lines: readonly PromptLine[],
    more: {readonly snoozed?: number | undefined; readonly now?: number},
  ) => M;
  /** Presents what remains of a replaced reminder, where the chat lets no one remove it. */
  moved: (prompt: PromptKey) => M;
}

/** A chat, as the reconciler uses it for one workspace. */
export interface Chat<M extends ChatMessage> {
  /** The name in the log. */
  readonly name: string;
  readonly calls: ChatCalls<M>;
  readonly present: Presenters<M>;
  /** True for a person, who gets direct messages; false for a channel. */
  readonly isPerson: (channel: string) => boolean;
}

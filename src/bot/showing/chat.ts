// The interface to a chat: its calls and its presentation of content. Nothing here is specific to Slack.
import type {Prompt, PromptContent} from '../../domain/prompts/prompt.js';
import type {DigestContent} from '../../domain/runs/run-content.js';
import type {WeekContent} from '../../domain/runs/week-content.js';
import type {CommentContent} from '../../domain/slack/comment-content.js';
import type {NoticeContent, NoticeEvent} from '../../domain/slack/notice-content.js';
import type {Nameable, StandupContent} from '../../domain/slack/standup-content.js';

/** A chat message, without its channel. Each chat adds its own fields. */
export interface ChatMessage {
  /** The complete content as text, for notifications and screen readers. */
  readonly text: string;
  readonly metadata: MessageMetadata;
}

/** Hidden data of a message, by which we find the message again. */
export interface MessageMetadata {
  readonly event_type: string;
  readonly event_payload: Readonly<Record<string, string | number>>;
}

export interface FoundMetadata {
  readonly event_type?: string;
  readonly event_payload?: Readonly<Record<string, unknown>>;
}

/**
 * The reason why a chat refuses a call:
 * - `token`: nothing is accepted until we have another token.
 * - `closed`: nothing is accepted in this channel or workspace until a person acts.
 * - `permission`: as `closed`, but we never had the permission.
 * - `nowhere`: as `closed`, since the chat does not know the channel or person.
 * - `held`: this call may be accepted later; other calls are accepted now.
 * - `person`: nothing is delivered to that person.
 * - `message-gone`, `thread-gone`: the message or thread of the call does not exist.
 * - `final`: this call is never accepted as it is.
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

/** The chat refused the call and did nothing. `code`: the chat's own error code. */
export interface ChatRefusal {
  readonly kind: 'refused';
  readonly code: string;
  readonly reason: ChatRefusalReason;
}

/** The chat may have done the call (lost reply, time-out, its own error). A second call could post twice. */
export interface UncertainResult {
  readonly kind: 'unknown';
  readonly code: string;
}

/** The chat accepts no call of this method for `waitMs`. */
export interface ChatRateLimit {
  readonly kind: 'limited';
  readonly method: string;
  readonly waitMs: number;
}

export type ChatFailure = ChatRateLimit | ChatRefusal | UncertainResult;

export type ChatResult<T> = {readonly kind: 'done'; readonly value: T} | ChatFailure;

/** A posted message: its channel (for a direct message known only after posting) and its `ts`. */
export interface MessageReference {
  readonly channel: string;
  readonly ts: string;
}

export interface FoundMessage {
  readonly ts: string;
  readonly metadata: FoundMetadata | undefined;
}

/** The thread (or the whole channel) and the time range (ms) in which we search for a message. */
interface SearchScope {
  readonly thread: string | undefined;
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** The calls to a channel. Each returns an outcome; only `findPostLimit`, which reads our store, throws. */
export interface ChatCalls<M extends ChatMessage> {
  findPostLimit: () => Promise<ChatRateLimit | undefined>;
  /** Posts a message to a channel or person. Never throws. The caller checks the rate limit before. */
  post: (channel: string, message: M, thread?: string) => Promise<ChatResult<MessageReference>>;
  /** Edits a message. `behind`: a key for a call of low priority, after all others. So does `remove`. */
  update: (channel: string, ts: string, message: M, behind?: string) => Promise<ChatResult<undefined>>;
  remove: (channel: string, ts: string, behind?: string) => Promise<ChatResult<undefined>>;
  findPermalink: (channel: string, ts: string) => Promise<ChatResult<string>>;
  /** Finds the first message in a time range for which `matches` is true, in one thread or in the channel. */
  find: (
    channel: string,
    scope: SearchScope,
    matches: (metadata: FoundMetadata | undefined) => boolean,
  ) => Promise<ChatResult<FoundMessage | undefined>>;
}

/** The place of a standup: the thread of its day, or the channel, where the message itself shows the date. */
export type StandupLocation = {readonly in: 'thread'} | {readonly in: 'channel'; readonly date: string};

/** The content of a day's message. The standups of that day are posted in the thread of this message. */
export interface DayContent {
  readonly team: string;
  readonly date: string;
  readonly in: number;
  readonly of: number;
  /** The names of the people who have posted a standup, if the message lists them. */
  readonly names?: readonly string[] | undefined;
  /** The time (ms) at which the day's run closes, or `closed`. Undefined if the day has no run. */
  readonly closing?: number | 'closed' | undefined;
}

/** The fields that identify a member's reminder for one day. */
export type PromptKey = Pick<Prompt, 'member' | 'date' | 'take'>;

export interface Presenters<M extends ChatMessage> {
  /** Presents a standup in one message or more. `nameable`: the people that they may mention and notify. */
  standup: (
    standup: StandupContent,
    location: StandupLocation,
    nameable: readonly Nameable[] | undefined,
  ) => readonly M[];
  /** Presents a comment in one message or more, in the thread of its standup or of a whole day. */
  comment: (comment: CommentContent, location: 'standup' | 'day') => readonly M[];
  day: (day: DayContent) => M;
  report: (report: DigestContent) => readonly M[];
  week: (week: WeekContent) => M;
  notice: (event: NoticeEvent, notice: NoticeContent) => Promise<M>;
  prompt: (
    prompt: PromptKey,
    content: Pick<PromptContent, 'lines' | 'blockers' | 'awayEmoji'>,
    more: {readonly snoozed?: number | undefined; readonly now?: number},
  ) => M;
  /** Presents the short text for a replaced reminder, in case the chat does not let us remove that one. */
  moved: (prompt: PromptKey) => M;
}

/** A chat, as the reconciler uses it for one workspace. */
export interface Chat<M extends ChatMessage> {
  readonly name: string;
  readonly calls: ChatCalls<M>;
  readonly present: Presenters<M>;
  /** True for a person, who gets direct messages; false for a channel. */
  readonly isPerson: (channel: string) => boolean;
}

type Refused = Pick<ChatRefusal, 'reason'>;

export function isMessageGone(outcome: ChatResult<unknown>): boolean {
  return outcome.kind === 'refused' && outcome.reason === 'message-gone';
}

export function isThreadGone(outcome: ChatResult<unknown>): boolean {
  return outcome.kind === 'refused' && outcome.reason === 'thread-gone';
}

export function isMessageOrThreadGone(outcome: ChatResult<unknown>): boolean {
  return isMessageGone(outcome) || isThreadGone(outcome);
}

/** The reasons for which the chat refuses everything in a channel until a person acts. */
const closed: ReadonlySet<ChatRefusalReason> = new Set(['token', 'closed', 'permission', 'nowhere']);

export function isTemporaryRefusal({reason}: Refused): boolean {
  return closed.has(reason) || reason === 'held';
}

/** True when other messages to the same channel would be refused too. */
export function concernsChannel({reason}: Refused): boolean {
  return closed.has(reason);
}

/** True when a direct message was refused for this person only: other people of the workspace get theirs. */
export function concernsPerson({reason}: Refused): boolean {
  return reason === 'person' || reason === 'nowhere';
}

/** True if a refused search may be allowed later. A missing permission is not expected to be granted. */
export function mayLookLater(refused: Refused): boolean {
  return isTemporaryRefusal(refused) && refused.reason !== 'permission';
}

export function isSearchHopeless(failure: ChatFailure): boolean {
  return failure.kind === 'refused' && !mayLookLater(failure);
}

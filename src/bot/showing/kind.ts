import type {SlackItem} from '../../domain/slack/slack-post.js';
import type {Hold, Settlement} from './channel-work.js';
import type {ChatMessage, Failure, FoundMessage, FoundMetadata, Posted} from './chat.js';
import type {Policy} from './policies.js';
import type {Step} from './step.js';

/** One message that stands there. */
export interface Part {
  readonly ts: string;
  /** A mark that tells its content from others; undefined while that is not known. */
  readonly shown: string | undefined;
  /** Whether what should be shown is another only beside the words of the message. */
  readonly isSame?: (want: {readonly shown: string}) => boolean;
}

/** The messages of an item, as far as they are known. */
export interface Shown {
  /** By number from 1. */
  readonly parts: ReadonlyMap<number, Part>;
  /** The mark of a call that posts, until its outcome is known, and the number of its message. */
  readonly sending: string | undefined;
  readonly sendingPart: number;
  /** The message that the last one was, or was to be, posted under. */
  readonly parent: string | undefined;
  readonly failures: number;
  /** Why it is not shown, as far as that has been noted. */
  readonly failed: string | undefined;
  /** Somebody has removed a message of it: it gets no more. */
  readonly removed: boolean;
}

/** The same of an item that takes one message. */
export function shownOfOne({
  ts,
  shown,
  ...known
}: Pick<Part, 'shown'> &
  Pick<Shown, 'sending' | 'failures'> &
  Partial<Pick<Shown, 'failed' | 'removed'>> & {readonly ts: string | undefined}): Shown {
  const {sending, failures, failed, removed = false} = known;
  const parts = new Map(ts === undefined ? [] : [[1, {ts, shown}]]);
  return {parts, sending, sendingPart: 1, parent: undefined, failures, failed, removed};
}

/** One message that should stand there. */
export interface Want<M extends ChatMessage> {
  readonly message: M;
  /** A mark that tells its content from others. */
  readonly shown: string;
  /** The other fields that are recorded once it stands there, and those that are forgotten. */
  readonly set?: Readonly<Record<string, string | number>>;
  readonly clear?: readonly string[];
  /** Recorded where somebody has removed it and it is to come again. */
  readonly again?: Partial<Settlement>;
}

/** The messages that an item should show now. */
export type Desired<M extends ChatMessage> =
  /** Nothing is asked of the chat in this step. */
  | {readonly kind: 'record'; readonly settlement: Settlement}
  /** The step is made and recorded already. */
  | {readonly kind: 'done'}
  /** One of its messages goes, and this follows. */
  | {readonly kind: 'remove'; readonly number: number; readonly after: Settlement}
  | {
      readonly kind: 'messages';
      readonly messages: readonly Want<M>[];
      /** When it is looked at again once one of them is posted or edited. Default: at once. */
      readonly next?: Settlement['next'];
      /** Recorded where it ends without all of them. */
      readonly end: Partial<Settlement>;
      /** All stand there as they should. */
      readonly finish: () => Promise<void>;
    };

/** The trouble that the team of a channel is told of when something is not shown there. */
export interface Told {
  /** Noted as the trouble of the channel; undefined where nobody need hear of it. */
  readonly note: (code: string, isLost: boolean) => Promise<void>;
  /** Told by event, once. */
  readonly report: (code: string) => Promise<void>;
}

/** How a kind of message is found, made and recorded. `R`: its record. */
export interface Kind<I extends SlackItem, R, M extends ChatMessage> {
  readonly policy: (found: R) => Policy;
  /** Undefined where none was ever wanted. */
  readonly find: (hold: Hold, item: I) => Promise<R | undefined>;
  readonly shownOf: (found: R) => Shown;
  /** True for the metadata of its message of that number. */
  readonly isOurs: (found: R, number: number, metadata: FoundMetadata | undefined) => boolean;
  readonly desire: (hold: Hold, item: I, found: R) => Promise<Desired<M>>;
  /** The fields in which it stands what a message shows. */
  readonly fieldsOf: (
    number: number,
    shown: string,
  ) => {readonly set: Readonly<Record<string, string | number>>; readonly clear: readonly string[]};
  /** The content of a message that has been found; left out: it is not known. */
  readonly readShown?: (found: FoundMessage) => string;
  /** Where its messages stand, if not in the channel that is worked on; undefined while nobody knows. */
  readonly channelOf?: (hold: Hold, found: R) => Promise<string | undefined>;
  /** The thread in which its messages stand. */
  readonly thread?: {
    /** Has the root stand there; undefined: the first message is the root. */
    readonly ensureRoot: (hold: Hold, item: I, found: R) => Promise<Step | undefined>;
    readonly rootOf: (found: R) => SlackItem;
    /** The message under which the second and the further ones stand. */
    readonly of: (found: R) => string | undefined;
  };
  /** Recorded besides once a message stands there. */
  readonly recordPosted?: (
    found: R,
    step: {readonly number: number; readonly posted: Posted; readonly token: string | undefined},
  ) => Partial<Settlement>;
  /** Runs before it is recorded that the chat has taken a message. */
  readonly noteShown?: (hold: Hold, found: R) => Promise<void>;
  /** Whether what the chat answered is the end, whatever waits are left. */
  readonly isFinal?: (failure: Failure) => boolean;
  /** Runs before a failure is recorded. */
  readonly noteFailure?: (hold: Hold, found: R, code: string) => Promise<void>;
  readonly told?: (hold: Hold, item: I, found: R) => Told;
  /** Recorded besides when it is given up. */
  readonly recordLost?: (found: R) => Partial<Settlement>;
  /** The next step where nobody can find out whether a message is there, other than by the policy. */
  readonly whenUnsure?: (
    hold: Hold,
    found: R,
    token: string | undefined,
    failure: Failure,
  ) => Promise<Settlement | undefined>;
}

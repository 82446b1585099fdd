import type {Id} from '../../domain/core/ids.js';
import type {ChannelWork} from './channel-work.js';
import type {Chat, ChatMessage} from './chat.js';
import type {ShowingContext} from './context.js';
import type {Failures} from './failures.js';

/** The context of the messages in one channel. */
export interface ChannelContext<M extends ChatMessage> extends ShowingContext {
  readonly chat: Chat<M>;
  readonly work: ChannelWork;
  readonly failures: Failures;
  /** Finds out why messages to a person are no longer delivered. Never rejects. */
  readonly lookAt: (workspace: Id<'workspace'>, person: string) => Promise<void>;
}

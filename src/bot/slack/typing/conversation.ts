import type {Call} from '../../../domain/core/access.js';
import type {SlackRequest} from '../core/deps.js';
import type {SlackWorkspace} from '../core/slack-identities.js';
import type {TypedMessage} from './present.js';

/** The person who is answered. */
export interface Conversation {
  readonly request: SlackRequest;
  readonly slackWorkspace: SlackWorkspace;
  readonly call: Call;
}

/** The next thing to say. */
export interface NextMessage {
  readonly message?: TypedMessage | undefined;
  /** The message that replaces the one that shows the draft. */
  readonly summary?: TypedMessage | undefined;
  /** The draft that `message` shows in full. */
  readonly shows?: string | undefined;
}

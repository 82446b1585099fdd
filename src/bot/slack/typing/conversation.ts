import type {Call} from '../../../domain/core/access.js';
import type {SlackRequest} from '../core/context.js';
import type {SlackWorkspace} from '../core/slack-identities.js';
import type {TypedMessage} from './present.js';

/** The conversation with one person: their request, workspace and call. */
export interface Conversation {
  readonly request: SlackRequest;
  readonly slackWorkspace: SlackWorkspace;
  readonly call: Call;
}

/** The next message of the bot in a conversation. */
export interface NextMessage {
  readonly message?: TypedMessage | undefined;
  /** The new content of the earlier message that shows the draft. */
  readonly summary?: TypedMessage | undefined;
  /** The id of the draft whose whole text `message` shows. */
  readonly shows?: string | undefined;
}

import {browserRecipient, mailRecipient} from '../../domain/prompts/prompt.js';
import {type Work, workName} from '../../domain/core/work.js';
import {type AnyKey, findReadySet, type Key, type WorkspaceKeys} from '../core/keys.js';

/**
 * The place where the reminders of a recipient wait for the work that sends them. Those that only open tabs
 * show wait for nothing, and share the place of mails.
 */
interface PromptQueue {
  readonly pending: Key<'zset'>;
  readonly ready: Key<'zset'>;
  /** The list of everything stored for the recipient, if it is a Slack user. */
  readonly kept: readonly AnyKey[];
  readonly work: Work;
  readonly name: string;
}

export function findPromptQueue(keys: WorkspaceKeys, user: string): PromptQueue {
  const isInSlack = user !== mailRecipient && user !== browserRecipient;
  const work: Work = isInSlack ? {kind: 'post-slack', channel: user} : {kind: 'remind'};
  return {
    pending: isInSlack ? keys.slackPending(user) : keys.remindPending(),
    ready: findReadySet(keys, work),
    kept: isInSlack ? [keys.slackKept(user)] : [],
    work,
    name: workName(work),
  };
}

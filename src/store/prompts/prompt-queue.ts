import {mailRecipient} from '../../domain/prompts/prompt.js';
import {type Work, workName} from '../../domain/core/work.js';
import {type AnyKey, findReadySet, type Key, type WorkspaceKeys} from '../core/keys.js';

/** The place where the reminders of a recipient wait for the work that sends them. */
interface PromptQueue {
  readonly pending: Key<'zset'>;
  readonly ready: Key<'zset'>;
  /** The list of everything stored for the recipient, if it is a Slack user. */
  readonly kept: readonly AnyKey[];
  readonly work: Work;
  readonly name: string;
}

export function findPromptQueue(keys: WorkspaceKeys, user: string): PromptQueue {
  const isMail = user === mailRecipient;
  const work: Work = isMail ? {kind: 'remind'} : {kind: 'post-slack', channel: user};
  return {
    pending: isMail ? keys.remindPending() : keys.slackPending(user),
    ready: findReadySet(keys, work),
    kept: isMail ? [] : [keys.slackKept(user)],
    work,
    name: workName(work),
  };
}

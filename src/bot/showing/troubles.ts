import type {Id, IdSuffix} from '../../domain/core/ids.js';
import type {SlackItem} from '../../domain/slack/slack-post.js';
import type {UnshownItem} from '../../service/slack/slack-failures.js';

/** Reports that a channel does not show something. */
export interface Troubles {
  /** Called before its event is created: a consumer of that finds the people to notify, and the problem. */
  readonly note: (
    workspace: Id<'workspace'>,
    channel: string,
    trouble: {readonly team: IdSuffix<'team'>; readonly code: string; readonly lost?: SlackItem},
    deadline: number,
  ) => Promise<void>;
  /** Emits the event; called again after a crash, so it must do so only once. */
  readonly reportUnshown: (workspace: Id<'workspace'>, unshown: UnshownItem, reason: string) => Promise<void>;
}

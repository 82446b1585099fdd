import type {Id, IdSuffix} from '../../domain/core/ids.js';
import type {SlackItem} from '../../domain/slack/slack-post.js';
import type {UnshownItem} from '../../service/slack/slack-failures.js';

/** Reports that a channel does not show something that it should. */
export interface Troubles {
  /**
   * Records the problem before its event is created, since the reader of that event looks up the problem and
   * the people to notify.
   */
  readonly note: (
    workspace: Id<'workspace'>,
    channel: string,
    trouble: {readonly team: IdSuffix<'team'>; readonly code: string; readonly lost?: SlackItem},
    deadline: number,
  ) => Promise<void>;
  /**
   * Emits the event that an item is not shown. After a crash this is called again, and must emit the event
   * only once.
   */
  readonly reportUnshown: (workspace: Id<'workspace'>, unshown: UnshownItem, reason: string) => Promise<void>;
}

import type {Id, IdSuffix} from '../../domain/core/ids.js';
import type {SlackItem} from '../../domain/slack/slack-post.js';
import type {Unshown} from '../../service/slack/slack-failures.js';

/** Where it is told that a channel does not show something. */
export interface Troubles {
  /** Noted before its event is made: a reader of that finds the people to tell, and the trouble. */
  readonly note: (
    workspace: Id<'workspace'>,
    channel: string,
    trouble: {readonly team: IdSuffix<'team'>; readonly code: string; readonly lost?: SlackItem},
    deadline: number,
  ) => Promise<void>;
  /** Tells it by event; called again after a crash, so it must tell once. */
  readonly reportUnshown: (workspace: Id<'workspace'>, unshown: Unshown, reason: string) => Promise<void>;
}

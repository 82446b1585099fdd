import type {Call} from '../../domain/core/access.js';
import type {Id} from '../../domain/core/ids.js';
import type {Log} from '../../domain/core/log.js';
import type {Meter} from '../../domain/core/meter.js';
import type {TraceContext} from '../../domain/core/trace-context.js';
import type {Work} from '../../domain/core/work.js';
import type {Services} from '../../service/services.js';
import type {EventLog} from '../../store/events/event-log.js';
import type {Prompts} from '../../store/prompts/prompts.js';
import type {SlackPosts} from '../../store/slack/slack-posts.js';
import type {SlackTroubleRecords} from '../../store/slack/slack-troubles.js';
import type {Store} from '../../store/store.js';
import type {Waits} from './waits.js';

export interface ShowingContext {
  readonly services: Services;
  readonly posts: SlackPosts;
  readonly events: EventLog;
  readonly prompts: Prompts;
  readonly slackTroubles: SlackTroubleRecords;
  readonly ready: Pick<Store['ready'], 'reschedule'>;
  /** Returns the context of a call that no person makes. */
  readonly jobCall: (workspace: Id<'workspace'>) => Call;
  /** Starts posting to a channel at once, without waiting for the scheduler. */
  readonly wake: (workspace: Id<'workspace'>, work: Work) => void;
  /** The name of this worker process. */
  readonly holder: string;
  readonly generateToken: () => string;
  /** The store's clock (ms), which determines the date. */
  readonly now: () => number;
  /** The current time (ms) for comparison with times from the chat. */
  readonly slackNow: () => number;
  readonly meter: Pick<Meter, 'countUnshown'>;
  readonly log: Log;
  readonly waits?: Partial<Waits>;
  /** Notes the span that causes the next calls for some channels; absent without traces. */
  readonly noteCause?: (
    workspace: Id<'workspace'>,
    channels: readonly string[],
    cause: TraceContext | undefined,
  ) => void;
}

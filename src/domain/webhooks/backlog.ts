import type {WebhookHealth} from './webhook-health.js';
import type {Work} from '../core/work.js';
import type {Id} from '../core/ids.js';

/** The work that waits, over all workspaces. */
export interface Backlog {
  /** Pieces of work that are due, by kind. */
  readonly due: Readonly<Partial<Record<Work['kind'], number>>>;
  /** How long the oldest of each kind has been due (ms). */
  readonly dueForMs: Readonly<Partial<Record<Work['kind'], number>>>;
  /** Whether some process looks for background work. */
  readonly hasWorker: boolean;
  readonly pending: number;
  readonly inflight: number;
  /** Waiting for a webhook that is disabled, or whose breaker is open. */
  readonly held: number;
  /**
   * How long the delivery that waits longest has been due (ms); 0 when none is. Held deliveries do not count.
   */
  readonly oldestDueMs: number;
  /** The health of each webhook, as far as one read goes. */
  readonly webhooks: readonly {readonly workspace: Id<'workspace'>; readonly health: WebhookHealth}[];
  /** False when there were more workspaces or webhooks than one read covers. */
  readonly complete: boolean;
}

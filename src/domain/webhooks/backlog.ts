import type {WebhookHealth} from './webhook-health.js';
import type {Work} from '../core/work.js';
import type {Id} from '../core/ids.js';

/** The work that waits in all workspaces. */
export interface Backlog {
  /** The amount of due work, by its kind. */
  readonly due: Readonly<Partial<Record<Work['kind'], number>>>;
  /** The time (ms) for which the oldest work of each kind has been due. */
  readonly dueForMs: Readonly<Partial<Record<Work['kind'], number>>>;
  /** True if a process does background work. */
  readonly hasWorker: boolean;
  readonly pending: number;
  readonly inflight: number;
  /** The number of deliveries whose webhook is disabled or has an open circuit breaker. */
  readonly held: number;
  /** The time (ms) for which the oldest delivery has been due; 0 for none. Held ones do not count. */
  readonly oldestDueMs: number;
  /** The time (ms) for which the oldest mail has been due; 0 for none. */
  readonly oldestMailDueMs: number;
  /** The health of as many webhooks as one read can cover. */
  readonly webhooks: readonly {readonly workspace: Id<'workspace'>; readonly health: WebhookHealth}[];
  /** True if one read has covered all workspaces and webhooks; false when there are more. */
  readonly complete: boolean;
}

import type {WebhookHealth} from './webhook-health.js';
import type {Work, WorkSide} from '../core/work.js';
import type {Id} from '../core/ids.js';

/** The work that waits, read from the workspaces whose work comes first. */
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
  /** The number of workspaces with due work, also of those that this read leaves out. */
  readonly workspacesDue: Readonly<Record<WorkSide, number>>;
  /** The health of the webhooks of the workspaces whose work comes first. */
  readonly webhooks: readonly {readonly workspace: Id<'workspace'>; readonly health: WebhookHealth}[];
}

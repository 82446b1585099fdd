// Background work: BullMQ queues and workers, one handler for each kind of work.
// Jobs carry wake-ups and time; what is true stands in the store. Nothing here decides what a standup or a webhook may do.
import type {Work} from '../domain/work.js';

/** One kind of work of one workspace, done for a slice of time. */
export interface Slice<W extends Work = Work> {
  readonly workspace: string;
  readonly work: W;
  /** Monotonic ms after which no new step begins. */
  readonly until: number;
  /** Aborted when the process is about to stop. */
  readonly signal: AbortSignal;
}

/**
 * Does what is due, as far as the slice goes, and keeps the workspace's ready set true. Answers whether more is due right now, so that
 * another turn should follow. Safe to run at any time, any number of times, in any number of processes at once.
 */
export type Perform<W extends Work = Work> = (slice: Slice<W>) => Promise<{more: boolean}>;

/** A handler for every kind of work. */
export type Performers = {readonly [K in Work['kind']]: Perform<Extract<Work, {kind: K}>>};

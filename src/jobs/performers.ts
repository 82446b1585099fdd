// Background work: BullMQ queues and workers, one handler for each kind of work.
// Jobs carry wake-ups and time; what is true stands in the store. Nothing here decides what a standup or a webhook may do.
import type {Perform, Work} from '../domain/work.js';

/** A handler for every kind of work. */
export type Performers = {readonly [K in Work['kind']]: Perform<Extract<Work, {kind: K}>>};

import type {Perform, Work} from '../domain/core/work.js';

/** A handler for every kind of work. */
export type Performers = {readonly [K in Work['kind']]: Perform<Extract<Work, {kind: K}>>};

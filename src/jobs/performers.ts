import type {Perform, Work} from '../domain/work.js';

/** A handler for every kind of work. */
export type Performers = {readonly [K in Work['kind']]: Perform<Extract<Work, {kind: K}>>};

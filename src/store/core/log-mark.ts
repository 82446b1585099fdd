import type {LogEntry} from '../../domain/events/event.js';

/** The parts of an event that distinguish it from another event with the same number. */
export type LogMark = Pick<LogEntry, 'sequence' | 'at' | 'about'>;

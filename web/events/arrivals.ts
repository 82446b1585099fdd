import type {Event} from './filter.ts';

/** The maximum of events kept besides those read; beyond it the list is read again. */
const mostKept = 200;

/**
 * Events that arrived after the read, newest first: those shown, and those that wait until the viewer asks.
 * They are kept apart, so that a read in progress cannot replace them.
 */
export interface ArrivedEvents {
  readonly shown: readonly Event[];
  readonly waiting: readonly Event[];
}

export const nothingArrived: ArrivedEvents = {shown: [], waiting: []};

export function isFull({shown, waiting}: ArrivedEvents): boolean {
  return shown.length + waiting.length >= mostKept;
}

/** Adds an event: it waits while the viewer is reading, and otherwise is shown with all that waited. */
export function addArrivedEvent(before: ArrivedEvents, event: Event, isReading: boolean): ArrivedEvents {
  return isReading
    ? {...before, waiting: [event, ...before.waiting]}
    : {shown: [event, ...before.waiting, ...before.shown], waiting: []};
}

export function showWaiting({shown, waiting}: ArrivedEvents): ArrivedEvents {
  return {shown: [...waiting, ...shown], waiting: []};
}

/** The events to show, each once, and the number of those that wait. */
export function combineEvents({shown, waiting}: ArrivedEvents, read: readonly Event[] | undefined) {
  const known = new Set(read?.map(({id}) => id));
  const isNew = ({id}: Event): boolean => !known.has(id);
  return {events: read && [...shown.filter(isNew), ...read], count: waiting.filter(isNew).length};
}

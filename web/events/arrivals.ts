import type {Event} from '../api/schema.ts';

/** Maximum number of arrived events kept beside the list. Beyond it, the list is loaded again. */
const mostKept = 200;

/**
 * Events that have arrived since the list was loaded, newest first. `waiting`: events that are shown once the
 * viewer asks for them. The loaded list does not contain arrived events, so a load in progress cannot
 * overwrite them.
 */
export interface ArrivedEvents {
  readonly shown: readonly Event[];
  readonly waiting: readonly Event[];
}

export const nothingArrived: ArrivedEvents = {shown: [], waiting: []};

export function isArrivalListFull({shown, waiting}: ArrivedEvents): boolean {
  return shown.length + waiting.length >= mostKept;
}

/** Adds an arrived event. It waits while the viewer reads; otherwise it and all waiting ones are shown. */
export function addArrivedEvent(before: ArrivedEvents, event: Event, isReading: boolean): ArrivedEvents {
  return isReading
    ? {...before, waiting: [event, ...before.waiting]}
    : {shown: [event, ...before.waiting, ...before.shown], waiting: []};
}

export function showWaitingEvents({shown, waiting}: ArrivedEvents): ArrivedEvents {
  return {shown: [...waiting, ...shown], waiting: []};
}

/** Returns the events to show, without duplicates, and the number of waiting events. */
export function combineEvents({shown, waiting}: ArrivedEvents, read: readonly Event[] | undefined) {
  const known = new Set(read?.map(({id}) => id));
  const isNew = ({id}: Event): boolean => !known.has(id);
  return {events: read && [...shown.filter(isNew), ...read], count: waiting.filter(isNew).length};
}

import type {Event} from './filter.ts';

/** Maximum number of arrived events kept beside the loaded list. With more, the list is loaded again. */
const mostKept = 200;

/**
 * Events that arrived after the list was loaded, newest first: some are shown, others wait until the viewer
 * asks. They are kept apart from the list, so that a load in progress cannot replace them.
 */
export interface ArrivedEvents {
  readonly shown: readonly Event[];
  readonly waiting: readonly Event[];
}

export const nothingArrived: ArrivedEvents = {shown: [], waiting: []};

export function isArrivalListFull({shown, waiting}: ArrivedEvents): boolean {
  return shown.length + waiting.length >= mostKept;
}

/**
 * Adds an arrived event. It waits while the viewer is reading; otherwise it is shown, with all that waited.
 */
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

import {useEffect, useState} from 'react';
import {type AskedEvents, type Event, isAmong} from './filter.ts';
import type {Following} from './use-follow.ts';

/** The maximum of events kept besides those read; beyond it the list is read again. */
const mostKept = 200;

/**
 * Events that arrived after the read, newest first: those shown, and those that wait until the viewer asks.
 */
interface Arrived {
  readonly shown: readonly Event[];
  readonly waiting: readonly Event[];
}

const none: Arrived = {shown: [], waiting: []};

/**
 * The events read, and those that arrived since: shown at once, or behind `show` while `isReading` says that
 * the viewer is reading. They are kept apart, so that a read in progress cannot replace them.
 */
export function useArrivals(
  asked: AskedEvents,
  read: readonly Event[] | undefined,
  {listen}: Following,
  {isReading, readAgain}: {readonly isReading: () => boolean; readonly readAgain: () => void},
) {
  const [{shown, waiting}, setArrived] = useState(none);
  useEffect(() =>
    listen((event) => {
      if (event === undefined) setArrived(none);
      else if (!isAmong(event, asked)) return;
      else if (shown.length + waiting.length >= mostKept) {
        setArrived(none);
        readAgain();
      } else {
        const waits = isReading();
        setArrived((before) =>
          waits
            ? {...before, waiting: [event, ...before.waiting]}
            : {shown: [event, ...before.waiting, ...before.shown], waiting: []},
        );
      }
    }),
  );
  const known = new Set(read?.map(({id}) => id));
  const isNew = ({id}: Event): boolean => !known.has(id);
  return {
    events: read && [...shown.filter(isNew), ...read],
    count: waiting.filter(isNew).length,
    show: () => setArrived({shown: [...waiting, ...shown], waiting: []}),
  };
}

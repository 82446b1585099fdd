import {useEffect, useState} from 'react';
import {type AskedEvents, type Event, isAmong} from './filter.ts';
import type {Following} from './use-follow.ts';

/** As many are kept beside what was read; of more the list is read again. */
const mostKept = 200;

/** Events that have come in since, newest first: those shown, and those that wait for a reader. */
interface Arrived {
  readonly shown: readonly Event[];
  readonly waiting: readonly Event[];
}

const none: Arrived = {shown: [], waiting: []};

/**
 * The events that were read, and those that came in since: at once, or behind `show` while `isReading` says
 * that somebody reads. They are kept apart, so that a read that is under way replaces none.
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

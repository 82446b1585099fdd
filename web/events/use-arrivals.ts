import {useEffect, useState} from 'react';
import {arrive, isFull, nothingArrived, showWaiting, together} from './arrivals.ts';
import {type EventListQuery, type Event, isAmong} from './filter.ts';
import type {EventFeed} from './use-follow.ts';

/**
 * The events read, and those that arrived since: shown at once, or behind `show` while `isReading` says that
 * the viewer is reading.
 */
export function useArrivals(
  asked: EventListQuery,
  read: readonly Event[] | undefined,
  {listen}: EventFeed,
  {isReading, readAgain}: {readonly isReading: () => boolean; readonly readAgain: () => void},
) {
  const [arrived, setArrived] = useState(nothingArrived);
  useEffect(() =>
    listen((event) => {
      if (event === undefined) setArrived(nothingArrived);
      else if (!isAmong(event, asked)) return;
      else if (isFull(arrived)) {
        setArrived(nothingArrived);
        readAgain();
      } else {
        const waits = isReading();
        setArrived((before) => arrive(before, event, waits));
      }
    }),
  );
  return {...together(arrived, read), show: () => setArrived(showWaiting)};
}

import {useEffect, useState} from 'react';
import type {Event} from '../api/schema.ts';
import {
  addArrivedEvent,
  isArrivalListFull,
  nothingArrived,
  showWaitingEvents,
  combineEvents,
} from './arrivals.ts';
import {type EventListQuery, matchesEventQuery} from './filter.ts';
import type {EventFeed} from './use-follow.ts';

/** Combines the loaded events with later ones. These wait for `show` while `isReading` returns true. */
export function useArrivedEvents(
  asked: EventListQuery,
  read: readonly Event[] | undefined,
  {listen}: EventFeed,
  {isReading, readAgain}: {readonly isReading: () => boolean; readonly readAgain: () => void},
) {
  const [arrived, setArrived] = useState(nothingArrived);
  useEffect(() =>
    listen((event) => {
      if (event === undefined) setArrived(nothingArrived);
      else if (!matchesEventQuery(event, asked)) return;
      else if (isArrivalListFull(arrived)) {
        setArrived(nothingArrived);
        readAgain();
      } else {
        const waits = isReading();
        setArrived((before) => addArrivedEvent(before, event, waits));
      }
    }),
  );
  return {...combineEvents(arrived, read), show: () => setArrived(showWaitingEvents)};
}

import {useEffect, useRef, useState} from 'react';
import {followEvents} from '../api/event-stream.ts';
import {queryClient} from '../api/queries.ts';
import type {Event} from '../api/schema.ts';
import {listSubjectIds} from './filter.ts';
import {sameSubjectQuery} from './queries.ts';

/** Maximum time that the first load of events waits for the stream, in ms. */
const longestWait = 1_000;

type FeedListener = (event: Event | undefined) => void;

export interface EventFeed {
  /** True once the stream is open, or takes so long that events are loaded now and again later. */
  readonly isReady: boolean;
  readonly isLive: boolean;
  /** Calls the listener with each event; with undefined when events were missed. Returns a stop function. */
  readonly listen: (listener: FeedListener) => () => void;
}

export function useEventFeed(): EventFeed {
  const [isReady, setReady] = useState(false);
  const [isLive, setLive] = useState(false);
  const listeners = useRef(new Set<FeedListener>());

  useEffect(() => {
    const notify = (event: Event | undefined): void => {
      for (const listener of listeners.current) listener(event);
    };
    const readAgain = (): void => {
      void queryClient.invalidateQueries({queryKey: ['listEvents']});
      notify(undefined);
    };
    let isUnwatched = false;
    const timer = setTimeout(() => {
      isUnwatched = true;
      setReady(true);
    }, longestWait);
    const stop = followEvents({
      onOpen(isOpen) {
        clearTimeout(timer);
        setLive(isOpen);
        setReady(true);
        if (isOpen && isUnwatched) readAgain();
        if (isOpen) isUnwatched = false;
      },
      onEvent(json) {
        const event = JSON.parse(json) as Event;
        for (const id of listSubjectIds(event)) void queryClient.invalidateQueries(sameSubjectQuery(id));
        notify(event);
      },
      onMissed: readAgain,
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, []);

  const listen = (listener: FeedListener) => {
    listeners.current.add(listener);
    return () => void listeners.current.delete(listener);
  };
  return {isReady, isLive, listen};
}

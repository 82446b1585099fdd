import {useQueryClient} from '@tanstack/react-query';
import {useEffect, useRef, useState} from 'react';
import {followEvents} from '../api/event-stream.ts';
import {type Event, subjectsOf} from './filter.ts';
import {sameSubjectQuery} from './queries.ts';

/** How long the first read waits for the stream, in ms. */
const longestWait = 1_000;

type Listener = (event: Event | undefined) => void;

export interface Following {
  /** Answers that are read from now on miss nothing. */
  readonly isReady: boolean;
  readonly isLive: boolean;
  /** Hears every event, and undefined where some were missed. Answers how to hear no more. */
  readonly listen: (listener: Listener) => () => void;
}

/** The stream of events, opened before anything is read. */
export function useFollow(): Following {
  const client = useQueryClient();
  const [isReady, setReady] = useState(false);
  const [isLive, setLive] = useState(false);
  const listeners = useRef(new Set<Listener>());

  useEffect(() => {
    const tell = (event: Event | undefined): void => {
      for (const listener of listeners.current) listener(event);
    };
    const readAgain = (): void => {
      void client.invalidateQueries({queryKey: ['listEvents']});
      tell(undefined);
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
        for (const id of subjectsOf(event)) void client.invalidateQueries(sameSubjectQuery(id));
        tell(event);
      },
      onMissed: readAgain,
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [client]);

  const listen = (listener: Listener) => {
    listeners.current.add(listener);
    return () => void listeners.current.delete(listener);
  };
  return {isReady, isLive, listen};
}

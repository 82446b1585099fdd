import {infiniteQueryOptions} from '@tanstack/react-query';
import {readQuery, readRows} from '../api/read.ts';
import type {Event} from '../api/schema.ts';
import type {EventListQuery} from './filter.ts';

export interface EventListPage {
  readonly data: readonly Event[];
  readonly next_cursor: string | null;
}

/** Maximum number of requests for the first match, until the viewer asks to search further. */
const mostPages = 5;

export const eventsQuery = (asked: EventListQuery) =>
  infiniteQueryOptions({
    queryKey: ['listEvents', asked],
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({next_cursor}: EventListPage) => next_cursor ?? undefined,
    async queryFn({pageParam: cursor, signal}): Promise<EventListPage> {
      const given = {...asked, order: 'desc' as const, limit: 50, cursor};
      const {rows, next} = await readRows('/v1/events', given, signal, {mostPages, wanted: 1});
      return {data: rows, next_cursor: next ?? null};
    },
  });

/** The latest events about one object. */
export const sameSubjectQuery = (about: string) =>
  readQuery('listEvents', '/v1/events', {about, order: 'desc', limit: 8});

export const eventQuery = (event: string) => readQuery('getEvent', '/v1/events/{event}', {event});

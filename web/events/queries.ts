import {infiniteQueryOptions, queryOptions} from '@tanstack/react-query';
import {api, dataOf} from '../api/client.ts';
import type {EventListQuery, Event} from './filter.ts';

export interface EventListPage {
  readonly data: readonly Event[];
  readonly next_cursor: string | null;
}

/**
 * Maximum number of requests that look for the first match. After them, the viewer must ask to search
 * further.
 */
const mostLooks = 5;

/** Events that match the filters, newest first. */
export const eventsQuery = (asked: EventListQuery) =>
  infiniteQueryOptions({
    queryKey: ['listEvents', asked],
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({next_cursor}: EventListPage) => next_cursor ?? undefined,
    async queryFn({pageParam, signal}): Promise<EventListPage> {
      let cursor = pageParam;
      for (let looks = 1; ; looks += 1) {
        const query = {...asked, order: 'desc' as const, limit: 50, ...(cursor !== undefined && {cursor})};
        const {data, has_more, next_cursor} = await dataOf(api.GET('/v1/events', {params: {query}, signal}));
        const next = has_more ? next_cursor : null;
        if (data.length > 0 || next === null || looks === mostLooks) return {data, next_cursor: next};
        cursor = next;
      }
    },
  });

/** The latest events about one object. */
export const sameSubjectQuery = (about: string) =>
  queryOptions({
    queryKey: ['listEvents', {about, latest: true}],
    queryFn: ({signal}) =>
      dataOf(api.GET('/v1/events', {params: {query: {about, order: 'desc', limit: 8}}, signal})),
  });

export const eventQuery = (event: string) =>
  queryOptions({
    queryKey: ['getEvent', {event}],
    queryFn: ({signal}) => dataOf(api.GET('/v1/events/{event}', {params: {path: {event}}, signal})),
  });

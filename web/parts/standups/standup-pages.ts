import {infiniteQueryOptions, queryOptions} from '@tanstack/react-query';
import {api, dataOf} from '../../api/client.ts';
import type {StandupListPage} from './put-standup.ts';
import {type StandupListFilter, toApiParameters} from './standup-filter.ts';

const pageSize = 50;

/**
 * The query key differs from `listStandups`, so that a change event does not reload all pages. Instead,
 * follow-standups.ts updates single standups in them.
 */
export const standupPagesQuery = (filter: StandupListFilter) =>
  infiniteQueryOptions({
    queryKey: ['standupPages', filter],
    initialPageParam: undefined as string | undefined,
    queryFn: ({pageParam, signal}): Promise<StandupListPage> => {
      const cursor = pageParam === undefined ? {} : {cursor: pageParam};
      const query = {...toApiParameters(filter), ...cursor, limit: pageSize};
      return dataOf(api.GET('/v1/standups', {params: {query}, signal}));
    },
    getNextPageParam: ({has_more, next_cursor}) => (has_more ? (next_cursor ?? undefined) : undefined),
  });

export const standupQuery = (standup: string) =>
  queryOptions({
    queryKey: ['getStandup', {standup}],
    queryFn: ({signal}) => dataOf(api.GET('/v1/standups/{standup}', {params: {path: {standup}}, signal})),
  });

export const revisionsQuery = (standup: string) =>
  infiniteQueryOptions({
    queryKey: ['listStandupRevisions', {standup}],
    initialPageParam: undefined as string | undefined,
    queryFn: ({pageParam, signal}) => {
      const query = pageParam === undefined ? {} : {cursor: pageParam};
      const params = {path: {standup}, query};
      return dataOf(api.GET('/v1/standups/{standup}/revisions', {params, signal}));
    },
    getNextPageParam: ({has_more, next_cursor}) => (has_more ? (next_cursor ?? undefined) : undefined),
  });

import {type InfiniteData, infiniteQueryOptions, queryOptions} from '@tanstack/react-query';
import {api, dataOf} from '../../api/client.ts';
import type {ShownStandup, StandupFilter} from './standup-filter.ts';
import {toParameters} from './standup-filter.ts';

export interface StandupPage {
  readonly data: readonly ShownStandup[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

export type StandupPages = InfiniteData<StandupPage, string | undefined>;

const pageSize = 50;

/**
 * Not under `listStandups`: a change would read all loaded pages again. What changes is put in its place instead
 * (follow-standups.ts).
 */
export const standupPagesQuery = (filter: StandupFilter) =>
  infiniteQueryOptions({
    queryKey: ['standupPages', filter],
    initialPageParam: undefined as string | undefined,
    queryFn: ({pageParam, signal}): Promise<StandupPage> => {
      const cursor = pageParam === undefined ? {} : {cursor: pageParam};
      const query = {...toParameters(filter), ...cursor, limit: pageSize};
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

/** Puts a standup where it belongs; it is left out when it stands behind all that was loaded. */
export function putStandup(pages: StandupPages, standup: ShownStandup, order: 'asc' | 'desc'): StandupPages {
  const without = takeStandup(pages, standup.id);
  const isBefore = (other: ShownStandup): boolean =>
    order === 'asc' ? placeOf(standup) < placeOf(other) : placeOf(standup) > placeOf(other);
  const last = without.pages.length - 1;
  let isPut = false;
  const put = without.pages.map((page, i): StandupPage => {
    const at = page.data.findIndex(isBefore);
    if (isPut || (at < 0 && (i < last || page.has_more))) return page;
    isPut = true;
    return {...page, data: at < 0 ? [...page.data, standup] : page.data.toSpliced(at, 0, standup)};
  });
  return {...without, pages: put};
}

export function takeStandup(pages: StandupPages, id: string): StandupPages {
  return {
    ...pages,
    pages: pages.pages.map((page) => ({...page, data: page.data.filter((one) => one.id !== id)})),
  };
}

function placeOf({date, created_at}: ShownStandup): string {
  return `${date} ${created_at}`;
}

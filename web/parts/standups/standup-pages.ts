import {infiniteQueryOptions} from '@tanstack/react-query';
import {readPagesQuery, readQuery} from '../../api/read.ts';
import {type StandupListFilter, toApiParameters} from './standup-filter.ts';

const pageSize = 50;

/**
 * The query key differs from `listStandups`, so that a change event does not reload all pages. Instead,
 * follow-standups.ts updates single standups in them.
 */
export const standupPagesQuery = (filter: StandupListFilter) =>
  infiniteQueryOptions({
    ...readPagesQuery('listStandups', '/v1/standups', {...toApiParameters(filter), limit: pageSize}),
    queryKey: ['standupPages', filter],
  });

export const standupQuery = (standup: string) => readQuery('getStandup', '/v1/standups/{standup}', {standup});

export const revisionsQuery = (standup: string) =>
  readPagesQuery('listStandupRevisions', '/v1/standups/{standup}/revisions', {standup});

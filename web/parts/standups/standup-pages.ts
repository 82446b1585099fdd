import {infiniteQueryOptions} from '@tanstack/react-query';
import {readPagesQuery, readQuery} from '../../api/read.ts';
import {type StandupListFilter, toApiParameters} from './standup-filter.ts';

const pageSize = 50;

/** Has its own query key, so no event reloads all pages: follow-standups.ts updates single standups. */
export const standupPagesQuery = (filter: StandupListFilter) =>
  infiniteQueryOptions({
    ...readPagesQuery('listStandups', '/v1/standups', {...toApiParameters(filter), limit: pageSize}),
    queryKey: ['standupPages', toApiParameters(filter)],
  });

export const standupQuery = (standup: string) => readQuery('getStandup', '/v1/standups/{standup}', {standup});

export const revisionsQuery = (standup: string) =>
  readPagesQuery('listStandupRevisions', '/v1/standups/{standup}/revisions', {standup});

import {infiniteQueryOptions, queryOptions} from '@tanstack/react-query';
import {readPagesQuery, readQuery, readRows} from '../api/read.ts';
import {foldEmail} from './people.ts';
import {findOpenImport, type Import} from './taking-back.ts';

/** Polling intervals in ms: no event reports that an import begins, or how far it is. */
const lookMs = {removing: 1_000, open: 5_000, seldom: 15_000};

export const importsQuery = infiniteQueryOptions({
  ...readPagesQuery('listImports', '/v1/imports', {limit: 20}),
  refetchInterval: ({state: {data}}) =>
    findOpenImport(data?.pages.flatMap(({data: rows}) => rows) ?? []) === undefined
      ? lookMs.seldom
      : lookMs.open,
});

/** One import, polled while it is taken back: it may be too old for the part of the list that is shown. */
export const importQuery = (id: string) =>
  queryOptions({
    ...readQuery('getImport', '/v1/imports/{import}', {import: id}),
    refetchInterval: ({state: {data}}) => data?.state === 'removing' && lookMs.removing,
  });

/** Maximum number of pages (100 rows) that are read of teams and of members. */
const mostPages = 20;

export const everyTeamQuery = queryOptions({
  queryKey: ['listTeams', {all: true}],
  queryFn: async ({signal}) => (await readRows('/v1/teams', {limit: 100}, signal, {mostPages})).rows,
});

export interface KnownMembers {
  readonly names: ReadonlyMap<string, string>;
  /** Members by their address. It shows what to expect: the service decides. */
  readonly byEmail: ReadonlyMap<string, string>;
}

export const everyMemberQuery = queryOptions({
  queryKey: ['listMembers', {withAddresses: true}],
  async queryFn({signal}): Promise<KnownMembers> {
    const {rows} = await readRows('/v1/members', {limit: 100}, signal, {mostPages});
    return {
      names: new Map(rows.map(({id, name}) => [id, name])),
      byEmail: new Map(rows.flatMap(({id, email}) => (email === null ? [] : [[foldEmail(email), id]]))),
    };
  },
});

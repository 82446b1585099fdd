import {useQueries} from '@tanstack/react-query';
import type {Schema} from '../api/schema.ts';
import {ownBlockersQuery} from './queries.ts';

export function useOwnBlockers(teams: readonly {readonly slug: string}[]): readonly Schema<'Blocker'>[] {
  const found = useQueries({queries: teams.map(({slug}) => ownBlockersQuery(slug))});
  return found.flatMap(({data}) => data ?? []);
}

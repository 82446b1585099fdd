import {useQueries} from '@tanstack/react-query';
import type {Schema} from '../api/schema.ts';
import {ownBlockersQuery} from './queries.ts';

/** Reads the viewer's open blockers in several teams. */
export function useOwnBlockers(teams: readonly {readonly slug: string}[]): readonly Schema<'Blocker'>[] {
  const found = useQueries({queries: teams.map(({slug}) => ownBlockersQuery(slug))});
  return found.flatMap(({data}) => data ?? []);
}

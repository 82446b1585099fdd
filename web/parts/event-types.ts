import {queryOptions} from '@tanstack/react-query';
import {readRows} from '../api/read.ts';
import type {Schema} from '../api/schema.ts';

export type EventTypeInfo = Pick<Schema<'EventType'>, 'type' | 'group' | 'description'>;

/** All event types, in the service's order. */
export const eventTypesQuery = queryOptions({
  queryKey: ['listEventTypes'],
  queryFn: async ({signal}) => {
    const {rows} = await readRows('/v1/event-types', {limit: 100}, signal);
    return rows.map(({type, group, description}): EventTypeInfo => ({type, group, description}));
  },
});

import {queryOptions} from '@tanstack/react-query';
import {api, dataOf} from '../api/client.ts';
import type {Schema} from '../api/schema.ts';

export type EventTypeInfo = Pick<Schema<'EventType'>, 'type' | 'group' | 'description'>;

/** All event types, in the service's order. */
export const eventTypesQuery = queryOptions({
  queryKey: ['listEventTypes'],
  queryFn: async ({signal}) => {
    const types: EventTypeInfo[] = [];
    for (let cursor: string | undefined; ; ) {
      const query = {limit: 100, ...(cursor !== undefined && {cursor})};
      const page = await dataOf(api.GET('/v1/event-types', {params: {query}, signal}));
      types.push(...page.data.map(({type, group, description}) => ({type, group, description})));
      if (page.next_cursor === null) return types;
      cursor = page.next_cursor;
    }
  },
});

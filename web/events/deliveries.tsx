import {queryOptions, useQuery} from '@tanstack/react-query';
import {meQuery} from '../api/queries.ts';
import {readRows} from '../api/read.ts';
import {EventDeliveries} from '../parts/deliveries/event-deliveries.tsx';
import {mayUse} from '../parts/rights.ts';
import {texts} from '../texts/texts.ts';

/** Names each webhook by its description, or else by its URL. */
const webhookNamesQuery = queryOptions({
  queryKey: ['listWebhooks', {names: true}],
  async queryFn({signal}) {
    const {rows} = await readRows('/v1/webhooks', {limit: 100}, signal);
    return new Map(rows.map(({id, description, url}) => [id, description ?? url]));
  },
});

/** Lists the deliveries of an event to webhooks, for viewers who may see webhooks. */
export function Deliveries({event}: {readonly event: string}) {
  const isAllowed = mayUse(useQuery(meQuery).data, 'webhooks:manage');
  const {data: names} = useQuery({...webhookNamesQuery, enabled: isAllowed});
  if (!isAllowed) return null;
  return (
    <section>
      <h3>{texts.webhooks.ofEvent.title}</h3>
      <EventDeliveries event={event} names={names} />
    </section>
  );
}

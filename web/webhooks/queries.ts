import {queryOptions} from '@tanstack/react-query';
import {api, dataOf} from '../api/client.ts';
import type {Schema} from '../api/schema.ts';

export type Webhook = Schema<'Webhook'>;
export type Health = Schema<'WebhookHealth'>;
export type Delivery = Schema<'Delivery'>;
export type Attempt = Schema<'Attempt'>;

/** A workspace has 20 at the most. */
export const webhooksQuery = queryOptions({
  queryKey: ['listWebhooks', {}],
  queryFn: async ({signal}) => {
    const {data} = await dataOf(api.GET('/v1/webhooks', {params: {query: {limit: 100}}, signal}));
    return data;
  },
});

export const webhookQuery = (webhook: string) =>
  queryOptions({
    queryKey: ['getWebhook', {webhook}],
    queryFn: ({signal}) => dataOf(api.GET('/v1/webhooks/{webhook}', {params: {path: {webhook}}, signal})),
  });

import {infiniteQueryOptions, queryOptions} from '@tanstack/react-query';
import {api, dataOf} from '../api/client.ts';
import type {Paths, Schema} from '../api/schema.ts';
import {spans, type WebhookSearch} from './search.ts';

export type Webhook = Schema<'Webhook'>;
export type ListedWebhook = Schema<'ListedWebhook'>;
export type WebhookHealth = Schema<'WebhookHealth'>;
export type Delivery = Schema<'Delivery'>;
export type Attempt = Schema<'Attempt'>;

type EventType = NonNullable<
  NonNullable<Paths['/v1/webhooks/{webhook}/deliveries']['get']['parameters']['query']>['event_type']
>;

const webhooksAtOnce = 25;
/**
 * Time (ms) after which a visible list is read again, since no event reports attempts. A long list is read
 * less often.
 */
const readEveryMs = 15_000;

/** Webhooks, each with its health. */
export const webhooksQuery = infiniteQueryOptions({
  queryKey: ['listWebhooks', {include: 'health'}],
  queryFn: ({pageParam, signal}) => readWebhooks(pageParam, signal),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({next_cursor: next}) => next ?? undefined,
  refetchInterval: ({state}) => readEveryMs * (state.data?.pages.length ?? 1),
});

function readWebhooks(cursor: string | undefined, signal: AbortSignal) {
  const query = {include: 'health' as const, limit: webhooksAtOnce, ...(cursor !== undefined && {cursor})};
  return dataOf(api.GET('/v1/webhooks', {params: {query}, signal}));
}

/** Ids of webhooks that this page is deleting or has deleted, and that no query may read any more. */
export const leaving = new Set<string>();
/**
 * Returns a function that tells whether a webhook may be read. Queries call it before each read, since a
 * change event may arrive while the page of a deleted webhook is still open.
 */
export const buildReadPermissionCheck = (webhook: string) => (): boolean => !leaving.has(webhook);

export const webhookQuery = (webhook: string) =>
  queryOptions({
    queryKey: ['getWebhook', {webhook}],
    enabled: buildReadPermissionCheck(webhook),
    queryFn: ({signal}) => dataOf(api.GET('/v1/webhooks/{webhook}', {params: {path: {webhook}}, signal})),
  });

/** The health of a webhook, polled while visible: it changes with each attempt, which no event reports. */
export const healthQuery = (webhook: string, everyMs: number) =>
  queryOptions({
    queryKey: ['getWebhookHealth', {webhook}],
    queryFn: ({signal}) =>
      dataOf(api.GET('/v1/webhooks/{webhook}/health', {params: {path: {webhook}}, signal})),
    enabled: buildReadPermissionCheck(webhook),
    refetchInterval: everyMs,
  });

export type DeliveryFilter = Omit<WebhookSearch, 'delivery'>;

interface DeliveryPage {
  readonly rows: readonly Delivery[];
  readonly next: PageCursor | undefined;
}

/**
 * A position in a filtered list. It contains the start of the time range, because a cursor is valid only with
 * exactly the filters of the first page.
 */
interface PageCursor {
  readonly cursor: string | undefined;
  readonly since: string | undefined;
}

const pageSize = 100;
/**
 * Maximum number of empty pages read before *Show more* appears: a filtered page may be empty although more
 * follow.
 */
const mostEmpty = 3;

export const deliveriesQuery = (webhook: string, filter: DeliveryFilter) =>
  infiniteQueryOptions({
    queryKey: ['listDeliveries', {webhook, ...filter}],
    enabled: buildReadPermissionCheck(webhook),
    queryFn: ({pageParam, signal}) => readDeliveries(webhook, filter, pageParam, signal),
    initialPageParam: undefined as PageCursor | undefined,
    getNextPageParam: ({next}) => next,
  });

async function readDeliveries(
  webhook: string,
  {state, type, last, since: from, until, event, replay}: DeliveryFilter,
  pageCursor: PageCursor | undefined,
  signal: AbortSignal,
): Promise<DeliveryPage> {
  const begin = last === undefined ? from : new Date(Date.now() - spans[last]).toISOString();
  const since = pageCursor === undefined ? begin : pageCursor.since;
  let cursor = pageCursor?.cursor;
  for (let step = 1; ; step += 1) {
    const query = {
      limit: pageSize,
      ...(state !== undefined && {state}),
      ...(type !== undefined && {event_type: type as EventType}),
      ...(since !== undefined && {since}),
      ...(until !== undefined && {until}),
      ...(event !== undefined && {event}),
      ...(replay !== undefined && {replay}),
      ...(cursor !== undefined && {cursor}),
    };
    const page = await dataOf(
      api.GET('/v1/webhooks/{webhook}/deliveries', {params: {path: {webhook}, query}, signal}),
    );
    cursor = page.next_cursor ?? undefined;
    if (page.data.length > 0 || cursor === undefined || step === mostEmpty) {
      return {rows: page.data, next: cursor === undefined ? undefined : {cursor, since}};
    }
  }
}

export const deliveryQuery = (delivery: string) =>
  queryOptions({
    queryKey: ['getDelivery', {delivery}],
    queryFn: ({signal}) => dataOf(api.GET('/v1/deliveries/{delivery}', {params: {path: {delivery}}, signal})),
  });

/** All attempts of a delivery: the service keeps at most a hundred, so one page. */
export const attemptsQuery = (delivery: string) =>
  queryOptions({
    queryKey: ['listAttempts', {delivery}],
    queryFn: async ({signal}) => {
      const params = {path: {delivery}, query: {limit: 100}};
      const {data} = await dataOf(api.GET('/v1/deliveries/{delivery}/attempts', {params, signal}));
      return data;
    },
  });

/** Key under which the draft of a webhook's settings is stored. */
export const buildSettingsDraftKey = ({id}: Webhook): string => `webhook:${id}`;

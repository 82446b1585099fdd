import {infiniteQueryOptions, type QueryClient, queryOptions} from '@tanstack/react-query';
import {api, dataOf} from '../api/client.ts';
import {read} from '../api/read.ts';
import type {
  Delivery,
  NewReplay,
  NewWebhook,
  Replay,
  Schema,
  Webhook,
  WebhookChange,
  WebhookHealth,
} from '../api/schema.ts';
import {deliveryQuery, leaving, buildReadPermissionCheck} from './queries.ts';

/**
 * Returns the header with the idempotency key of a change. With the same key, a second press or a retry after
 * a lost response does not repeat the change.
 */
const buildIdempotencyHeader = (key: string) => ({'Idempotency-Key': key});
const buildIfMatchHeader = ({revision}: Webhook) => ({'If-Match': `"${revision}"`});

export function createWebhook(body: NewWebhook, key: string): Promise<Schema<'CreatedWebhook'>> {
  return dataOf(api.POST('/v1/webhooks', {params: {header: buildIdempotencyHeader(key)}, body}));
}

export function changeWebhook(webhook: Webhook, body: WebhookChange, key: string): Promise<Webhook> {
  const params = {
    path: {webhook: webhook.id},
    header: {...buildIfMatchHeader(webhook), ...buildIdempotencyHeader(key)},
  };
  return dataOf(api.PATCH('/v1/webhooks/{webhook}', {params, body}));
}

export async function deleteWebhook(webhook: Webhook): Promise<true> {
  const params = {path: {webhook: webhook.id}, header: buildIfMatchHeader(webhook)};
  leaving.add(webhook.id);
  try {
    await api.DELETE('/v1/webhooks/{webhook}', {params});
    return true;
  } catch (error) {
    leaving.delete(webhook.id);
    throw error;
  }
}

export function rotateSecret({id}: Webhook, overlap: number, key: string): Promise<Schema<'RotatedWebhook'>> {
  const params = {path: {webhook: id}, header: buildIdempotencyHeader(key)};
  const body = {overlap_seconds: overlap};
  return dataOf(api.POST('/v1/webhooks/{webhook}/rotate-secret', {params, body}));
}

export function testWebhook({id}: Webhook, key: string): Promise<Delivery> {
  const params = {path: {webhook: id}, header: buildIdempotencyHeader(key)};
  return dataOf(api.POST('/v1/webhooks/{webhook}/test', {params, body: {}}));
}

/** Makes the service try a failing webhook at once. Resolves to the webhook's health after that attempt. */
export function tryWebhook({id}: Webhook, key: string): Promise<WebhookHealth> {
  const params = {path: {webhook: id}, header: buildIdempotencyHeader(key)};
  return dataOf(api.POST('/v1/webhooks/{webhook}/try', {params, body: {}}));
}

export function redeliver({id}: Delivery, key: string): Promise<Delivery> {
  const params = {path: {delivery: id}, header: buildIdempotencyHeader(key)};
  return dataOf(api.POST('/v1/deliveries/{delivery}/redeliver', {params, body: {}}));
}

export function replayWebhook({id}: Webhook, body: NewReplay, key: string): Promise<Replay> {
  const params = {path: {webhook: id}, header: buildIdempotencyHeader(key)};
  return dataOf(api.POST('/v1/webhooks/{webhook}/replay', {params, body}));
}

export async function cancelReplay({id, webhook_id: webhook}: Replay): Promise<true> {
  const params = {path: {webhook, replay: id}};
  await api.DELETE('/v1/webhooks/{webhook}/replays/{replay}', {params});
  return true;
}

export function readReplay({id, webhook_id: webhook}: Replay): Promise<Replay> {
  const params = {path: {webhook, replay: id}};
  return dataOf(api.GET('/v1/webhooks/{webhook}/replays/{replay}', {params}));
}

/** Whether a replay is running, or waits because too many replays of the workspace are running. */
export function isReplayUnderWay({state}: Replay): boolean {
  return state === 'running' || state === 'waiting';
}

/** Polls a replay while it runs: no event reports its progress. */
export const replayQuery = (replay: Replay) =>
  queryOptions({
    queryKey: ['getReplay', {replay: replay.id}],
    queryFn: () => readReplay(replay),
    initialData: replay,
    refetchInterval: ({state: {data}}) => (data !== undefined && isReplayUnderWay(data) ? 1_000 : false),
  });

/** Replays of a webhook, newest first. A page may be short, since dry runs are left out. */
export const replaysQuery = (webhook: string) =>
  infiniteQueryOptions({
    queryKey: ['listReplays', {webhook}],
    enabled: buildReadPermissionCheck(webhook),
    queryFn: async ({pageParam, signal}) => {
      const given = {webhook, limit: 100, cursor: pageParam};
      const page = await read('/v1/webhooks/{webhook}/replays', given, signal);
      return {replays: page.data.filter((replay) => !replay.dry_run), next: page.next_cursor};
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({next}) => next ?? undefined,
  });

/** Polls a delivery until it has an outcome. */
export const outcomeQuery = ({id}: Delivery) =>
  queryOptions({
    ...deliveryQuery(id),
    refetchInterval: ({state: {data}}) => findPollingPause(data),
  });

function findPollingPause(delivery: Delivery | undefined): number | false {
  if (delivery === undefined || ['pending', 'delivering'].includes(delivery.state)) return 500;
  return ['retrying', 'held'].includes(delivery.state) ? 3_000 : false;
}

/** Refetches the queries that a change of a webhook makes stale. */
export async function refetchStaleQueries(client: QueryClient, operations: readonly string[]): Promise<void> {
  await client.invalidateQueries({
    predicate: ({queryKey: [operation]}) => operations.includes(String(operation)),
  });
}

export const aboutWebhook = ['listWebhooks', 'getWebhook', 'getWebhookHealth'];
export const aboutDeliveries = ['listDeliveries', 'getDelivery', 'listAttempts', 'getWebhookHealth'];

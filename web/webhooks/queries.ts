import {infiniteQueryOptions, queryOptions} from '@tanstack/react-query';
import {read, readPagesQuery, readQuery, readRows, readRowsQuery} from '../api/read.ts';
import type {Delivery, Paths, Replay, Webhook} from '../api/schema.ts';
import {spans, type WebhookSearch} from './search.ts';

type EventType = NonNullable<
  NonNullable<Paths['/v1/webhooks/{webhook}/deliveries']['get']['parameters']['query']>['event_type']
>;

/** Polling interval (ms) of a visible list: no event reports attempts. Long lists are read less often. */
const readEveryMs = 15_000;

export const webhooksQuery = infiniteQueryOptions({
  ...readPagesQuery('listWebhooks', '/v1/webhooks', {include: 'health', limit: 25}),
  refetchInterval: ({state}) => readEveryMs * (state.data?.pages.length ?? 1),
});

/** Ids of webhooks that this page is deleting or has deleted, and that no query may read any more. */
export const leaving = new Set<string>();
/** Tells whether to read a webhook: changes still arrive while a deleted webhook's page is open. */
export const buildReadPermissionCheck = (webhook: string) => (): boolean => !leaving.has(webhook);

export const webhookQuery = (webhook: string) => ({
  ...readQuery('getWebhook', '/v1/webhooks/{webhook}', {webhook}),
  enabled: buildReadPermissionCheck(webhook),
});

/** The health of a webhook, polled while visible: it changes with each attempt, which no event reports. */
export const healthQuery = (webhook: string, everyMs: number) => ({
  ...readQuery('getWebhookHealth', '/v1/webhooks/{webhook}/health', {webhook}),
  enabled: buildReadPermissionCheck(webhook),
  refetchInterval: everyMs,
});

export type DeliveryFilter = Omit<WebhookSearch, 'delivery'>;

interface DeliveryPage {
  readonly rows: readonly Delivery[];
  readonly next: PageCursor | undefined;
}

/** A position in a list, with the start of its time range: a cursor is valid only with its filters. */
interface PageCursor {
  readonly cursor: string | undefined;
  readonly since: string | undefined;
}

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
  const given = {
    webhook,
    limit: 100,
    state,
    event_type: type as EventType | undefined,
    since,
    until,
    event,
    replay,
    cursor: pageCursor?.cursor,
  };
  const path = '/v1/webhooks/{webhook}/deliveries';
  // Reads up to three pages before *Show more* appears.
  const {rows, next} = await readRows(path, given, signal, {mostPages: 3, wanted: 1});
  return {rows, next: next === undefined ? undefined : {cursor: next, since}};
}

export const deliveryQuery = (delivery: string) =>
  readQuery('getDelivery', '/v1/deliveries/{delivery}', {delivery});

/** All attempts of a delivery: the service keeps at most a hundred, so one page. */
export const attemptsQuery = (delivery: string) =>
  readRowsQuery('listAttempts', '/v1/deliveries/{delivery}/attempts', {delivery, limit: 100});

export const buildSettingsDraftKey = ({id}: Webhook): string => `webhook:${id}`;

/** Whether a replay is running, or waits because too many replays of the workspace are running. */
export function isReplayUnderWay({state}: Replay): boolean {
  return state === 'running' || state === 'waiting';
}

/** Polls a replay while it runs: no event reports its progress. */
export const replayQuery = (replay: Replay) =>
  queryOptions({
    ...readQuery('getReplay', '/v1/webhooks/{webhook}/replays/{replay}', {
      webhook: replay.webhook_id,
      replay: replay.id,
    }),
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

import {useInfiniteQuery, useQuery} from '@tanstack/react-query';
import {getRouteApi, useNavigate} from '@tanstack/react-router';
import {useCallback, useEffect, useRef, useState} from 'react';
import {invalidate} from '../api/queries.ts';
import type {Webhook, WebhookHealth} from '../api/schema.ts';
import {Button} from '../parts/button.tsx';
import {Card} from '../parts/card.tsx';
import {Empty} from '../parts/empty.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {texts} from '../texts/texts.ts';
import {DeliveryFilters} from './delivery-filters.tsx';
import {DeliveryRow} from './delivery-row.tsx';
import {deliveriesQuery, deliveryQuery} from './queries.ts';
import {filterNames} from './search.ts';

const route = getRouteApi('/framed/webhooks/$webhook');

export function Deliveries({
  webhook,
  health,
}: {
  readonly webhook: Webhook;
  readonly health: WebhookHealth | undefined;
}) {
  const t = texts.webhooks.deliveries;
  const {delivery: open, ...search} = route.useSearch();
  const filter = Object.fromEntries(filterNames.map((name) => [name, search[name]])) as typeof search;
  const navigate = useNavigate({from: '/webhooks/$webhook'});
  const list = useInfiniteQuery(deliveriesQuery(webhook.id, filter));
  const pages = list.data?.pages.length ?? 0;
  const {isOld, readNewest} = useNewAttemptsNotice(health, pages, list.refetch);
  const rows = [
    ...new Map(list.data?.pages.flatMap((page) => page.rows).map((row) => [row.id, row])).values(),
  ];
  const isFiltered = filterNames.some((name) => filter[name] !== undefined);
  const toggle = useCallback(
    (id: string, isOpen: boolean) =>
      void navigate({
        search: (now) => ({...now, delivery: isOpen ? id : undefined}),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
  const clear = () => void navigate({search: {delivery: open}, replace: true, resetScroll: false});
  const isElsewhere = open !== undefined && list.data !== undefined && !rows.some(({id}) => id === open);
  return (
    <section aria-labelledby="webhook-deliveries" className="grid min-w-0 gap-3 *:min-w-0">
      <h2 id="webhook-deliveries">{t.title}</h2>
      <DeliveryFilters filter={filter} onClear={clear} rows={rows} webhook={webhook} />
      {list.error !== null && <ProblemNote onRetry={list.refetch} problem={list.error} />}
      {list.data === undefined && list.error === null && <Skeleton height={240} />}
      {isOld && (
        <div className="flex flex-wrap items-center justify-center gap-x-3 gap-y-1">
          <Button onPress={readNewest} size="small">
            {t.newer}
          </Button>
        </div>
      )}
      {isElsewhere && <DeliveryOutsideList id={open} onToggle={toggle} webhook={webhook} />}
      {list.data !== undefined && rows.length === 0 && !list.hasNextPage && (
        <Empty
          icon="webhook"
          {...(isFiltered ? t.noMatch : t.empty)}
          action={isFiltered && <Button onPress={clear}>{t.clear}</Button>}
        />
      )}
      {rows.length > 0 && (
        <Card as="div" padding="none">
          <ol aria-label={t.list} className="divide-y divide-line">
            {rows.map((delivery) => (
              <DeliveryRow
                delivery={delivery}
                isOpen={delivery.id === open}
                isThin={webhook.payload === 'thin'}
                key={delivery.id}
                onToggle={toggle}
              />
            ))}
          </ol>
        </Card>
      )}
      {list.hasNextPage && (
        <div className="flex flex-wrap items-center justify-center gap-x-3 gap-y-1">
          {isFiltered && <span className="text-quiet">{t.looked({amount: rows.length})}</span>}
          <Button isPending={list.isFetchingNextPage} onPress={() => void list.fetchNextPage()}>
            {isFiltered ? t.lookFurther : t.more}
          </Button>
        </div>
      )}
    </section>
  );
}

function DeliveryOutsideList({
  id,
  webhook,
  onToggle,
}: {
  readonly id: string;
  readonly webhook: Webhook;
  readonly onToggle: (id: string, isOpen: boolean) => void;
}) {
  const {data, error, refetch} = useQuery(deliveryQuery(id));
  if (data === undefined) {
    return error === null ? <Skeleton height={48} /> : <ProblemNote onRetry={refetch} problem={error} />;
  }
  return (
    <Card as="div" padding="none">
      <ol aria-label={texts.webhooks.waterfall.delivery} className="divide-y divide-line">
        <DeliveryRow delivery={data} isOpen isThin={webhook.payload === 'thin'} onToggle={onToggle} />
      </ol>
    </Card>
  );
}

/**
 * Notices new attempts when the counts in the webhook's health change, since no event reports attempts. Then
 * loads the first page again or, if the viewer has loaded more pages, offers a button that does so.
 */
function useNewAttemptsNotice(
  health: WebhookHealth | undefined,
  pages: number,
  refetch: () => Promise<unknown>,
) {
  const [isOld, setOld] = useState(false);
  const seen = useRef<string>(undefined);
  const mark = health === undefined ? undefined : buildAttemptCountsKey(health);
  useEffect(() => {
    const before = seen.current;
    if (mark === undefined || mark === before) return;
    seen.current = mark;
    if (before === undefined) return;
    void invalidate('delivery');
    if (pages <= 1) void refetch();
    else setOld(true);
  }, [mark, pages, refetch]);
  return {
    isOld,
    readNewest: () => {
      setOld(false);
      void refetch();
    },
  };
}

function buildAttemptCountsKey({attempts, backlog, enabled}: WebhookHealth): string {
  const {pending, in_flight: underWay} = backlog;
  return [attempts.succeeded, attempts.failed, pending, underWay, enabled].join(' ');
}

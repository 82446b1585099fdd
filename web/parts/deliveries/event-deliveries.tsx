import {useInfiniteQuery} from '@tanstack/react-query';
import {Link} from '@tanstack/react-router';
import {readPagesQuery} from '../../api/read.ts';
import {texts} from '../../texts/texts.ts';
import {Badge} from '../badge.tsx';
import {Button} from '../button.tsx';
import {ProblemNote} from '../problem-note.tsx';
import {Skeleton} from '../skeleton.tsx';
import {Stamp} from '../stamp.tsx';
import {DeliveryMark} from './mark.tsx';
import {describeOutcome} from './outcomes.ts';

const eventDeliveriesQuery = (event: string) =>
  readPagesQuery('listEventDeliveries', '/v1/events/{event}/deliveries', {event, limit: 25});

/** Lists the deliveries of an event with their outcomes. `names` has the webhooks' names by id. */
export function EventDeliveries({
  event,
  names,
}: {
  readonly event: string;
  readonly names?: ReadonlyMap<string, string> | undefined;
}) {
  const t = texts.webhooks;
  const {data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage} = useInfiniteQuery(
    eventDeliveriesQuery(event),
  );
  if (data === undefined) {
    return error === null ? <Skeleton lines={2} /> : <ProblemNote onRetry={refetch} problem={error} />;
  }
  const rows = data.pages.flatMap((page) => page.data);
  if (rows.length === 0) return <p className="text-xs text-quiet">{t.ofEvent.none}</p>;
  return (
    <>
      <ul aria-label={t.ofEvent.title} className="grid gap-1 [&_time]:text-xs [&_time]:text-quiet">
        {rows.map((delivery) => (
          <li className="flex min-h-row flex-wrap items-center gap-x-3 gap-y-0.5" key={delivery.id}>
            <Link
              className="inline-flex min-h-6 min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5"
              params={{webhook: delivery.webhook_id}}
              search={{delivery: delivery.id}}
              to="/webhooks/$webhook"
            >
              <DeliveryMark state={delivery.state} />
              <span className="wrap-anywhere" dir="auto">
                {t.ofEvent.to({address: names?.get(delivery.webhook_id) ?? delivery.webhook_id})}
              </span>
            </Link>
            <span className="text-xs text-quiet">
              {delivery.last_attempt === null
                ? t.deliveries.noAttempt
                : `${t.deliveries.attempts({amount: delivery.attempts})} · ${describeOutcome(delivery.last_attempt)}`}{' '}
              {delivery.replay_id !== null && <Badge>{t.deliveries.replayed}</Badge>}
            </span>
            <Stamp instant={delivery.updated_at} relative />
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button isPending={isFetchingNextPage} onPress={() => void fetchNextPage()} size="small">
          {t.ofEvent.more}
        </Button>
      )}
    </>
  );
}

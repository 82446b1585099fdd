import {useQuery, useQueryClient} from '@tanstack/react-query';
import {useEffect} from 'react';
import {Icon, type IconName} from '../parts/icon.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {useNow} from '../parts/use-now.ts';
import {aboutDeliveries, outcomeQuery, refetchStaleQueries} from './changes.ts';
import styles from './outcome.module.css';
import {describeAttempt, describeState} from './describe-outcome.ts';
import type {Delivery} from './queries.ts';

/**
 * Shows the progress of a delivery that a person has just requested. `attempts`: the number of its earlier
 * attempts.
 */
export function DeliveryOutcome({
  delivery: asked,
  attempts = 0,
}: {
  readonly delivery: Delivery;
  readonly attempts?: number | undefined;
}) {
  const client = useQueryClient();
  const {data: delivery = asked, error} = useQuery(outcomeQuery(asked));
  const now = useNow(1_000);
  const {state} = delivery;
  const isUnderWay = state === 'pending' || state === 'delivering';
  useEffect(() => {
    // Load all other data about deliveries again. The data of this delivery is already up to date.
    if (!isUnderWay)
      void refetchStaleQueries(
        client,
        aboutDeliveries.filter((one) => one !== 'getDelivery'),
      );
  }, [client, isUnderWay]);
  if (error !== null) return <ProblemNote problem={error} />;
  const last = delivery.attempts > attempts ? delivery.last_attempt : null;
  return (
    <div className={styles['outcome']} data-state={state} role="status">
      <Icon name={icons[state] ?? 'clock'} />
      <div>
        {last !== null && !isUnderWay && <p>{describeAttempt(last, state)}</p>}
        {state !== 'succeeded' && <p>{describeState(delivery, now)}</p>}
      </div>
    </div>
  );
}

const icons: Readonly<Record<string, IconName>> = {
  succeeded: 'check',
  retrying: 'warning',
  exhausted: 'cross',
  aborted: 'cross',
  expired: 'cross',
};

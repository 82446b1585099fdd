import {useQuery, useQueryClient} from '@tanstack/react-query';
import {useEffect} from 'react';
import {formatAhead, formatDuration} from '../parts/deliveries/durations.ts';
import {outcomeOf} from '../parts/deliveries/outcomes.ts';
import {Icon, type IconName} from '../parts/icon.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {useNow} from '../parts/use-now.ts';
import {words} from '../words/words.ts';
import {aboutDeliveries, outcomeQuery, readAgain} from './changes.ts';
import styles from './outcome.module.css';
import type {Delivery} from './queries.ts';

/** Shows the progress of a delivery just requested. `attempts`: the number that it had before. */
export function Outcome({
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
    // The query of this delivery is up to date already.
    if (!isUnderWay)
      void readAgain(
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
        {last !== null && !isUnderWay && <p>{tellAttempt(last, state)}</p>}
        {state !== 'succeeded' && <p>{tellState(delivery, now)}</p>}
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

function tellAttempt(attempt: NonNullable<Delivery['last_attempt']>, state: string): string {
  const t = words.webhookChanges.outcome;
  const {status, duration_ms: ms} = attempt;
  if (state === 'succeeded') return t.succeeded(String(status), formatDuration(ms));
  return t.failed(outcomeOf(attempt), formatDuration(ms));
}

function tellState({state, next_attempt_at: next}: Delivery, now: number): string {
  const t = words.webhookChanges.outcome;
  switch (state) {
    case 'pending':
      return t.pending;
    case 'delivering':
      return t.delivering;
    case 'retrying':
      return next === null ? t.pending : t.retrying(formatAhead(next, now));
    case 'held':
      return next === null ? t.heldOff : t.held;
    case 'exhausted':
      return t.exhausted;
    case 'aborted':
      return t.aborted;
    case 'expired':
      return t.expired;
    default:
      return state;
  }
}

import {useQuery, useQueryClient} from '@tanstack/react-query';
import {useEffect} from 'react';
import {Icon, type IconName} from '../parts/icon.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {useNow} from '../parts/use-now.ts';
import {formatNumber, formatRelative} from '../words/format.ts';
import {words} from '../words/words.ts';
import {aboutDeliveries, outcomeQuery, readAgain} from './changes.ts';
import styles from './outcome.module.css';
import type {Delivery} from './queries.ts';

/** How a delivery that was just asked for fares, as it happens. `attempts`: those that it had before. */
export function Outcome({
  delivery: asked,
  attempts = 0,
}: {
  readonly delivery: Delivery;
  readonly attempts?: number | undefined;
}) {
  const client = useQueryClient();
  const {data: delivery = asked, error} = useQuery(outcomeQuery(asked));
  const now = useNow(5_000);
  const {state} = delivery;
  const isUnderWay = state === 'pending' || state === 'delivering';
  useEffect(() => {
    // Its own query has it already.
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

function tellAttempt(
  {status, error, duration_ms: ms}: NonNullable<Delivery['last_attempt']>,
  state: string,
): string {
  const t = words.webhookChanges.outcome;
  if (state === 'succeeded') return t.succeeded(String(status), tellTime(ms));
  const answered = status !== null && (error === null || error === 'status');
  return t.failed(answered ? t.answered(status) : (t.errors[error ?? ''] ?? error ?? ''), tellTime(ms));
}

function tellTime(ms: number): string {
  if (ms < 1_000) return `${formatNumber(ms)} ms`;
  return `${formatNumber(ms / 1_000, {maximumFractionDigits: 1})} s`;
}

function tellState({state, next_attempt_at: next}: Delivery, now: number): string {
  const t = words.webhookChanges.outcome;
  switch (state) {
    case 'pending':
      return t.pending;
    case 'delivering':
      return t.delivering;
    case 'retrying':
      return next === null ? t.pending : t.retrying(formatRelative(next, now));
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

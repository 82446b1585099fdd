import {memo, useId} from 'react';
import {Badge} from '../parts/badge.tsx';
import {formatWhen} from '../parts/deliveries/durations.ts';
import {DeliveryMark} from '../parts/deliveries/mark.tsx';
import {describeOutcome} from '../parts/deliveries/outcomes.ts';
import {Icon} from '../parts/icon.tsx';
import {formatDay, formatMoment, formatTime, dateInZone} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import styles from './delivery-row.module.css';
import type {Delivery} from './queries.ts';
import {Redeliver} from './redeliver.tsx';
import {Waterfall} from './waterfall.tsx';

interface DeliveryRowProps {
  readonly delivery: Delivery;
  readonly isOpen: boolean;
  /** True if the webhook sends thin events, which are less than the whole event. */
  readonly isThin: boolean;
  readonly onToggle: (id: string, isOpen: boolean) => void;
}

/** The row is memoized, since only one of hundreds of rows may change. */
export const DeliveryRow = memo(function DeliveryRow({delivery, isOpen, isThin, onToggle}: DeliveryRowProps) {
  const t = texts.webhooks.deliveries;
  const panel = useId();
  const {id, state, event_type: type, created_at: at, attempts, last_attempt: last} = delivery;
  return (
    <li className={styles['row']} data-delivery={id} data-open={isOpen || undefined}>
      <button
        aria-controls={isOpen ? panel : undefined}
        aria-expanded={isOpen}
        className={styles['line']}
        onClick={() => onToggle(id, !isOpen)}
        type="button"
      >
        <span className={styles['state']}>
          <DeliveryMark state={state} />
        </span>
        <span className={styles['type']}>
          {type} {delivery.replay_id !== null && <Badge>{t.replayed}</Badge>}
        </span>
        <span className={styles['result']}>
          {last === null ? t.noAttempt : `${t.attempts({amount: attempts})} · ${describeOutcome(last)}`}
          {delivery.next_attempt_at !== null && ` · ${describeNextTime(delivery.next_attempt_at)}`}
        </span>
        <time dateTime={at} title={formatMoment(at)}>
          {formatDay(dateInZone(at))} {formatTime(at)}
        </time>
        <span className={styles['chevron']}>
          <Icon name="chevron-down" size={16} />
        </span>
      </button>
      {isOpen && (
        <div className={styles['panel']} id={panel}>
          <Waterfall actions={<Redeliver delivery={delivery} />} delivery={delivery} isThin={isThin} />
        </div>
      )}
    </li>
  );
});

function describeNextTime(next: string): string {
  const t = texts.webhooks.deliveries;
  const now = Date.now();
  return Date.parse(next) <= now ? t.due : t.next({when: formatWhen(next, now)});
}

import {memo, useId} from 'react';
import type {Delivery} from '../api/schema.ts';
import {Badge} from '../parts/badge.tsx';
import {formatWhen} from '../parts/deliveries/durations.ts';
import {DeliveryMark} from '../parts/deliveries/mark.tsx';
import {describeOutcome} from '../parts/deliveries/outcomes.ts';
import {Icon} from '../parts/icon.tsx';
import {formatDay, formatMoment, formatTime, dateInZone} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
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
    <li
      className="[contain-intrinsic-size:auto_40px] [content-visibility:auto] data-open:[content-visibility:visible] max-[800px]:[contain-intrinsic-size:auto_84px]"
      data-delivery={id}
      data-open={isOpen || undefined}
    >
      <button
        aria-controls={isOpen ? panel : undefined}
        aria-expanded={isOpen}
        className="group grid min-h-10 w-full cursor-pointer grid-cols-[150px_minmax(0,1fr)_minmax(0,1.2fr)_auto_16px] items-center gap-x-4 gap-y-0.5 px-5 py-1 text-start hover:bg-inset focus-visible:outline-2 focus-visible:-outline-offset-2 max-[800px]:grid-cols-[minmax(0,1fr)_auto_16px] max-[800px]:px-4 max-[800px]:py-2"
        onClick={() => onToggle(id, !isOpen)}
        type="button"
      >
        <span className="max-[800px]:col-1 max-[800px]:row-1">
          <DeliveryMark state={state} />
        </span>
        <span className="font-medium max-[800px]:col-span-full max-[800px]:row-2">
          {type} {delivery.replay_id !== null && <Badge>{t.replayed}</Badge>}
        </span>
        <span className="text-quiet max-[800px]:col-span-full max-[800px]:row-3">
          {last === null ? t.noAttempt : `${t.attempts({amount: attempts})} · ${describeOutcome(last)}`}
          {delivery.next_attempt_at !== null && ` · ${describeNextTime(delivery.next_attempt_at)}`}
        </span>
        <time
          className="text-quiet max-[800px]:col-2 max-[800px]:row-1"
          dateTime={at}
          title={formatMoment(at)}
        >
          {formatDay(dateInZone(at))} {formatTime(at)}
        </time>
        <span className="inline-grid text-quiet group-aria-expanded:rotate-180 max-[800px]:col-3 max-[800px]:row-1">
          <Icon name="chevron-down" size={16} />
        </span>
      </button>
      {isOpen && (
        <div className="border-t border-line px-5 pt-2 pb-5 max-[800px]:px-4 max-[800px]:pb-4" id={panel}>
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

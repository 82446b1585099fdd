import {useQuery} from '@tanstack/react-query';
import {useEffect} from 'react';
import {invalidate} from '../api/queries.ts';
import type {Delivery} from '../api/schema.ts';
import {Icon, type IconName} from '../parts/icon.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {useNow} from '../parts/use-now.ts';
import {describeAttempt, describeState} from './describe-outcome.ts';
import {outcomeQuery} from './queries.ts';

/** Shows the progress of a requested delivery. `attempts`: the number of its earlier attempts. */
export function DeliveryOutcome({
  delivery: asked,
  attempts = 0,
}: {
  readonly delivery: Delivery;
  readonly attempts?: number | undefined;
}) {
  const {data: delivery = asked, error} = useQuery(outcomeQuery(asked));
  const now = useNow(1_000);
  const {state} = delivery;
  const isUnderWay = state === 'pending' || state === 'delivering';
  useEffect(() => {
    if (!isUnderWay) void invalidate('delivery');
  }, [isUnderWay]);
  if (error !== null) return <ProblemNote problem={error} />;
  const last = delivery.attempts > attempts ? delivery.last_attempt : null;
  const [icon, tone] = looks[state] ?? ['clock', 'text-quiet'];
  return (
    <div className="flex min-w-0 items-start gap-2" data-state={state} role="status">
      <span className={`flex ${tone}`}>
        <Icon name={icon} />
      </span>
      <div>
        {last !== null && !isUnderWay && <p>{describeAttempt(last, state)}</p>}
        {state !== 'succeeded' && <p>{describeState(delivery, now)}</p>}
      </div>
    </div>
  );
}

const failed = ['cross', 'text-missed'] as const;
const looks: Readonly<Record<string, readonly [IconName, string]>> = {
  succeeded: ['check', 'text-posted'],
  retrying: ['warning', 'text-late'],
  exhausted: failed,
  aborted: failed,
  expired: failed,
};

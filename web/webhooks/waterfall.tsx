import {useQuery} from '@tanstack/react-query';
import {Link} from '@tanstack/react-router';
import {type ReactNode, useId, useState} from 'react';
import type {Attempt, Delivery} from '../api/schema.ts';
import {Badge} from '../parts/badge.tsx';
import {formatAhead, formatDuration, formatWhen} from '../parts/deliveries/durations.ts';
import {describeOutcome} from '../parts/deliveries/outcomes.ts';
import {Hidden} from '../parts/hidden.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {useNow} from '../parts/use-now.ts';
import {texts} from '../texts/texts.ts';
import {Exchange} from './exchange.tsx';
import {attemptsQuery} from './queries.ts';
import {
  type Axis,
  computeTimeAxis,
  findWaitLineLength,
  type AttemptPhase,
  findPositionOnAxis,
  type WaterfallRow,
  buildWaterfallRows,
} from './waterfall-shape.ts';

const mostKept = 100;
const colours = {
  dns: 'bg-holiday',
  tcp: 'bg-away',
  connect: 'bg-away',
  tls: 'bg-late',
  wait: 'bg-expected',
  body: 'bg-posted',
} as const;
const columns =
  'grid grid-cols-[190px_minmax(0,1fr)_200px] items-center gap-x-4 gap-y-1 max-[800px]:grid-cols-1';
const legend = ['dns', 'tcp', 'tls', 'wait', 'body'] as const;

export function Waterfall({
  delivery,
  isThin,
  actions,
}: {
  readonly delivery: Delivery;
  readonly isThin: boolean;
  readonly actions: ReactNode;
}) {
  const t = texts.webhooks.waterfall;
  const {data: attempts, error, refetch} = useQuery(attemptsQuery(delivery.id));
  const [open, setOpen] = useState<number | null>();
  if (attempts === undefined) {
    return error === null ? <Skeleton height={120} /> : <ProblemNote onRetry={refetch} problem={error} />;
  }
  const axis = computeTimeAxis(attempts);
  const rows = buildWaterfallRows(attempts);
  const unknown =
    Math.min(delivery.attempts, mostKept) - rows.length - (delivery.state === 'delivering' ? 1 : 0);
  const shown = open === undefined ? rows.at(-1)?.attempt.number : open;
  return (
    <div className="grid min-w-0 gap-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <h3 className="text-lg/5 font-bold">{t.title}</h3>
        <p className="grow basis-50 text-xs text-quiet">
          {t.delivery} <code>{delivery.id}</code>{' '}
          {delivery.event_type !== 'webhook.test' && (
            <Link search={{event: delivery.event_id}} to="/events">
              {t.openEvent}
            </Link>
          )}
        </p>
        <div className="flex gap-2 empty:hidden">{actions}</div>
      </div>
      {rows.length === 0 && <p className="text-quiet">{t.none}</p>}
      {rows.length > 0 && (
        <>
          <PhaseLegend axis={axis} />
          <ol>
            {rows.map((row) => (
              <AttemptRow
                axis={axis}
                delivery={delivery}
                isOpen={row.attempt.number === shown}
                isThin={isThin}
                key={row.attempt.id}
                onToggle={(isOpen) => setOpen(isOpen ? row.attempt.number : null)}
                row={row}
              />
            ))}
          </ol>
        </>
      )}
      {delivery.next_attempt_at !== null && <NextAttempt at={delivery.next_attempt_at} />}
      {unknown > 0 && <p className="text-quiet">{t.unknown({number: unknown})}</p>}
      {delivery.attempts > mostKept && <p className="text-quiet">{t.lastOnly}</p>}
    </div>
  );
}

function NextAttempt({at}: {readonly at: string}) {
  const now = useNow(1_000);
  return <p className="text-quiet">{texts.webhooks.waterfall.next({when: formatAhead(at, now)})}</p>;
}

function PhaseLegend({axis}: {readonly axis: Axis}) {
  const t = texts.webhooks.waterfall;
  return (
    <div aria-hidden="true" className={`px-2 text-2xs text-quiet ${columns}`}>
      <div className="flex flex-wrap gap-x-2 *:inline-flex *:items-center *:gap-1">
        {legend.map((name) => (
          <span key={name}>
            <Swatch phase={name} />
            {t.phases[name]}
          </span>
        ))}
      </div>
      <div className="relative h-4 min-w-0" title={t.axis}>
        {axis.ticks.map((tick) => (
          <span
            className="absolute whitespace-nowrap not-first:not-last:-translate-x-1/2 not-first:not-last:rtl:translate-x-1/2 last:start-auto! last:end-0"
            key={tick}
            style={{insetInlineStart: percent(findPositionOnAxis(axis, tick))}}
          >
            {formatDuration(tick)}
          </span>
        ))}
      </div>
    </div>
  );
}

interface AttemptRowProps {
  readonly row: WaterfallRow<Attempt>;
  readonly axis: Axis;
  readonly delivery: Delivery;
  readonly isOpen: boolean;
  readonly isThin: boolean;
  readonly onToggle: (isOpen: boolean) => void;
}

function AttemptRow({row, axis, delivery, isOpen, isThin, onToggle}: AttemptRowProps) {
  const t = texts.webhooks.waterfall;
  const panel = useId();
  const {attempt, phases, waitedMs} = row;
  const {number, at, duration_ms: took, error} = attempt;
  return (
    <li>
      {waitedMs !== null && (
        <div className="ms-51.5 flex min-h-5.5 items-center gap-2 px-2 text-2xs whitespace-nowrap text-quiet max-[800px]:ms-0">
          <span
            className="max-w-[calc(100%-120px)] min-w-2 border-t-2 border-dotted border-edge"
            style={{inlineSize: percent(findWaitLineLength(waitedMs))}}
          />
          {t.later({wait: formatDuration(waitedMs)})}
        </div>
      )}
      <button
        aria-controls={isOpen ? panel : undefined}
        aria-expanded={isOpen}
        className={`min-h-row w-full cursor-pointer rounded-md px-2 py-1 text-start hover:bg-inset focus-visible:outline-2 focus-visible:-outline-offset-2 aria-expanded:bg-inset ${columns}`}
        onClick={() => onToggle(!isOpen)}
        type="button"
      >
        <span className="flex flex-wrap gap-x-2 font-medium">
          {t.attempt({number})}{' '}
          {attempt.probe && <Badge tone="late">{texts.webhooks.deliveries.probe}</Badge>}
          <time className="font-normal text-quiet" dateTime={at}>
            {formatWhen(at, Date.now())}
          </time>
        </span>
        <PhaseTrack axis={axis} hasFailed={error !== null} phases={phases} />
        <span className="data-failed:text-missed" data-failed={error !== null || undefined}>
          {t.took({what: describeOutcome(attempt), took: formatDuration(took)})}
        </span>
        <Hidden>{phases.map(describePhase).join(', ')}</Hidden>
      </button>
      {isOpen && (
        <div className="px-2 pt-2 pb-3" id={panel}>
          <p className="mb-2 flex flex-wrap gap-x-4 gap-y-0.5 text-xs text-quiet *:inline-flex *:items-center *:gap-1">
            {attempt.remote_address !== null && (
              <span dir="ltr">{t.address({address: attempt.remote_address})}</span>
            )}
            {attempt.connect_ms !== null && attempt.tcp_ms === null && <span>{t.kept}</span>}
            {phases.map((phase) => (
              <span key={phase.name}>
                <Swatch phase={phase.name} />
                {describePhase(phase)}
              </span>
            ))}
          </p>
          <Exchange attempt={attempt} event={delivery.event_id} isThin={isThin} />
        </div>
      )}
    </li>
  );
}

function PhaseTrack({
  axis,
  phases,
  hasFailed,
}: {
  readonly axis: Axis;
  readonly phases: readonly AttemptPhase[];
  readonly hasFailed: boolean;
}) {
  return (
    <span aria-hidden="true" className="relative h-4 min-w-0 overflow-hidden">
      {axis.ticks.slice(1, -1).map((tick) => (
        <i
          className="absolute inset-y-0 w-px bg-line"
          key={tick}
          style={{insetInlineStart: percent(findPositionOnAxis(axis, tick))}}
        />
      ))}
      {phases.map(({name, from, to}, i) => {
        const [start, end] = [findPositionOnAxis(axis, from), findPositionOnAxis(axis, to)];
        return (
          <i
            className={`absolute inset-y-[3px] rounded-[2px] forced-color-adjust-none data-failed:hatched data-failed:border-e-3 data-failed:border-missed ${colours[name]}`}
            data-failed={(hasFailed && i === phases.length - 1) || undefined}
            key={name}
            style={{
              insetInlineStart: percent(start),
              inlineSize: `max(2px, ${percent(end - start)})`,
            }}
          />
        );
      })}
    </span>
  );
}

function Swatch({phase}: {readonly phase: AttemptPhase['name']}) {
  return (
    <i
      aria-hidden="true"
      className={`size-2.5 flex-none rounded-[2px] forced-color-adjust-none ${colours[phase]}`}
    />
  );
}

function describePhase({name, from, to}: AttemptPhase): string {
  const t = texts.webhooks.waterfall;
  return t.phase({name: t.phases[name], took: formatDuration(to - from)});
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)}%`;
}

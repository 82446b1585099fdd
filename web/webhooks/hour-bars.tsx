import {getRouteApi, Link} from '@tanstack/react-router';
import {type KeyboardEvent, useRef} from 'react';
import type {WebhookHealth} from '../api/schema.ts';
import {Card} from '../parts/card.tsx';
import {formatDuration, formatWhen} from '../parts/deliveries/durations.ts';
import {formatHour, formatNumber} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {
  findNextBarIndex,
  findEndOfHour,
  describeFailures,
  type Hour,
  labelHour,
  computeBarHeight,
  countAttempts,
} from './hours.ts';

const route = getRouteApi('/framed/webhooks/$webhook');

/** Number of hours from one label to the next. */
const namedEvery = 6;

/** Shows the attempts of each hour as a bar that links to the deliveries, and all of them as a table. */
export function HourBars({health: {hours}}: {readonly health: WebhookHealth}) {
  const t = texts.webhooks.hours;
  const search = route.useSearch();
  const {webhook} = route.useParams();
  const list = useRef<HTMLOListElement>(null);
  const most = Math.max(...hours.map(countAttempts));
  const chosen = hours.findIndex(({at}) => at === search.since && findEndOfHour(at) === search.until);
  const reached = chosen === -1 ? hours.length - 1 : chosen;
  return (
    <Card labelledBy="webhook-hours">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="webhook-hours">{t.title}</h2>
        <span className="text-xs text-quiet">{most === 0 ? t.none : t.most({amount: most})}</span>
      </div>
      <ol aria-label={t.title} className="mt-2 grid grid-cols-25 gap-0.5" ref={list}>
        {hours.map((hour, i) => (
          <li className="group relative pb-4.5" key={hour.at}>
            <Link
              aria-current={i === chosen ? 'true' : undefined}
              aria-label={labelHour(hour)}
              className="flex h-24 flex-col justify-end rounded-t-[3px] border-b border-edge hover:bg-inset focus-visible:outline-2 focus-visible:outline-offset-1 focus-visible:outline-focus aria-[current=true]:bg-inset aria-[current=true]:not-focus-visible:outline-2 aria-[current=true]:not-focus-visible:-outline-offset-1 aria-[current=true]:not-focus-visible:outline-accent"
              onKeyDown={(event) => moveFocusToBar(event, list.current)}
              params={{webhook}}
              replace
              resetScroll={false}
              search={i === chosen ? {} : {since: hour.at, until: findEndOfHour(hour.at)}}
              tabIndex={i === reached ? 0 : -1}
              title={labelHour(hour)}
              to="/webhooks/$webhook"
            >
              <span
                className="hatched flex-none rounded-t-[2px] bg-missed forced-colors:bg-[Mark] forced-colors:bg-none forced-colors:forced-color-adjust-none"
                style={{blockSize: computeBarHeight(hour.failed, most)}}
              />
              <span
                className="flex-none bg-posted forced-colors:bg-[CanvasText] forced-colors:forced-color-adjust-none"
                style={{blockSize: computeBarHeight(hour.succeeded, most)}}
              />
            </Link>
            <span
              aria-hidden="true"
              className="absolute start-0 bottom-0 text-2xs whitespace-nowrap text-quiet group-last:start-auto group-last:end-0"
            >
              {i % namedEvery === 0 ? formatHour(hour.at) : ''}
            </span>
          </li>
        ))}
      </ol>
      <p className="mt-2 text-xs text-quiet">{t.hint}</p>
      <details className="mt-1">
        <summary className="min-h-6 w-fit cursor-pointer text-accent">{t.asTable}</summary>
        <HourTable hours={hours} />
      </details>
    </Card>
  );
}

function HourTable({hours}: {readonly hours: readonly Hour[]}) {
  const t = texts.webhooks.hours;
  const now = Date.now();
  const filled = hours.filter((hour) => countAttempts(hour) > 0).toReversed();
  if (filled.length === 0) return <p className="mt-2 text-xs text-quiet">{t.none}</p>;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the table scrolls by keyboard too
    <div aria-label={t.title} className="mt-1 overflow-x-auto" role="group" tabIndex={0}>
      <table className="min-w-140 cells:border-b cells:border-line cells:py-1 cells:pe-4 cells:text-end cells:whitespace-nowrap cells:tabular-nums [&_:is(th,td):is(:first-child,:last-child)]:text-start [&_thead_th]:font-normal [&_thead_th]:text-quiet">
        <thead>
          <tr>
            <th scope="col">{t.hour}</th>
            <th scope="col">{t.succeeded}</th>
            <th scope="col">{t.failed}</th>
            <th scope="col">{t.half}</th>
            <th scope="col">{t.most95}</th>
            <th scope="col">{t.why}</th>
          </tr>
        </thead>
        <tbody>
          {filled.map((hour) => (
            <tr key={hour.at}>
              <th scope="row">{formatWhen(hour.at, now)}</th>
              <td>{formatNumber(hour.succeeded)}</td>
              <td>{formatNumber(hour.failed)}</td>
              <td>{hour.p50_ms === null ? '' : formatDuration(hour.p50_ms)}</td>
              <td>{hour.p95_ms === null ? '' : formatDuration(hour.p95_ms)}</td>
              <td>{describeFailures(hour)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Moves the focus between bars by arrow keys, since only one bar is in the Tab order. */
function moveFocusToBar(event: KeyboardEvent, list: HTMLElement | null): void {
  const bars = [...(list?.querySelectorAll<HTMLElement>('a') ?? [])];
  const at = bars.indexOf(event.target as HTMLElement);
  const isRightToLeft = list !== null && getComputedStyle(list).direction === 'rtl';
  const to = findNextBarIndex(event.key, {at, count: bars.length, isRightToLeft});
  if (at === -1 || to === undefined) return;
  event.preventDefault();
  bars[to]?.focus();
}

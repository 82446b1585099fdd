import {Link, useNavigate} from '@tanstack/react-router';
import {lazy, Suspense} from 'react';
import {Segments} from '../parts/segments.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {texts} from '../texts/texts.ts';
import {type SpanSearch, usualSpans} from './search.ts';
import {type SpanQuery, findChosenSpan} from './spans.ts';

const OwnDates = lazy(async () => ({
  default: (await import('../parts/date-range-picker.tsx')).DateRangePicker,
}));

export function SpanChoice({
  search,
  span,
  today,
}: {
  readonly search: SpanSearch;
  readonly span: SpanQuery;
  readonly today: string;
}) {
  const navigate = useNavigate();
  const say = texts.insights.spans;
  const chosen = findChosenSpan(search);
  const until = span.until ?? today;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Segments label={say.label}>
        {usualSpans.map((one) => (
          <Link
            activeOptions={{explicitUndefined: true}}
            aria-current={one === chosen ? 'page' : undefined}
            key={one}
            replace
            resetScroll={false}
            search={(now) => ({
              ...now,
              span: one === 'weeks' ? undefined : one,
              from: undefined,
              until: undefined,
            })}
            to="."
          >
            {say[one]}
          </Link>
        ))}
        <Link
          activeOptions={{explicitUndefined: true}}
          aria-current={chosen === 'own' ? 'page' : undefined}
          replace
          resetScroll={false}
          search={(now) => ({...now, span: undefined, from: span.since, until})}
          to="."
        >
          {say.own}
        </Link>
      </Segments>
      {chosen === 'own' && (
        <Suspense fallback={<Skeleton height={36} />}>
          <OwnDates
            isLabelHidden
            label={say.dates}
            max={today > until ? today : until}
            onChange={(dates) =>
              dates !== null &&
              void navigate({
                to: '.',
                search: (now) => ({...now, from: dates.from, until: dates.until}),
                replace: true,
                resetScroll: false,
              })
            }
            value={{from: span.since, until}}
          />
        </Suspense>
      )}
    </div>
  );
}

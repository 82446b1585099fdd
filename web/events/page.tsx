import {useQuery} from '@tanstack/react-query';
import {getRouteApi, useNavigate} from '@tanstack/react-router';
import {lazy, Suspense, useMemo, useRef} from 'react';
import {meQuery} from '../api/queries.ts';
import {Empty} from '../parts/empty.tsx';
import {IconButton} from '../parts/icon-button.tsx';
import {PageHead} from '../parts/page-head.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {mayUse} from '../parts/rights.ts';
import {Skeleton} from '../parts/skeleton.tsx';
import {useWide} from '../parts/use-media.ts';
import {texts} from '../texts/texts.ts';
import {toEventQuery} from './filter.ts';
import {EventFilters} from './filters.tsx';
import {Inspector} from './inspector.tsx';
import {EventList} from './list.tsx';
import {KeyList} from '../parts/key-list.tsx';
import {useEventKeys} from './use-event-keys.ts';
import {useEventFeed} from './use-follow.ts';

const Sheet = lazy(() => import('../parts/sheet.tsx').then(({Sheet}) => ({default: Sheet})));

const route = getRouteApi('/framed/events');

export function EventsPage() {
  const t = texts.events;
  const {data: me, error} = useQuery(meQuery);
  if (mayUse(me, 'events:read')) return <Events />;
  return (
    <>
      <PageHead title={t.title} />
      {error !== null && <ProblemNote problem={error} />}
      {error === null && me === undefined && <Skeleton height={320} />}
      {me !== undefined && <Empty icon="event" {...t.forbidden} />}
    </>
  );
}

function Events() {
  const t = texts.events;
  const {event: chosen, write: _, edit: __, ...filters} = route.useSearch();
  const key = JSON.stringify(filters);
  // Convert a range such as "the last hour" to times only when a filter changes, because a list cursor is
  // valid only for the same times.
  // oxlint-disable-next-line react/exhaustive-deps
  const asked = useMemo(() => toEventQuery(filters, Date.now()), [key]);
  const feed = useEventFeed();
  const isWide = useWide();
  const navigate = useNavigate({from: '/events'});
  const container = useRef<HTMLDivElement>(null);
  const choose = (event: string | undefined): void =>
    void navigate({search: (now) => ({...now, event}), replace: true, resetScroll: false});
  useEventKeys(container, {isOpen: chosen !== undefined, onMove: choose, onClose: () => choose(undefined)});

  return (
    <div className="grid gap-4 *:min-w-0 [&>header]:mb-0!">
      <PageHead
        sub={
          <>
            {t.sub} <span className="text-quiet">{feed.isLive ? t.live : t.notLive}</span>
          </>
        }
        title={t.title}
      />
      <EventFilters filters={filters} />
      <div
        className="grid items-start gap-6 *:min-w-0 data-open:grid-cols-[minmax(0,1fr)_minmax(0,440px)]"
        data-open={(isWide && chosen !== undefined) || undefined}
      >
        <div ref={container}>
          <EventList asked={asked} chosen={chosen} following={feed} key={key} />
          <div className="mt-3 empty:hidden pointer-coarse:hidden">
            <KeyList
              keys={[
                ['j k', t.keys.move],
                ['Enter', t.keys.open],
                ['Esc', t.keys.close],
              ]}
            />
          </div>
        </div>
        {chosen !== undefined && isWide && (
          <aside
            aria-label={t.inspector.heading}
            className="sticky top-4 grid max-h-[calc(100dvh-32px)] grid-rows-[auto_minmax(0,1fr)] rounded-lg border border-line bg-card"
          >
            <header className="flex items-center gap-1 border-b border-line py-2 ps-5 pe-2">
              <h2 className="min-w-0 flex-1">{t.inspector.heading}</h2>
              <IconButton icon="cross" label={t.inspector.close} onPress={() => choose(undefined)} />
            </header>
            <div className="overflow-y-auto px-5 pt-4 pb-5" key={chosen}>
              <Inspector id={chosen} />
            </div>
          </aside>
        )}
      </div>
      {chosen !== undefined && !isWide && (
        <Suspense>
          <Sheet isOpen onClose={() => choose(undefined)} title={t.inspector.heading}>
            <Inspector id={chosen} />
          </Sheet>
        </Suspense>
      )}
    </div>
  );
}

import {useInfiniteQuery} from '@tanstack/react-query';
import {useNavigate} from '@tanstack/react-router';
import {useRef} from 'react';
import {Button} from '../parts/button.tsx';
import {Card} from '../parts/card.tsx';
import {Empty} from '../parts/empty.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {dateInZone, formatDay} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import type {EventListQuery} from './filter.ts';
import {eventsQuery} from './queries.ts';
import {EventRow} from './row.tsx';
import {filterNames} from './search.ts';
import {useArrivedEvents} from './use-arrivals.ts';
import type {EventFeed} from './use-follow.ts';
import {useEventNames} from './use-names.ts';

/** Maximum number of events on the page; older events are found by the time filter. */
const mostShown = 1_000;

interface EventListProps {
  readonly asked: EventListQuery;
  readonly following: EventFeed;
  readonly chosen: string | undefined;
}

export function EventList({asked, following: feed, chosen}: EventListProps) {
  const t = texts.events;
  const query = useInfiniteQuery({...eventsQuery(asked), enabled: feed.isReady});
  const {data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch} = query;
  const top = useRef<HTMLDivElement>(null);
  const isReading = (): boolean =>
    chosen !== undefined ||
    (top.current?.getBoundingClientRect().top ?? 0) < 0 ||
    top.current?.contains(document.activeElement) === true;
  const read = data?.pages.flatMap((page) => page.data);
  const arrivals = useArrivedEvents(asked, read, feed, {isReading, readAgain: () => void refetch()});
  const {events} = arrivals;
  const names = useEventNames(events ?? []);

  if (events === undefined) {
    return error === null ? <Skeleton height={320} /> : <ProblemNote onRetry={refetch} problem={error} />;
  }
  const isFull = events.length >= mostShown;
  return (
    <div
      className="@container relative flex min-w-0 flex-col gap-4 [--bar:0px] max-lg:[--bar:calc(var(--spacing-row)+13px)]"
      ref={top}
    >
      <output className="sticky top-[calc(var(--bar)+8px)] z-2 -mb-4 block h-0 text-center *:shadow-pop">
        {arrivals.count > 0 && (
          <Button
            icon="plus"
            kind="first"
            onPress={() => {
              arrivals.show();
              scrollTo({top: 0});
            }}
            size="small"
          >
            {t.arrived({count: arrivals.count})}
          </Button>
        )}
      </output>
      {[...Map.groupBy(events, ({timestamp}) => dateInZone(timestamp))].map(([day, ofDay]) => (
        <section aria-labelledby={`day-${day}`} className="min-w-0" key={day}>
          <h2 className="sticky top-(--bar) z-1 bg-page py-2 text-base" id={`day-${day}`}>
            {formatDay(day, {weekday: 'long'})}
          </h2>
          <Card as="div" padding="none">
            <ol>
              {ofDay.map((event) => (
                <EventRow event={event} isChosen={event.id === chosen} key={event.id} names={names} />
              ))}
            </ol>
          </Card>
        </section>
      ))}
      {events.length === 0 && !hasNextPage && <NoEvents hasFilters={Object.keys(asked).length > 0} />}
      {error !== null && <ProblemNote onRetry={() => fetchNextPage()} problem={error} />}
      <div className="grid justify-items-center gap-2 text-center text-quiet">
        {isFull && <p>{t.full({most: mostShown})}</p>}
        {events.length === 0 && hasNextPage && <p>{t.looked}</p>}
        {hasNextPage && !isFull && (
          <Button isPending={isFetchingNextPage} onPress={() => void fetchNextPage()}>
            {events.length === 0 ? t.further : t.older}
          </Button>
        )}
        {!hasNextPage && events.length > 0 && <p>{t.end}</p>}
      </div>
    </div>
  );
}

function NoEvents({hasFilters}: {readonly hasFilters: boolean}) {
  const {empty, noMatch} = texts.events;
  const navigate = useNavigate();
  if (hasFilters) {
    const none = Object.fromEntries(filterNames.map((name) => [name, undefined]));
    const clear = (): void => void navigate({to: '/events', search: (now) => ({...now, ...none})});
    return (
      <Empty
        action={<Button onPress={clear}>{noMatch.clear}</Button>}
        icon="search"
        text={noMatch.text}
        title={noMatch.title}
      />
    );
  }
  const write = (): void => void navigate({to: '.', search: {write: ''}, resetScroll: false});
  return (
    <Empty
      action={
        <Button icon="write" kind="first" onPress={write}>
          {empty.write}
        </Button>
      }
      icon="event"
      text={empty.text}
      title={empty.title}
    />
  );
}

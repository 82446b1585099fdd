import {useInfiniteQuery, useQuery} from '@tanstack/react-query';
import {type ReactNode, useEffect, useRef, useState} from 'react';
import {meQuery} from '../../api/queries.ts';
import {dateInZone, formatDay} from '../../texts/format.ts';
import {texts} from '../../texts/texts.ts';
import {Button} from '../button.tsx';
import {SearchTextContext} from '../highlighted-text.tsx';
import {ProblemNote} from '../problem-note.tsx';
import {Skeleton} from '../skeleton.tsx';
import {useStandupArrivals} from './follow-standups.ts';
import {groupByDay, isEndNear, mostShown, computePageProgress} from './list-pages.ts';
import {useRemovals} from './removals.ts';
import type {StandupListFilter} from './standup-filter.ts';
import {StandupItem} from './standup-item.tsx';
import {standupPagesQuery} from './standup-pages.ts';

/** `--bar` is the height of the sticky bar at the top of the page. */
const listClass = 'relative flex flex-col gap-6 [--bar:0px] max-lg:[--bar:calc(var(--spacing-row)+13px)]';

interface StandupListProps {
  readonly filter: StandupListFilter;
  readonly empty: ReactNode;
  readonly isOfOne?: boolean;
}

/** Lists standups by day, page after page. `useStandupArrivals` adds standups that arrive in the meantime. */
export function StandupList({filter, empty, isOfOne = false}: StandupListProps) {
  const query = useInfiniteQuery(standupPagesQuery(filter));
  const {data, error, hasNextPage, isFetching, isFetchingNextPage, fetchNextPage, refetch} = query;
  const me = useQuery(meQuery).data?.principal.id;
  const removals = useRemovals();
  const top = useRef<HTMLDivElement>(null);
  const isAtStart = (): boolean =>
    (top.current?.getBoundingClientRect().top ?? 0) >= 0 && !top.current?.contains(document.activeElement);
  const arrivals = useStandupArrivals(filter, isAtStart);
  const [focusAfter, setFocusAfter] = useState<string>();

  const loaded = data?.pages.flatMap((page) => page.data) ?? [];
  const standups = loaded.filter(({id}) => !removals.has(id) || removals.get(id)?.problem !== undefined);
  const {isFull, emptyPages, isFree} = computePageProgress(data?.pages ?? [], hasNextPage);

  if (data === undefined) {
    return error === null ? <ListSkeleton /> : <ProblemNote problem={error} onRetry={refetch} />;
  }
  const next = (): void => void fetchNextPage({cancelRefetch: false});
  return (
    <SearchTextContext value={filter.q ?? ''}>
      <div className={listClass} ref={top}>
        <output className="sticky top-[calc(var(--bar)+8px)] z-2 -mb-6 block h-0 text-center *:shadow-pop">
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
              {texts.history.arrived({amount: arrivals.count})}
            </Button>
          )}
        </output>
        {standups.length === 0 && !hasNextPage && empty}
        {groupByDay(standups).map(([date, ofDay]) => (
          <section aria-labelledby={`day-${date}`} className="min-w-0" key={date}>
            <h2 className="sticky top-(--bar) z-1 bg-page py-2 text-base font-semibold" id={`day-${date}`}>
              <DayName date={date} />
            </h2>
            <ol className="grid gap-3 **:scroll-mt-[calc(var(--bar)+44px)] **:scroll-mb-6">
              {ofDay.map((standup) => (
                <StandupItem
                  isFocused={standup.id === focusAfter}
                  isOfOne={isOfOne}
                  isOwn={standup.author.id === me}
                  key={standup.id}
                  standup={standup}
                />
              ))}
            </ol>
          </section>
        ))}
        {error !== null && <ProblemNote problem={error} onRetry={next} />}
        {hasNextPage && error === null && (
          <ListEnd isFetching={isFetching} isFree={isFree} onNear={next}>
            {isFull ? (
              <p>{texts.history.full({most: mostShown})}</p>
            ) : (
              <>
                {emptyPages > 0 && <p>{texts.history.looksFurther}</p>}
                <Button
                  isPending={isFetchingNextPage}
                  onPress={() => {
                    const known = new Set(loaded.map(({id}) => id));
                    void fetchNextPage({cancelRefetch: false}).then(({data: more}) => {
                      const first = more?.pages.flatMap((page) => page.data).find(({id}) => !known.has(id));
                      setFocusAfter(first?.id);
                    });
                  }}
                >
                  {texts.history.more}
                </Button>
              </>
            )}
          </ListEnd>
        )}
        {!hasNextPage && standups.length > 0 && <p className="text-center text-quiet">{texts.history.end}</p>}
      </div>
    </SearchTextContext>
  );
}

interface FootProps {
  /** True while any page is being loaded or reloaded. The list then requests no other page. */
  readonly isFetching: boolean;
  readonly isFree: boolean;
  readonly onNear: () => void;
  readonly children: ReactNode;
}

/** Requests the next page before the viewer reaches the end of the list. */
function ListEnd({isFetching, isFree, onNear, children}: FootProps) {
  const container = useRef<HTMLDivElement>(null);
  const near = useRef(onNear);
  near.current = onNear;
  useEffect(() => {
    const foot = container.current;
    if (foot === null || isFetching || !isFree) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (isEndNear(entries)) near.current();
      },
      {rootMargin: '0px 0px 600px 0px'},
    );
    observer.observe(foot);
    return () => observer.disconnect();
  }, [isFetching, isFree]);
  return (
    <div className="grid min-h-11 justify-items-center gap-2 text-center text-quiet" ref={container}>
      {children}
    </div>
  );
}

function DayName({date}: {readonly date: string}) {
  const {today, yesterday} = texts.history;
  const now = Date.now();
  const name = formatDay(date, {weekday: 'long'});
  if (date === dateInZone(now)) return `${today}, ${name}`;
  return date === dateInZone(now - 86_400_000) ? `${yesterday}, ${name}` : name;
}

export function ListSkeleton() {
  return (
    <div className={listClass}>
      {[3, 2, 4].map((lines) => (
        <div className="rounded-lg border border-line bg-card p-5" key={lines}>
          <Skeleton lines={lines} />
        </div>
      ))}
    </div>
  );
}

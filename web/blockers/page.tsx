import {useInfiniteQuery, useQuery} from '@tanstack/react-query';
import {getRouteApi, Link} from '@tanstack/react-router';
import {lazy, Suspense, useEffect, useRef, useState} from 'react';
import {readDraft} from '../api/drafts.ts';
import {meQuery} from '../api/queries.ts';
import type {Schema} from '../api/schema.ts';
import {countDaysOpen, longDays} from '../parts/blocker-days.ts';
import {Button} from '../parts/button.tsx';
import {readTeamsFromUrl} from '../parts/every-team.ts';
import {Empty} from '../parts/empty.tsx';
import {PageHead} from '../parts/page-head.tsx';
import {useAskedPanel} from '../parts/palette/asked-panel.ts';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {useNow} from '../parts/use-now.ts';
import {texts} from '../texts/texts.ts';
import {BlockerFilters} from './filters.tsx';
import {BlockerList, type BlockerListProps, blockerPageClass} from './list.tsx';
import {OneBlocker} from './one-blocker.tsx';
import type {BlockerListFilter} from './lists.ts';
import {blockersQuery} from './queries.ts';
import {KeyList} from '../parts/key-list.tsx';
import {useRowKeys} from './use-row-keys.ts';

const RaiseBlocker = lazy(() => import('./raise.tsx').then(({RaiseBlocker}) => ({default: RaiseBlocker})));

const route = getRouteApi('/framed/blockers');

export function BlockersPage() {
  const {blocker} = route.useSearch();
  const {data: me, error} = useQuery(meQuery);
  if (me !== undefined)
    return blocker === undefined ? <Blockers me={me} /> : <OneBlocker id={blocker} me={me} />;
  return (
    <>
      <PageHead title={texts.frame.pages.blockers} />
      {error === null ? <Skeleton height={240} /> : <ProblemNote problem={error} />}
    </>
  );
}

function Blockers({me}: {readonly me: Schema<'Me'>}) {
  const t = texts.blockers;
  const search = route.useSearch();
  const own = me.teams ?? [];
  const isNowhere = own.length === 0 && search.team === undefined;
  const filter: BlockerListFilter = {
    teams: readTeamsFromUrl(search.team, me),
    state: search.state ?? 'open',
    ...(search.author !== undefined && {author: search.author}),
  };
  const [isRaising, setRaising] = useState(() => readDraft('blocker') !== undefined);
  const [raised, setRaised] = useState<string>();
  useAskedPanel('blocker', () => setRaising(true));
  const query = useInfiniteQuery({...blockersQuery(filter), enabled: !isNowhere});
  const container = useRef<HTMLDivElement>(null);
  const now = useNow(60_000);
  useRowKeys(container);
  const rows = query.data ?? [];
  const old = rows.filter((one) => one.state !== 'resolved' && countDaysOpen(one, now) >= longDays).length;
  const isOpen = filter.state === 'open';

  const isRaisedShown = rows.some(({id}) => id === raised);
  useEffect(() => {
    if (isRaisedShown) container.current?.querySelector<HTMLElement>(`[data-blocker="${raised}"]`)?.focus();
  }, [raised, isRaisedShown]);

  const raise = own.length > 0 && (
    <Button icon="plus" kind="first" onPress={() => setRaising(true)}>
      {t.raise.open}
    </Button>
  );
  return (
    <div className={blockerPageClass} ref={container}>
      <PageHead
        actions={!isRaising && raise}
        sub={isOpen && rows.length > 0 ? t.sub({open: rows.length, old}) : undefined}
        title={texts.frame.pages.blockers}
      />
      {isRaising && (
        <Suspense fallback={<Skeleton height={220} />}>
          <RaiseBlocker
            me={me}
            onEnd={(blocker) => {
              setRaising(false);
              setRaised(blocker?.id);
            }}
            team={own.find(({slug}) => slug === search.team)?.slug ?? own[0]?.slug ?? ''}
            teams={own}
          />
        </Suspense>
      )}
      <BlockerFilters me={me} rows={rows} search={search} />
      {isNowhere ? (
        <Empty action={<Link to="/">{texts.frame.notFound.cure}</Link>} icon="people" {...t.empty.noTeam} />
      ) : (
        <BlockerList filter={filter} me={me} now={now} query={query} />
      )}
      {isOpen && !isNowhere && <ResolvedFold filter={{...filter, state: 'resolved'}} me={me} now={now} />}
      {rows.length > 0 && (
        <KeyList
          keys={[
            ['j k', t.keys.move],
            ['a', t.keys.acknowledge],
            ['r', t.keys.resolve],
            ['e', t.keys.edit],
          ]}
        />
      )}
    </div>
  );
}

/** The section of resolved blockers, which are loaded once it is opened. */
function ResolvedFold({filter, me, now}: Pick<BlockerListProps, 'filter' | 'me' | 'now'>) {
  const [isOpen, setOpen] = useState(false);
  const query = useInfiniteQuery({...blockersQuery(filter), enabled: isOpen});
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="-ms-2 flex min-h-row w-fit cursor-pointer items-center gap-2 rounded-md px-2 text-lg font-semibold before:size-2 before:-rotate-45 before:border-e-2 before:border-b-2 before:border-quiet before:transition-[rotate] in-open:mb-2 in-open:before:rotate-45 rtl:before:rotate-45 [&::-webkit-details-marker]:hidden">
        {texts.blockers.resolvedFold}
      </summary>
      {isOpen && <BlockerList filter={filter} me={me} now={now} query={query} />}
    </details>
  );
}

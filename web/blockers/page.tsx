import {useQuery} from '@tanstack/react-query';
import {getRouteApi} from '@tanstack/react-router';
import {lazy, Suspense, useEffect, useRef, useState} from 'react';
import {readDraft} from '../api/drafts.ts';
import {meQuery} from '../api/queries.ts';
import type {Schema} from '../api/schema.ts';
import {daysOf, longDays} from '../parts/blocker-age.tsx';
import {Button} from '../parts/button.tsx';
import {Card} from '../parts/card.tsx';
import {Empty} from '../parts/empty.tsx';
import {PageHead} from '../parts/page-head.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {useNow} from '../parts/use-now.ts';
import {words} from '../words/words.ts';
import {useBlockerChanges} from './changes.ts';
import {BlockerFilters} from './filters.tsx';
import type {Blocker, BlockerFilter} from './queries.ts';
import {rightsOf} from './rights.ts';
import {BlockerRow} from './row.tsx';
import {everyTeam} from './search.ts';
import {useBlockers} from './use-blockers.ts';
import styles from './page.module.css';
import {areKeysOn, useRowKeys} from './use-row-keys.ts';

const RaiseBlocker = lazy(() => import('./raise.tsx').then(({RaiseBlocker}) => ({default: RaiseBlocker})));

const route = getRouteApi('/framed/blockers');

/** What is stuck, the longest first, and what can be done about it. */
export function BlockersPage() {
  const {data: me, error} = useQuery(meQuery);
  if (me !== undefined) return <Blockers me={me} />;
  return (
    <>
      <PageHead title={words.frame.pages.blockers} />
      {error === null ? <Skeleton height={240} /> : <ProblemNote problem={error} />}
    </>
  );
}

function Blockers({me}: {readonly me: Schema<'Me'>}) {
  const t = words.blockers;
  const search = route.useSearch();
  const own = me.teams ?? [];
  const isNowhere = own.length === 0 && search.team === undefined;
  const filter: BlockerFilter = {
    teams: teamsOf(search.team, own),
    state: search.state ?? 'open',
    ...(search.author !== undefined && {author: search.author}),
  };
  const [isRaising, setRaising] = useState(() => readDraft('blocker') !== undefined);
  const [raised, setRaised] = useState<string>();
  const list = useBlockers(filter, !isNowhere);
  const place = useRef<HTMLDivElement>(null);
  const now = useNow(60_000);
  useRowKeys(place);
  const {rows} = list;
  const old = rows.filter((one) => one.state !== 'resolved' && daysOf(one, now) >= longDays).length;
  const isOpen = filter.state === 'open';

  const isRaisedShown = rows.some(({id}) => id === raised);
  useEffect(() => {
    if (isRaisedShown) place.current?.querySelector<HTMLElement>(`[data-blocker="${raised}"]`)?.focus();
  }, [raised, isRaisedShown]);

  const raise = own.length > 0 && (
    <Button icon="plus" kind="first" onPress={() => setRaising(true)}>
      {t.raise.open}
    </Button>
  );
  return (
    <div className={styles['page']} ref={place}>
      <PageHead
        actions={!isRaising && raise}
        sub={isOpen && list.isRead && rows.length > 0 ? t.sub(rows.length, old) : undefined}
        title={words.frame.pages.blockers}
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
      <List filter={filter} isNowhere={isNowhere} list={list} me={me} now={now} />
      {isOpen && !isNowhere && <ResolvedFold filter={{...filter, state: 'resolved'}} me={me} now={now} />}
      {rows.length > 0 && <Keys />}
    </div>
  );
}

interface ListProps {
  readonly filter: BlockerFilter;
  readonly list: ReturnType<typeof useBlockers>;
  readonly me: Schema<'Me'>;
  readonly now: number;
  readonly isNowhere?: boolean;
}

function List({filter, list, me, now, isNowhere = false}: ListProps) {
  const t = words.blockers;
  const {become, change, refused} = useBlockerChanges(me);
  const [editing, setEditing] = useState<string>();
  const {rows, error, isRead} = list;
  const names = new Map(me.teams?.map(({slug, name}) => [slug, name]));
  const place = useRef<HTMLDivElement>(null);
  if (isNowhere) return <Empty icon="people" text={t.empty.noTeam.text} title={t.empty.noTeam.title} />;
  if (error !== null && !isRead) return <ProblemNote onRetry={list.readAgain} problem={error} />;
  if (!isRead) return <Skeleton height={240} />;
  return (
    <div ref={place}>
      {error !== null && <ProblemNote onRetry={list.readAgain} problem={error} />}
      {rows.length === 0 ? (
        <Empty icon="check" {...t.empty[filter.state]} />
      ) : (
        <Card as="div" padding="none">
          <ol aria-label={t.list} className={styles['list']}>
            {rows.map((blocker) => (
              <BlockerRow
                blocker={blocker}
                isEditing={editing === blocker.id}
                key={blocker.id}
                me={me}
                now={now}
                onBecome={(state) => {
                  keepFocus(
                    place.current,
                    blocker,
                    state !== 'acknowledged' || filter.state === 'acknowledged',
                  );
                  void become(blocker, state);
                }}
                onEdit={(isEditing) => setEditing(isEditing ? blocker.id : undefined)}
                onRetry={() => {
                  const asked = refused.get(blocker.id);
                  if (asked !== undefined) void change(blocker, asked.change);
                }}
                onText={async (text) => (await change(blocker, {text})) !== undefined}
                refused={refused.get(blocker.id)}
                rights={rightsOf(me, blocker)}
                teamName={filter.teams?.length === 1 ? undefined : (names.get(blocker.team) ?? blocker.team)}
              />
            ))}
          </ol>
        </Card>
      )}
      {list.hasMore && (
        <div className={styles['more']}>
          <Button isPending={list.isReadingMore} onPress={list.readMore}>
            {t.older}
          </Button>
        </div>
      )}
    </div>
  );
}

/** What was resolved, read once it is opened. */
function ResolvedFold({filter, me, now}: Pick<ListProps, 'filter' | 'me' | 'now'>) {
  const [isOpen, setOpen] = useState(false);
  const list = useBlockers(filter, isOpen);
  return (
    <details className={styles['fold']} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{words.blockers.resolvedFold}</summary>
      {isOpen && <List filter={filter} list={list} me={me} now={now} />}
    </details>
  );
}

/** What the single keys do; only where somebody has a keyboard. */
function Keys() {
  const t = words.blockers.keys;
  if (!areKeysOn()) return null;
  const told = [
    ['j k', t.move],
    ['a', t.acknowledge],
    ['r', t.resolve],
    ['e', t.edit],
  ] as const;
  return (
    <p className={styles['keys']}>
      {told.map(([keys, what]) => (
        <span key={keys}>
          {keys.split(' ').map((key) => (
            <kbd key={key}>{key}</kbd>
          ))}{' '}
          {what}
        </span>
      ))}
    </p>
  );
}

/** Who has pressed a button that goes away goes on from its row, or from the next one when that leaves too. */
function keepFocus(place: HTMLElement | null, {id}: Blocker, leaves: boolean): void {
  const rows = [...(place?.querySelectorAll<HTMLElement>('[data-blocker]') ?? [])];
  const at = rows.findIndex((row) => row.dataset['blocker'] === id);
  const row = leaves ? (rows[at + 1] ?? rows[at - 1]) : rows[at];
  row?.focus({preventScroll: true});
}

function teamsOf(team: string | undefined, own: NonNullable<Schema<'Me'>['teams']>): BlockerFilter['teams'] {
  if (team === everyTeam) return undefined;
  return team === undefined ? own.map(({slug}) => slug) : [team];
}

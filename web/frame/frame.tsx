import {useQuery} from '@tanstack/react-query';
import {Outlet, useNavigate, useRouter, useSearch} from '@tanstack/react-router';
import {lazy, type ReactNode, Suspense, useEffect, useState} from 'react';
import {followChanges} from '../api/changes.ts';
import {Problem} from '../api/problem.ts';
import {meQuery} from '../api/queries.ts';
import type {Schema} from '../api/schema.ts';
import {onSessionEnd} from '../api/session.ts';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Toasts} from '../parts/toasts.tsx';
import {texts} from '../texts/texts.ts';
import {listCommands} from './commands.ts';
import {listenToKeys} from './keys.ts';
import {lazyComponent} from './later.tsx';
import {Side} from './side.tsx';

/** Loaded without further texts, because every page needs it. */
const Live = lazy(async () => ({default: (await import('./live.tsx')).Live}));
const WritePanel = lazyComponent(() => import('../write/panel.tsx'), 'WritePanel');
const Palette = lazyComponent(() => import('./palette.tsx'), 'Palette');
const Requests = lazyComponent(() => import('./requests.tsx'), 'Requests');
const Shortcuts = lazyComponent(() => import('./shortcuts.tsx'), 'Shortcuts');

export function Frame() {
  const {data: me, error, refetch} = useQuery(meQuery);
  const router = useRouter();
  const isSignedOut = error instanceof Problem && error.status === 401;
  const isSignedIn = me !== undefined;
  useEffect(() => {
    if (isSignedIn) followChanges();
  }, [isSignedIn]);
  useEffect(() => {
    const leave = (): void => {
      const {pathname, href} = router.latestLocation;
      if (pathname === '/sign-in') return;
      void router.navigate({to: '/sign-in', search: {to: href}, replace: true});
    };
    if (isSignedOut) leave();
    return onSessionEnd(leave);
  }, [isSignedOut, router]);
  if (error instanceof Problem && !isSignedOut) {
    return (
      <main className="mx-auto mt-[12vh] max-w-narrow p-4">
        <ProblemNote problem={error} onRetry={() => void refetch()} />
      </main>
    );
  }
  return <OpenedPanel me={me} />;
}

/** Removes the write panel's search parameters, and keeps those of the page. */
function removePanelParameters(search: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(search).filter(([name]) => name !== 'write' && name !== 'edit'));
}

type OpenPanel = 'palette' | 'requests' | 'shortcuts' | undefined;

function OpenedPanel({me}: {me: Schema<'Me'> | undefined}): ReactNode {
  const navigate = useNavigate();
  const {write, edit} = useSearch({from: '/framed'});
  const [opened, setOpened] = useState<OpenPanel>();
  const setSearch = (search: {write?: string; edit?: string}) =>
    void navigate({
      to: '.',
      search: (before: Record<string, unknown>) => ({...removePanelParameters(before), ...search}),
      resetScroll: false,
    });
  const commands = listCommands(me, navigate, {
    write: (team = '') => setSearch({write: team}),
    openRequests: () => setOpened('requests'),
    openShortcuts: () => setOpened('shortcuts'),
  });
  useEffect(() =>
    listenToKeys(new Map(commands.flatMap(({key, run}) => (key === undefined ? [] : [[key, run]]))), () =>
      setOpened('palette'),
    ),
  );
  const close = () => setOpened(undefined);
  return (
    <div className="grid min-h-dvh grid-cols-1 print:block max-lg:grid-rows-[auto_1fr] lg:grid-cols-[232px_minmax(0,1fr)]">
      <a
        className="fixed start-2 top-2 z-30 rounded-lg bg-card px-4 py-2 shadow-pop not-focus:sr-only"
        href="#content"
      >
        {texts.frame.toContent}
      </a>
      <Side me={me} onWrite={() => setSearch({write: ''})} onOpen={setOpened} />
      <main
        id="content"
        className="mx-auto w-full max-w-[calc(var(--container-wide)+64px)] px-8 pt-8 pb-16 focus:outline-none max-lg:px-4 max-lg:pt-4 max-lg:pb-20"
        tabIndex={-1}
      >
        <Outlet />
      </main>
      <Suspense>{me !== undefined && <Live me={me} onWrite={(team) => setSearch({write: team})} />}</Suspense>
      <Toasts />
      <Suspense>
        {(write !== undefined || edit !== undefined) && me !== undefined && (
          <WritePanel team={write || undefined} edit={edit} onClose={() => setSearch({})} />
        )}
        {opened === 'palette' && (
          <Palette commands={commands} onClose={close} onWrite={(write) => setSearch({write})} />
        )}
        {opened === 'requests' && <Requests onClose={close} />}
        {opened === 'shortcuts' && <Shortcuts commands={commands} onClose={close} />}
      </Suspense>
    </div>
  );
}

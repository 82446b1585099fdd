import {Link, useRouter} from '@tanstack/react-router';
import {lazy, type ReactNode, Suspense, useEffect, useId, useRef, useState} from 'react';
import type {Schema} from '../api/schema.ts';
import {Button} from '../parts/button.tsx';
import {Icon, type IconName} from '../parts/icon.tsx';
import {IconButton} from '../parts/icon-button.tsx';
import {hasFeature} from '../parts/features.ts';
import {Initials} from '../parts/initials.tsx';
import {Logo} from '../parts/logo.tsx';
import {PrivateMark} from '../parts/private-mark.tsx';
import {hasManyTeams, mayCreateTeams, managesWorkspace} from '../parts/rights.ts';
import {usePanelClosing} from '../parts/use-panel-closing.ts';
import {texts} from '../texts/texts.ts';

const listClass = 'flex flex-col gap-0.5';
const headingClass = 'px-2 pb-1 text-xs font-semibold text-quiet';
const pageClass =
  'flex min-h-row w-full cursor-pointer items-center gap-2 rounded-md px-2 py-1 text-start text-ink no-underline hover:bg-inset here:bg-inset here:font-semibold has-[.text-missed]:text-missed forced-colors:here:outline-2 forced-colors:here:outline-[Highlight] [&>svg]:text-quiet here:[&>svg]:text-accent';

/** Loaded afterwards, and when it is opened: the first paint has no room for them. */
const MenuBadge = lazy(async () => ({default: (await import('./menu-badge.tsx')).MenuBadge}));
const AccountMenu = lazy(async () => ({default: (await import('./account-menu.tsx')).AccountMenu}));

interface SideProps {
  readonly me: Schema<'Me'> | undefined;
  readonly onWrite: () => void;
  readonly onOpen: (what: 'palette' | 'requests' | 'shortcuts') => void;
}

/** The navigation, beside the page or, on narrow screens, in a menu. */
export function Side(props: SideProps) {
  const menu = useRef<HTMLDialogElement>(null);
  const router = useRouter();
  const close = () => menu.current?.close();
  // Closes the menu when one of its links is followed.
  useEffect(() => router.subscribe('onBeforeNavigate', () => menu.current?.close()), [router]);
  return (
    <>
      <header className="sticky top-0 z-10 flex items-center justify-between gap-2 border-b border-line bg-page px-2 py-1.5 lg:hidden print:hidden">
        <IconButton icon="menu" label={texts.frame.menu} onPress={() => menu.current?.showModal()} />
        <Brand />
        <IconButton icon="write" label={texts.frame.write} onPress={props.onWrite} />
      </header>
      <header className="sticky top-0 flex h-dvh flex-col gap-4 overflow-y-auto border-e border-line bg-page px-3 pt-6 pb-3 max-lg:hidden print:hidden">
        <SideContents {...props} />
      </header>
      <dialog
        ref={menu}
        className="me-auto h-dvh max-h-none w-[min(300px,88vw)] max-w-none bg-page text-ink shadow-pop backdrop:bg-[rgb(0_0_0/45%)]"
        aria-label={texts.frame.menu}
        closedby="any"
      >
        <div className="flex min-h-full flex-col gap-4 px-3 pt-2 pb-3">
          <div className="flex justify-end">
            <IconButton icon="cross" label={texts.frame.close} onPress={close} />
          </div>
          <SideContents
            {...props}
            onWrite={() => {
              close();
              props.onWrite();
            }}
            onOpen={(what) => {
              close();
              props.onOpen(what);
            }}
          />
        </div>
      </dialog>
    </>
  );
}

function Brand() {
  return (
    <Link to="/" className="flex items-center gap-2 px-2 text-lg/5 font-bold text-ink no-underline">
      <Logo />
      {texts.frame.brand}
    </Link>
  );
}

const pages = [
  {to: '/', icon: 'today', name: 'today'},
  {to: '/inbox', icon: 'inbox', name: 'inbox'},
  {to: '/history', icon: 'history', name: 'history'},
  {to: '/blockers', icon: 'blocker', name: 'blockers'},
  {to: '/calendar', icon: 'calendar', name: 'calendar'},
] as const satisfies readonly PageLink[];

const ofAllTeams = [
  {to: '/insights', icon: 'chart', name: 'allTeams'},
] as const satisfies readonly PageLink[];

const forAll = [
  {to: '/people', icon: 'people', name: 'people'},
  {to: '/tokens', icon: 'key', name: 'tokens'},
  {to: '/workspace', icon: 'settings', name: 'workspace'},
] as const satisfies readonly PageLink[];
const forManagers = [
  {to: '/webhooks', icon: 'webhook', name: 'webhooks'},
  {to: '/events', icon: 'event', name: 'events'},
] as const satisfies readonly PageLink[];
const ofMail = [{to: '/mail', icon: 'mail', name: 'mail'}] as const satisfies readonly PageLink[];

interface PageLink {
  readonly to: string;
  readonly icon: IconName;
  readonly name: keyof typeof texts.frame.pages;
}

function SideContents({me, onWrite, onOpen}: SideProps): ReactNode {
  const teams = me?.teams ?? [];
  const mayMake = me !== undefined && mayCreateTeams(me);
  return (
    <>
      <Brand />
      <Button icon="write" kind="first" onPress={onWrite}>
        {texts.frame.write}
      </Button>
      <nav aria-label={texts.frame.navigation} className={listClass}>
        <PageLinks pages={pages} />
      </nav>
      {me !== undefined && (teams.length > 0 || mayMake || hasManyTeams(me)) && (
        <nav aria-label={texts.frame.teams} className={listClass}>
          <h2 className={headingClass}>{texts.frame.teams}</h2>
          {teams.map(({id, slug, name, visibility}) => (
            <Link
              key={id}
              to="/t/$team"
              params={{team: slug}}
              className={pageClass}
              activeOptions={{includeSearch: false}}
              title={name}
            >
              <span className="truncate" dir="auto">
                {name}
              </span>
              {visibility === 'private' && <PrivateMark />}
              <Suspense>
                <MenuBadge team={slug} />
              </Suspense>
            </Link>
          ))}
          {hasManyTeams(me) && <PageLinks pages={ofAllTeams} />}
          {mayMake && (
            <Link to="/teams/new" className={pageClass}>
              <Icon name="plus" />
              {texts.frame.newTeam}
            </Link>
          )}
        </nav>
      )}
      {me !== undefined && (
        <nav aria-label={texts.frame.manage} className={listClass}>
          <h2 className={headingClass}>{texts.frame.manage}</h2>
          <PageLinks pages={forAll} />
          {managesWorkspace(me) && <PageLinks pages={forManagers} />}
          {managesWorkspace(me) && hasFeature('mail') && <PageLinks pages={ofMail} />}
        </nav>
      )}
      <div className={`${listClass} mt-auto`}>
        <button type="button" className={pageClass} onClick={() => onOpen('palette')}>
          <Icon name="search" />
          {texts.frame.commands}
          <kbd className="ms-auto rounded-sm border border-line px-1.5 font-sans text-xs text-quiet">
            {isApple() ? '⌘K' : `${texts.frame.control} K`}
          </kbd>
        </button>
        {me !== undefined && <Account me={me} onOpen={onOpen} />}
      </div>
    </>
  );
}

function PageLinks({pages}: {pages: readonly PageLink[]}): ReactNode {
  return pages.map(({to, icon, name}) => (
    <Link key={to} to={to} className={pageClass} activeOptions={{exact: to === '/', includeSearch: false}}>
      <Icon name={icon} />
      {texts.frame.pages[name]}
      <Suspense>
        <MenuBadge page={name} />
      </Suspense>
    </Link>
  ));
}

function Account({me, onOpen}: {me: Schema<'Me'>; onOpen: SideProps['onOpen']}) {
  const [isOpen, setOpen] = useState(false);
  const container = useRef<HTMLDivElement>(null);
  const id = useId();
  usePanelClosing(container, isOpen, () => setOpen(false));
  const name = me.principal.name ?? '';
  return (
    <div ref={container} className="relative">
      <button
        type="button"
        className={pageClass}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <Initials name={name} />
        <span className="grid min-w-0">
          <span className="truncate" dir="auto" title={name}>
            {name}
          </span>
          <span className="truncate text-xs text-quiet" dir="auto" title={me.workspace.name}>
            {me.workspace.name}
          </span>
        </span>
      </button>
      <div
        id={id}
        className="absolute inset-x-0 bottom-full z-10 rounded-lg border border-line bg-card p-1 shadow-pop"
        hidden={!isOpen}
        role="group"
        aria-label={texts.frame.account}
      >
        <Suspense>{isOpen && <AccountMenu pageClass={pageClass} onOpen={onOpen} />}</Suspense>
      </div>
    </div>
  );
}

function isApple(): boolean {
  return /mac|iphone|ipad/i.test(navigator.platform);
}

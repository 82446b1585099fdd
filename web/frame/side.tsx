import {Link, useRouter} from '@tanstack/react-router';
import {type ReactNode, useEffect, useId, useRef, useState} from 'react';
import type {Schema} from '../api/schema.ts';
import {signOut} from '../api/session.ts';
import {Button} from '../parts/button.tsx';
import {Icon, type IconName} from '../parts/icon.tsx';
import {IconButton} from '../parts/icon-button.tsx';
import {Initials} from '../parts/initials.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {hasManyTeams, mayCreateTeams, managesWorkspace} from '../parts/rights.ts';
import {chooseTheme, readTheme, type Theme} from '../parts/theme.ts';
import {useAction} from '../parts/use-action.ts';
import {storeLanguage} from '../parts/language.ts';
import {getCurrentLanguage, isLanguage, languages, texts} from '../texts/texts.ts';
import styles from './side.module.css';

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
      <header className={styles['bar']}>
        <IconButton icon="menu" label={texts.frame.menu} onPress={() => menu.current?.showModal()} />
        <Brand />
        <IconButton icon="write" label={texts.frame.write} onPress={props.onWrite} />
      </header>
      <header className={styles['side']}>
        <SideContents {...props} />
      </header>
      <dialog ref={menu} className={styles['drawer']} aria-label={texts.frame.menu} closedby="any">
        <div className={styles['drawerBody']}>
          <div className={styles['drawerHead']}>
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
    <Link to="/" className={styles['brand']}>
      <span aria-hidden="true" className={styles['logo']} />
      {texts.frame.brand}
    </Link>
  );
}

const pages = [
  {to: '/', icon: 'today', name: 'today'},
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
/** Links that only owners and admins see. */
const forManagers = [
  {to: '/webhooks', icon: 'webhook', name: 'webhooks'},
  {to: '/events', icon: 'event', name: 'events'},
] as const satisfies readonly PageLink[];

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
      <nav aria-label={texts.frame.navigation} className={styles['pages']}>
        <PageLinks pages={pages} />
      </nav>
      {me !== undefined && (teams.length > 0 || mayMake || hasManyTeams(me)) && (
        <nav aria-label={texts.frame.teams} className={styles['teams']}>
          <h2>{texts.frame.teams}</h2>
          {teams.map(({id, slug, name}) => (
            <Link
              key={id}
              to="/t/$team"
              params={{team: slug}}
              className={styles['page']}
              activeOptions={{includeSearch: false}}
              title={name}
            >
              <span className={styles['cut']} dir="auto">
                {name}
              </span>
            </Link>
          ))}
          {hasManyTeams(me) && <PageLinks pages={ofAllTeams} />}
          {mayMake && (
            <Link to="/teams/new" className={styles['page']}>
              <Icon name="plus" />
              {texts.frame.newTeam}
            </Link>
          )}
        </nav>
      )}
      {me !== undefined && (
        <nav aria-label={texts.frame.manage} className={styles['teams']}>
          <h2>{texts.frame.manage}</h2>
          <PageLinks pages={forAll} />
          {managesWorkspace(me) && <PageLinks pages={forManagers} />}
        </nav>
      )}
      <div className={styles['foot']}>
        <button type="button" className={styles['page']} onClick={() => onOpen('palette')}>
          <Icon name="search" />
          {texts.frame.commands}
          <kbd className={styles['key']}>{isApple() ? '⌘K' : `${texts.frame.control} K`}</kbd>
        </button>
        {me !== undefined && <Account me={me} onOpen={onOpen} />}
      </div>
    </>
  );
}

function PageLinks({pages}: {pages: readonly PageLink[]}): ReactNode {
  return pages.map(({to, icon, name}) => (
    <Link
      key={to}
      to={to}
      className={styles['page']}
      activeOptions={{exact: to === '/', includeSearch: false}}
    >
      <Icon name={icon} />
      {texts.frame.pages[name]}
    </Link>
  ));
}

function Account({me, onOpen}: {me: Schema<'Me'>; onOpen: SideProps['onOpen']}) {
  const [isOpen, setOpen] = useState(false);
  const container = useRef<HTMLDivElement>(null);
  const id = useId();
  const leave = useAction(() => signOut());
  useEffect(() => {
    if (!isOpen) return undefined;
    const onOutside = ({target}: Event): void => {
      if (!(target instanceof Node) || !container.current?.contains(target)) setOpen(false);
    };
    const onEscape = ({key}: KeyboardEvent): void => {
      if (key !== 'Escape') return;
      setOpen(false);
      container.current?.querySelector('button')?.focus();
    };
    document.addEventListener('pointerdown', onOutside);
    document.addEventListener('focusin', onOutside);
    document.addEventListener('keydown', onEscape);
    return () => {
      document.removeEventListener('pointerdown', onOutside);
      document.removeEventListener('focusin', onOutside);
      document.removeEventListener('keydown', onEscape);
    };
  }, [isOpen]);
  const name = me.principal.name ?? '';
  return (
    <div ref={container} className={styles['account']}>
      <button
        type="button"
        className={styles['page']}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <Initials name={name} />
        <span className={styles['who']}>
          <span className={styles['cut']} dir="auto" title={name}>
            {name}
          </span>
          <span className={styles['where']} dir="auto" title={me.workspace.name}>
            {me.workspace.name}
          </span>
        </span>
      </button>
      <div id={id} className={styles['panel']} hidden={!isOpen} role="group" aria-label={texts.frame.account}>
        <Link to="/people/$member" params={{member: 'me'}} className={styles['page']}>
          <Icon name="people" />
          {texts.frame.myPage}
        </Link>
        <Link to="/sessions" className={styles['page']}>
          <Icon name="device" />
          {texts.frame.pages.sessions}
        </Link>
        <button type="button" className={styles['page']} onClick={() => onOpen('shortcuts')}>
          <Icon name="keyboard" />
          {texts.frame.shortcuts}
        </button>
        <button type="button" className={styles['page']} onClick={() => onOpen('requests')}>
          <Icon name="request" />
          {texts.frame.requests}
        </button>
        <a className={styles['page']} href="/docs" target="_blank" rel="noopener">
          <Icon name="external" />
          {texts.frame.documentation}
        </a>
        <AccountChoices />
        <button type="button" className={styles['page']} onClick={() => void leave.run()}>
          <Icon name="sign-out" />
          {texts.frame.signOut}
        </button>
        {leave.problem !== undefined && <ProblemNote problem={leave.problem} />}
      </div>
    </div>
  );
}

function AccountChoices() {
  const [theme, setTheme] = useState<Theme>(readTheme);
  return (
    <>
      <label className={styles['choice']}>
        <span>{texts.frame.theme.label}</span>
        <select
          value={theme}
          onChange={({target: {value}}) => {
            const chosen = value === 'light' || value === 'dark' ? value : 'system';
            chooseTheme(chosen);
            setTheme(chosen);
          }}
        >
          <option value="system">{texts.frame.theme.system}</option>
          <option value="light">{texts.frame.theme.light}</option>
          <option value="dark">{texts.frame.theme.dark}</option>
        </select>
      </label>
      <label className={styles['choice']}>
        <span>{texts.frame.language}</span>
        <select
          value={getCurrentLanguage()}
          onChange={({target: {value}}) => isLanguage(value) && storeLanguage(value)}
        >
          {Object.entries(languages).map(([language, name]) => (
            <option key={language} value={language} lang={language}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </>
  );
}

function isApple(): boolean {
  return /mac|iphone|ipad/i.test(navigator.platform);
}

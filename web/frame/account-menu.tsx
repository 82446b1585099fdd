import {Link} from '@tanstack/react-router';
import {useState} from 'react';
import {signOut} from '../api/session.ts';
import {Icon} from '../parts/icon.tsx';
import {storeLanguage} from '../parts/language.ts';
import {ProblemNote} from '../parts/problem-note.tsx';
import {chooseTheme, readTheme, type Theme} from '../parts/theme.ts';
import {useAction} from '../parts/use-action.ts';
import {getCurrentLanguage, isLanguage, languages, texts} from '../texts/texts.ts';

const selectClass = 'min-h-7 min-w-0 rounded-md border border-edge bg-card px-1 py-0.5';

interface AccountMenuProps {
  /** The class of an entry. */
  readonly pageClass: string;
  readonly onOpen: (what: 'requests' | 'shortcuts') => void;
}

/** The contents of the menu of the signed-in person. */
export function AccountMenu({pageClass, onOpen}: AccountMenuProps) {
  const leave = useAction(() => signOut());
  return (
    <>
      <Link to="/people/$member" params={{member: 'me'}} className={pageClass}>
        <Icon name="people" />
        {texts.frame.myPage}
      </Link>
      <Link to="/sessions" className={pageClass}>
        <Icon name="device" />
        {texts.frame.pages.sessions}
      </Link>
      <button type="button" className={pageClass} onClick={() => onOpen('shortcuts')}>
        <Icon name="keyboard" />
        {texts.frame.shortcuts}
      </button>
      <button type="button" className={pageClass} onClick={() => onOpen('requests')}>
        <Icon name="request" />
        {texts.frame.requests}
      </button>
      <a className={pageClass} href="/docs" target="_blank" rel="noopener">
        <Icon name="external" />
        {texts.frame.documentation}
      </a>
      <AccountChoices />
      <button type="button" className={pageClass} onClick={() => void leave.run()}>
        <Icon name="sign-out" />
        {texts.frame.signOut}
      </button>
      {leave.problem !== undefined && <ProblemNote problem={leave.problem} />}
    </>
  );
}

function AccountChoices() {
  const [theme, setTheme] = useState<Theme>(readTheme);
  return (
    <>
      <label className="flex min-h-row items-center justify-between gap-2 px-2 py-1">
        <span>{texts.frame.theme.label}</span>
        <select
          className={selectClass}
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
      <label className="flex min-h-row items-center justify-between gap-2 px-2 py-1">
        <span>{texts.frame.language}</span>
        <select
          className={selectClass}
          value={getCurrentLanguage()}
          onChange={({target: {value}}) => isLanguage(value) && void storeLanguage(value)}
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

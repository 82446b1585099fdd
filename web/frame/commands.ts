import type {NavigateFn} from '@tanstack/react-router';
import type {Schema} from '../api/schema.ts';
import {signOut} from '../api/session.ts';
import type {PaletteCommand} from '../parts/palette/command.ts';
import {hasManyTeams, managesWorkspace} from '../parts/rights.ts';
import {chooseTheme} from '../parts/theme.ts';
import {storeLanguage} from '../parts/language.ts';
import {getCurrentLanguage, isLanguage, languages, texts} from '../texts/texts.ts';

/** Functions that open the panels that every page has. */
export interface Openers {
  readonly write: (team?: string) => void;
  readonly openRequests: () => void;
  readonly openShortcuts: () => void;
}

/** Commands that have a key, and those that need no further texts. `further-commands.ts` has all others. */
export function listCommands(
  me: Schema<'Me'> | undefined,
  navigate: NavigateFn,
  {write, openRequests, openShortcuts}: Openers,
): readonly PaletteCommand[] {
  const {frame} = texts;
  const teams = me?.teams ?? [];
  const go = (to: string) => () => void navigate({to});
  return [
    {label: frame.write, key: 'n', run: () => write()},
    {label: frame.pages.today, key: 'g t', run: go('/')},
    {label: frame.pages.history, key: 'g h', run: go('/history')},
    {label: frame.pages.blockers, key: 'g b', run: go('/blockers')},
    {label: frame.pages.calendar, key: 'g c', run: go('/calendar')},
    {label: frame.commandNames.me, key: 'g m', run: go('/people/me')},
    ...teams.map(({slug, name}) => ({label: frame.commandNames.team({name}), run: go(`/t/${slug}`)})),
    {label: frame.pages.people, key: 'g p', run: go('/people')},
    {label: frame.pages.tokens, key: 'g k', run: go('/tokens')},
    {label: frame.pages.workspace, key: 'g o', run: go('/workspace')},
    ...(me !== undefined && managesWorkspace(me)
      ? [
          {label: frame.pages.webhooks, key: 'g w', run: go('/webhooks')},
          {label: frame.pages.events, key: 'g e', run: go('/events')},
        ]
      : []),
    ...(me !== undefined && hasManyTeams(me)
      ? [{label: frame.commandNames.allTeams, key: 'g i', run: go('/insights')}]
      : []),
    {label: frame.commandNames.search, key: '/', run: focusSearch(go('/history'))},
    {label: frame.pages.sessions, key: 'g s', run: go('/sessions')},
    {label: frame.requests, key: '~', run: openRequests},
    {label: frame.shortcuts, key: '?', run: openShortcuts},
    ...(['system', 'light', 'dark'] as const).map((theme) => ({
      label: `${frame.theme.label}: ${frame.theme[theme]}`,
      run: () => chooseTheme(theme),
    })),
    ...Object.entries(languages).flatMap(([language, name]) =>
      isLanguage(language) && language !== getCurrentLanguage()
        ? [{label: frame.commandNames.otherLanguage({name}), run: () => void storeLanguage(language)}]
        : [],
    ),
    {label: frame.documentation, run: () => window.open('/docs', '_blank', 'noopener')},
    {label: frame.signOut, run: () => void signOut()},
  ];
}

function focusSearch(otherwise: () => void): () => void {
  return () => {
    const field = document.querySelector<HTMLElement>('[data-search]');
    if (field === null) otherwise();
    else field.focus();
  };
}

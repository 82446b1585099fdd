import type {CommandContext, PaletteCommand} from '../parts/palette/command.ts';
import {texts} from '../texts/texts.ts';
import {personTabs} from './search.ts';

/** The tabs of the viewer's own page; its first one is the page itself, which has a shortcut. */
export function listPersonCommands({navigate}: CommandContext): readonly PaletteCommand[] {
  const {own} = texts.palette.commands;
  return personTabs.flatMap((tab) =>
    tab === 'standups'
      ? []
      : {
          label: own[tab],
          run: () => void navigate({to: '/people/$member', params: {member: 'me'}, search: {tab}}),
        },
  );
}

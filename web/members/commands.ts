import {askForPanel} from '../parts/palette/asked-panel.ts';
import type {CommandContext, PaletteCommand} from '../parts/palette/command.ts';
import {managesWorkspace} from '../parts/rights.ts';
import {texts} from '../texts/texts.ts';

export function listMemberCommands({me, navigate}: CommandContext): readonly PaletteCommand[] {
  if (!managesWorkspace(me)) return [];
  const add = (): void => {
    askForPanel('member');
    void navigate({to: '/people'});
  };
  return [{label: texts.palette.commands.addPerson, run: add}];
}

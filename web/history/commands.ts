import {askForPanel} from '../parts/palette/asked-panel.ts';
import type {CommandContext, PaletteCommand} from '../parts/palette/command.ts';
import {texts} from '../texts/texts.ts';

export function listHistoryCommands({navigate}: CommandContext): readonly PaletteCommand[] {
  const open = (): void => {
    askForPanel('export');
    void navigate({to: '/history'});
  };
  return [{label: texts.palette.commands.exportStandups, run: open}];
}

import {askForPanel} from '../parts/palette/asked-panel.ts';
import type {CommandContext, PaletteCommand} from '../parts/palette/command.ts';
import {texts} from '../texts/texts.ts';

export function listCalendarCommands({navigate}: CommandContext): readonly PaletteCommand[] {
  const add = (): void => {
    askForPanel('absence');
    void navigate({to: '/calendar'});
  };
  return [{label: texts.calendar.add, run: add}];
}

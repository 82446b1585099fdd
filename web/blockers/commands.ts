import {askForPanel} from '../parts/palette/asked-panel.ts';
import type {CommandContext, PaletteCommand} from '../parts/palette/command.ts';
import {texts} from '../texts/texts.ts';

export function listBlockerCommands({me, navigate}: CommandContext): readonly PaletteCommand[] {
  if ((me.teams ?? []).length === 0) return [];
  const raise = (): void => {
    askForPanel('blocker');
    void navigate({to: '/blockers'});
  };
  return [{label: texts.blockers.raise.open, run: raise}];
}

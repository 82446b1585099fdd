import type {CommandContext, PaletteCommand} from '../parts/palette/command.ts';
import {texts} from '../texts/texts.ts';

/** Writing for one of several teams. With one team, the command with the shortcut does it. */
export function listWriteCommands({me, write}: CommandContext): readonly PaletteCommand[] {
  const teams = me.teams ?? [];
  if (teams.length < 2) return [];
  return teams.map(({slug, name}) => ({
    label: texts.palette.commands.writeFor({team: name}),
    run: () => write(slug),
  }));
}

import type {CommandContext, PaletteCommand} from '../parts/palette/command.ts';
import {texts} from '../texts/texts.ts';

export function listInsightsCommands({me, navigate}: CommandContext): readonly PaletteCommand[] {
  return (me.teams ?? []).map(({slug, name}) => ({
    label: texts.palette.commands.insights({name}),
    run: () => void navigate({to: '/t/$team/insights', params: {team: slug}}),
  }));
}

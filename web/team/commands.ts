import type {CommandContext, PaletteCommand} from '../parts/palette/command.ts';
import {mayCreateTeams} from '../parts/rights.ts';
import {texts} from '../texts/texts.ts';

export function listTeamCommands({me, navigate}: CommandContext): readonly PaletteCommand[] {
  const settings = (me.teams ?? []).map(({slug, name}) => ({
    label: texts.palette.commands.settings({name}),
    run: () => void navigate({to: '/t/$team/settings', params: {team: slug}}),
  }));
  const create = {label: texts.frame.newTeam, run: () => void navigate({to: '/teams/new'})};
  return [...settings, ...(mayCreateTeams(me) ? [create] : [])];
}

import {askForPanel} from '../parts/palette/asked-panel.ts';
import type {CommandContext, PaletteCommand} from '../parts/palette/command.ts';
import {texts} from '../texts/texts.ts';

export function listTokenCommands({navigate}: CommandContext): readonly PaletteCommand[] {
  const create = (): void => {
    askForPanel('token');
    void navigate({to: '/tokens'});
  };
  const {createToken, connectProgram} = texts.palette.commands;
  return [
    {label: createToken, run: create},
    {label: connectProgram, run: () => void navigate({to: '/device'})},
  ];
}

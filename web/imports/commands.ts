import type {CommandContext, PaletteCommand} from '../parts/palette/command.ts';
import {managesWorkspace} from '../parts/rights.ts';
import {texts} from '../texts/texts.ts';

export function listImportCommands({me, navigate}: CommandContext): readonly PaletteCommand[] {
  if (!managesWorkspace(me)) return [];
  const {importStandups} = texts.palette.commands;
  return [{label: importStandups, run: () => void navigate({to: '/workspace/import'})}];
}

import {hasFeature} from '../parts/features.ts';
import type {CommandContext, PaletteCommand} from '../parts/palette/command.ts';
import {managesWorkspace} from '../parts/rights.ts';
import {texts} from '../texts/texts.ts';

export function listMailCommands({me, navigate}: CommandContext): readonly PaletteCommand[] {
  if (!managesWorkspace(me) || !hasFeature('mail')) return [];
  return [{label: texts.frame.pages.mail, run: () => void navigate({to: '/mail'})}];
}

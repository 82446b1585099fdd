import {askForPanel} from '../parts/palette/asked-panel.ts';
import type {CommandContext, PaletteCommand} from '../parts/palette/command.ts';
import {managesWorkspace} from '../parts/rights.ts';
import {texts} from '../texts/texts.ts';

export function listWebhookCommands({me, navigate}: CommandContext): readonly PaletteCommand[] {
  if (!managesWorkspace(me)) return [];
  const add = (): void => {
    askForPanel('webhook');
    void navigate({to: '/webhooks'});
  };
  return [{label: texts.palette.commands.addWebhook, run: add}];
}

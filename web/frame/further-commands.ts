import {listBlockerCommands} from '../blockers/commands.ts';
import {listCalendarCommands} from '../calendar/commands.ts';
import {listHistoryCommands} from '../history/commands.ts';
import {listImportCommands} from '../imports/commands.ts';
import {listInsightsCommands} from '../insights/commands.ts';
import {listMailCommands} from '../mail/commands.ts';
import {listMemberCommands} from '../members/commands.ts';
import type {CommandContext, PaletteCommand} from '../parts/palette/command.ts';
import {listPersonCommands} from '../people/commands.ts';
import {listTeamCommands} from '../team/commands.ts';
import {listTokenCommands} from '../tokens/commands.ts';
import {listWebhookCommands} from '../webhooks/commands.ts';
import {listWriteCommands} from '../write/commands.ts';

const features = [
  listWriteCommands,
  listBlockerCommands,
  listCalendarCommands,
  listPersonCommands,
  listInsightsCommands,
  listTeamCommands,
  listHistoryCommands,
  listMemberCommands,
  listTokenCommands,
  listWebhookCommands,
  listMailCommands,
  listImportCommands,
];

/** Commands without a key. Only the palette loads them, since the first paint needs neither them nor their texts. */
export function listFurtherCommands(context: CommandContext): readonly PaletteCommand[] {
  return features.flatMap((list) => list(context));
}

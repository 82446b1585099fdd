import type {RespondArguments} from '@slack/bolt';
import {privately} from '../blocks.js';
import type {Answer, Kit, Visit} from '../kit.js';

/** What stands behind one word after `/standup`. It answers in time, with nothing when what it shows is a view. */
export type Subcommand = (kit: Kit, visit: Visit, answer: Answer<RespondArguments>) => Promise<void>;

/** By the one word that calls it, in lower case. A word with more after it is an update. */
export const subcommands: ReadonlyMap<string, Subcommand> = new Map<string, Subcommand>([
  ['help', (_, {reader}, answer) => answer(privately(reader.words.help.join('\n')))],
  ...['today', 'edit', 'skip', 'ooo', 'back', 'web', 'settings'].map((word): [string, Subcommand] => [
    word,
    (_, {reader}, answer) => answer(privately(reader.words.command.notYet(word))),
  ]),
]);

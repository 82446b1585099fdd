import type {RespondArguments} from '@slack/bolt';
import {privatelyMarked} from '../blocks/blocks.js';
import {openForm} from '../form/open-form.js';
import type {Answer, Kit, Visit} from '../door/kit.js';
import {comeBack, enterDays, skipToday} from '../away/away.js';
import {askToRemind, showMissing} from '../missing/show-missing.js';
import {openOwnSettings} from '../own-settings/open-own.js';
import {showHistory} from '../history/show-history.js';
import {showToday} from './today.js';
import {undoLatest} from './undo-latest.js';
import type {CommandWord} from '../../typed/vocabulary.js';
import {makeLink} from './web.js';

/**
 * The handler of one subcommand of `/standup`. It answers in time, with nothing when its result is a view.
 * `rest`: the text after the subcommand.
 */
export type Subcommand = (
  kit: Kit,
  visit: Visit,
  answer: Answer<RespondArguments>,
  rest: string,
) => Promise<void>;

export const subcommands: Readonly<Record<CommandWord, Subcommand>> = {
  help: (_, {reader}, answer) => answer(privatelyMarked(reader.words.typed.help.join('\n'))),
  settings: async (kit, visit, answer) => {
    await answer();
    await openOwnSettings(kit, visit);
  },
  today: async (kit, visit, answer) => answer(await showToday(kit, visit)),
  missing: async (kit, visit, answer) => answer(await showMissing(kit, visit)),
  remind: async (kit, visit, answer) => answer(await askToRemind(kit, visit)),
  edit: async (kit, visit, answer) => {
    await answer();
    await openForm(kit, visit, {mode: 'edit'});
  },
  skip: async (kit, visit, answer, rest) => answer(await skipToday(kit, visit, rest)),
  ooo: async (kit, visit, answer, rest) => answer(await enterDays(kit, visit, rest)),
  back: async (kit, visit, answer) => answer(await comeBack(kit, visit)),
  undo: async (kit, visit, answer) => answer(await undoLatest(kit, visit, {asks: false})),
  delete: async (kit, visit, answer) => answer(await undoLatest(kit, visit, {asks: true})),
  history: async (kit, visit, answer) => answer(await showHistory(kit, visit)),
  web: async (kit, visit, answer) => answer(await makeLink(kit, visit)),
  form: async (kit, visit, answer) => {
    await answer();
    await openForm(kit, visit);
  },
};

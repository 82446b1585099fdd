import type {RespondArguments} from '@slack/bolt';
import {createPrivateMarkupAnswer} from '../blocks/blocks.js';
import {openForm} from '../form/open-form.js';
import type {RespondOnce, SlackContext, SlackRequest} from '../core/context.js';
import {returnFromAbsence, enterAbsence, skipToday} from '../away/away.js';
import {presentRemindButton, presentMissingMembers} from '../missing/show-missing.js';
import {openOwnSettings} from '../own-settings/open-own.js';
import {showHistory} from '../history/show-history.js';
import {presentTodayAnswer} from './today.js';
import {undoLatest} from './undo-latest.js';
import type {CommandName} from '../../typed/vocabulary.js';
import {createSignInLink} from './web.js';

/**
 * The handler of one subcommand of `/standup`. It calls `answer` within Slack's time limit, without a message
 * if a modal shows the result. `rest`: the text after the subcommand.
 */
export type Subcommand = (
  deps: SlackContext,
  request: SlackRequest,
  answer: RespondOnce<RespondArguments>,
  rest: string,
) => Promise<void>;

export const subcommands: Readonly<Record<CommandName, Subcommand>> = {
  help: (_, {translation}, answer) =>
    answer(createPrivateMarkupAnswer(translation.texts.typed.help.join('\n'))),
  settings: async (deps, request, answer) => {
    await answer();
    await openOwnSettings(deps, request);
  },
  today: async (deps, request, answer) => answer(await presentTodayAnswer(deps, request)),
  missing: async (deps, request, answer) => answer(await presentMissingMembers(deps, request)),
  remind: async (deps, request, answer) => answer(await presentRemindButton(deps, request)),
  edit: async (deps, request, answer) => {
    await answer();
    await openForm(deps, request, {mode: 'edit'});
  },
  skip: async (deps, request, answer, rest) => answer(await skipToday(deps, request, rest)),
  ooo: async (deps, request, answer, rest) => answer(await enterAbsence(deps, request, rest)),
  back: async (deps, request, answer) => answer(await returnFromAbsence(deps, request)),
  undo: async (deps, request, answer) => answer(await undoLatest(deps, request, {asks: false})),
  delete: async (deps, request, answer) => answer(await undoLatest(deps, request, {asks: true})),
  history: async (deps, request, answer) => answer(await showHistory(deps, request)),
  web: async (deps, request, answer) => answer(await createSignInLink(deps, request)),
  form: async (deps, request, answer) => {
    await answer();
    await openForm(deps, request);
  },
};

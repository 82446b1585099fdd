import type {RespondArguments} from '@slack/bolt';
import {createPrivateMarkupAnswer} from '../blocks/blocks.js';
import {openForm} from '../form/open-form.js';
import type {RespondOnce, SlackContext, SlackRequest} from '../core/context.js';
import {returnFromAbsence, enterAbsence, skipToday} from '../away/away.js';
import {presentRemindButton, presentMissingMembers} from '../missing/show-missing.js';
import {openOwnSettings} from '../own-settings/open-own.js';
import {showHistory} from '../history/history.js';
import {presentTodayAnswer} from './today.js';
import {undoLatest} from './undo.js';
import type {CommandName} from '../../typed/vocabulary.js';
import {createSignInLink} from './web.js';

/** A subcommand of `/standup`. It calls `answer` in time, without a message if a modal shows the result. */
export type Subcommand = (
  context: SlackContext,
  request: SlackRequest,
  answer: RespondOnce<RespondArguments>,
  rest: string,
) => Promise<void>;

export const subcommands: Readonly<Record<CommandName, Subcommand>> = {
  help: (_, {translation}, answer) =>
    answer(createPrivateMarkupAnswer(translation.texts.typed.help.join('\n'))),
  settings: async (context, request, answer) => {
    await answer();
    await openOwnSettings(context, request);
  },
  today: async (context, request, answer) => answer(await presentTodayAnswer(context, request)),
  missing: async (context, request, answer) => answer(await presentMissingMembers(context, request)),
  remind: async (context, request, answer) => answer(await presentRemindButton(context, request)),
  edit: async (context, request, answer) => {
    await answer();
    await openForm(context, request, {mode: 'edit'});
  },
  skip: async (context, request, answer, rest) => answer(await skipToday(context, request, rest)),
  ooo: async (context, request, answer, rest) => answer(await enterAbsence(context, request, rest)),
  back: async (context, request, answer) => answer(await returnFromAbsence(context, request)),
  undo: async (context, request, answer) => answer(await undoLatest(context, request, {asks: false})),
  delete: async (context, request, answer) => answer(await undoLatest(context, request, {asks: true})),
  history: async (context, request, answer) => answer(await showHistory(context, request)),
  web: async (context, request, answer) => answer(await createSignInLink(context, request)),
  form: async (context, request, answer) => {
    await answer();
    await openForm(context, request);
  },
};

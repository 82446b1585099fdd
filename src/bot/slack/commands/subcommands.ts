import type {RespondArguments} from '@slack/bolt';
import {createPrivateMarkupAnswer, presentAnswer} from '../blocks/blocks.js';
import {openForm} from '../form/open-form.js';
import type {RespondOnce, SlackContext, SlackRequest} from '../core/context.js';
import {returnFromAbsence, enterAbsence, skipToday} from '../away/away.js';
import {presentRemindButton, presentMissingMembers} from '../missing/show-missing.js';
import {presentReport} from '../report/show-report.js';
import {openOwnSettings} from '../own-settings/own-settings.js';
import {showHistory} from '../history/history.js';
import {presentIntroduction} from './introduction.js';
import {presentTodayAnswer} from './today.js';
import {undoLatest} from './undo.js';
import type {CommandName} from '../../typed/vocabulary.js';
import {createSignInLink} from './web.js';
import type {Button} from '@slack/types';
import {allCommands, type Command, hello, type UnclearCommand} from '../../typed/parse-command.js';
import {actions, standupCommand} from '../blocks/names.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';
import {actionsRow, button, mrkdwnObject, section} from '../blocks/shapes.js';
import {formButton, createTextButton, createRunButton} from '../answers/buttons.js';
import {isolateName} from '../../texts/bidi.js';

/** A subcommand of `/standup`. It calls `answer` in time, without a message if a modal shows the result. */
type Subcommand = (
  context: SlackContext,
  request: SlackRequest,
  answer: RespondOnce<RespondArguments>,
  rest: string,
) => Promise<void>;

export const subcommands: Readonly<Record<CommandName, Subcommand>> = {
  help: async (context, request, answer, rest) =>
    answer(rest === hello ? await presentIntroduction(context, request) : presentHelp(request, rest)),
  settings: async (context, request, answer) => {
    await answer();
    await openOwnSettings(context, request);
  },
  today: async (context, request, answer) => answer(await presentTodayAnswer(context, request)),
  report: async (context, request, answer, rest) => answer(await presentReport(context, request, rest)),
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

/** Presents what people do every day, with a button that shows all commands instead. */
function presentHelp({translation: {texts}, triggerId: key}: SlackRequest, rest: string): RespondArguments {
  const {help, allCommands: all, seeAll} = texts.typed;
  if (rest === allCommands) return createPrivateMarkupAnswer(all.join('\n'));
  const markup = help.join('\n');
  const more = createRunButton({word: 'help', rest: allCommands, key}, seeAll);
  return {
    ...createPrivateMarkupAnswer(markup),
    blocks: [section(mrkdwnObject(markup)), actionsRow(...more)],
  };
}

/** Answers a typed message, which brings no trigger id for a modal: a button opens it instead. */
export async function answerWithoutView(
  context: SlackContext,
  request: SlackRequest,
  parsed: Exclude<Command, {kind: 'update'}>,
): Promise<RespondArguments> {
  const {translation, triggerId} = request;
  if (parsed.kind === 'unclear') return presentSuggestion(translation, parsed, triggerId);
  const form = presentContinueButton(
    translation,
    formButton(translation.texts.typing.openForm, {mode: 'auto', replaces: true}),
  );
  if (parsed.kind === 'form') return form;
  if (parsed.name === 'edit')
    return presentContinueButton(
      translation,
      formButton(translation.texts.command.edit, {mode: 'edit', replaces: true}),
    );
  if (parsed.name === 'settings')
    return presentContinueButton(translation, button(actions.openOwn, translation.texts.typing.settings));
  let said: RespondArguments | undefined;
  const hear = async (answer?: RespondArguments) => void (said = answer ?? said);
  await subcommands[parsed.name](context, {...request, respond: hear}, hear, parsed.rest);
  return said ?? form;
}

export function presentContinueButton({texts}: SlackTranslation, goOn: Button): RespondArguments {
  return presentAnswer(texts, texts.typing.runFirst, '', actionsRow(goOn));
}

/** Asks what the person meant, with a button for each option. `key`: the key of the command. */
export function presentSuggestion(
  translation: SlackTranslation,
  unclear: UnclearCommand,
  key: string,
): RespondArguments {
  const {sentence, buttons} = presentSentenceAndButtons(translation, unclear, key);
  return presentAnswer(translation.texts, sentence, unclear.typed, actionsRow(...buttons));
}

export function askWhetherUpdate({texts}: SlackTranslation, typed: string, key: string): RespondArguments {
  const sentence = texts.typed.meantToPost({text: isolateName(typed)});
  const ways = actionsRow(
    createTextButton(texts.typed.postIt, {key, text: typed}),
    ...createRunButton({word: 'help', key}, texts.typed.seeHelp),
  );
  return presentAnswer(texts, sentence, '', ways);
}

function presentSentenceAndButtons(
  {texts}: SlackTranslation,
  {typed, name, rest, text}: UnclearCommand,
  key: string,
): {readonly sentence: string; readonly buttons: Button[]} {
  const {command} = texts;
  if (text !== undefined) {
    const without = createTextButton(texts.typed.post({text}), {key, text}, 'without');
    return {
      sentence: texts.typed.withOrWithout,
      buttons: [without, createTextButton(texts.typed.post({text: typed}), {key, text: typed})],
    };
  }
  const post = createTextButton(command.postAnyway({typed}), {key, text: typed});
  const meant = [standupCommand, ...(name === 'form' ? [] : [name]), ...(rest === undefined ? [] : [rest])];
  return {
    sentence: command.didYouMean({meant: meant.join(' ')}),
    buttons: [...createRunButton({word: name, rest, key}, command.runIt), post],
  };
}

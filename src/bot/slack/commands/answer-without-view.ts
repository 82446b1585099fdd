import type {RespondArguments} from '@slack/bolt';
import type {Button} from '@slack/types';
import type {Command} from '../../typed/parse-command.js';
import {plainTextBlock, privateAnswer} from '../blocks/blocks.js';
import {actions} from '../blocks/names.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';
import {button, actionsRow} from '../blocks/shapes.js';
import type {SlackContext, SlackRequest} from '../core/context.js';
import {formButton} from '../answers/buttons.js';
import {subcommands} from './subcommands.js';
import {presentSuggestion} from './suggestion.js';

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
  const {runFirst} = texts.typing;
  return {...privateAnswer(runFirst), blocks: [plainTextBlock(runFirst), actionsRow(goOn)]};
}

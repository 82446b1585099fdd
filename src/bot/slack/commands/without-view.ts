import type {RespondArguments} from '@slack/bolt';
import type {Button} from '@slack/types';
import type {Command} from '../../typed/parse-command.js';
import {plainText, privately} from '../blocks/blocks.js';
import {actions} from '../blocks/names.js';
import type {Reader} from '../blocks/reader.js';
import {button, row} from '../blocks/shapes.js';
import type {Kit, Visit} from '../door/kit.js';
import {formButton} from './answers.js';
import {subcommands} from './subcommands.js';
import {presentSuggestion} from './suggestion.js';

/**
 * Answers subcommands where no view can be opened, since a message brings no trigger: a button opens it.
 * `visit.triggerId`: the key of that message.
 */
export async function answerWithoutView(
  kit: Kit,
  visit: Visit,
  parsed: Exclude<Command, {kind: 'update'}>,
): Promise<RespondArguments> {
  const {reader, triggerId} = visit;
  if (parsed.kind === 'unclear') return presentSuggestion(reader, parsed, triggerId);
  const form = presentFirst(reader, formButton(reader.words.typing.openForm, {mode: 'auto', replaces: true}));
  if (parsed.kind === 'form') return form;
  if (parsed.word === 'edit')
    return presentFirst(reader, formButton(reader.words.command.edit, {mode: 'edit', replaces: true}));
  if (parsed.word === 'settings')
    return presentFirst(reader, button(actions.openOwn, reader.words.typing.settings));
  let said: RespondArguments | undefined;
  const hear = async (answer?: RespondArguments) => void (said = answer ?? said);
  await subcommands[parsed.word](kit, {...visit, respond: hear}, hear, parsed.rest);
  return said ?? form;
}

/** An answer with a button to continue. */
export function presentFirst({words}: Reader, goOn: Button): RespondArguments {
  const {runFirst} = words.typing;
  return {...privately(runFirst), blocks: [plainText(runFirst), row(goOn)]};
}

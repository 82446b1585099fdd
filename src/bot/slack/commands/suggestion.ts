import type {RespondArguments} from '@slack/bolt';
import type {Button} from '@slack/types';
import {isolateName} from '../../texts/bidi.js';
import {presentAnswer} from '../blocks/blocks.js';
import {standupCommand} from '../blocks/names.js';
import {actionsRow} from '../blocks/shapes.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';
import {createTextButton, createRunButton} from '../answers/buttons.js';
import type {UnclearCommand} from '../../typed/parse-command.js';

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

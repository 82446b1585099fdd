import type {RespondArguments} from '@slack/bolt';
import type {Button} from '@slack/types';
import {isolate, nameInText} from '../../words/bidi.js';
import {plainText, privately, writtenText} from '../blocks/blocks.js';
import {standupCommand} from '../blocks/names.js';
import {row} from '../blocks/shapes.js';
import type {Reader} from '../blocks/reader.js';
import {textButton} from './answers.js';
import type {Unclear} from '../../typed/parse-command.js';
import {runButton} from './run-button.js';

/** Asks what was meant, with a button for each option and the original text. `key`: of the command. */
export function presentSuggestion(reader: Reader, unclear: Unclear, key: string): RespondArguments {
  const {typed} = unclear;
  const {sentence, buttons} = waysOf(reader, unclear, key);
  const heading = plainText(sentence);
  const ways = row(...buttons);
  return {
    ...privately(`${sentence} ${isolate(typed)}`),
    blocks: [
      heading,
      writtenText(typed, {quote: true, cutNote: reader.words.cutNote, beside: [heading, ways]}),
      ways,
    ],
  };
}

/** Asks whether a very short text is an update. */
export function presentDoubt({words}: Reader, typed: string, key: string): RespondArguments {
  const sentence = words.typed.meantToPost(nameInText(typed));
  const ways = row(
    textButton(words.typed.postIt, {key, text: typed}),
    ...runButton({word: 'help', key}, words.typed.seeHelp),
  );
  return {...privately(sentence), blocks: [plainText(sentence), ways]};
}

function waysOf(
  {words}: Reader,
  {typed, word, rest, text}: Unclear,
  key: string,
): {readonly sentence: string; readonly buttons: Button[]} {
  const {command} = words;
  if (text !== undefined) {
    const without = textButton(words.typed.post(text), {key, text}, 'without');
    return {
      sentence: words.typed.withOrWithout,
      buttons: [without, textButton(words.typed.post(typed), {key, text: typed})],
    };
  }
  const post = textButton(command.postAnyway(typed), {key, text: typed});
  const meant = [standupCommand, ...(word === 'form' ? [] : [word]), ...(rest === undefined ? [] : [rest])];
  return {
    sentence: command.didYouMean(meant.join(' ')),
    buttons: [...runButton({word, rest, key}, command.runIt), post],
  };
}

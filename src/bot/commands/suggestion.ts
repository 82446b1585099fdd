import type {RespondArguments} from '@slack/bolt';
import {privately} from '../blocks.js';
import {packValue} from '../button-value.js';
import {actions, standupCommand} from '../names.js';
import type {Reader} from '../words/words.js';
import {textButton} from './answers.js';
import type {Command} from './parse-command.js';

/** Asks whether another word was meant, with both ways to go on. `key`: of the command. */
export function presentSuggestion(
  {words: {command}}: Reader,
  {typed, word, runs}: Extract<Command, {kind: 'unclear'}>,
  key: string,
): RespondArguments {
  const meant = `${standupCommand} ${word}`;
  const text = runs ? command.didYouMean(meant) : command.didYouMeanKept(meant);
  const run = {
    type: 'button',
    action_id: actions.runCommand,
    text: {type: 'plain_text', text: command.runIt},
    value: packValue({word}),
  } as const;
  const post = textButton(command.postAnyway(typed), {key, text: typed});
  return {
    ...privately(text),
    blocks: [
      {type: 'section', text: {type: 'mrkdwn', text}},
      {type: 'actions', elements: runs ? [run, post] : [post]},
    ],
  };
}

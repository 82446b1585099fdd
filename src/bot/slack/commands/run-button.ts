import type {Button} from '@slack/types';
import {cleanName} from '../../words/bidi.js';
import {packValue} from '../blocks/button-value.js';
import {actions, slackLimits} from '../blocks/names.js';
import {button} from '../blocks/shapes.js';
import type {CommandWord} from '../../typed/vocabulary.js';

/** The word that a button runs, as the command would. */
export interface RunValue {
  readonly word: CommandWord;
  /** The text that belongs to the word. */
  readonly rest?: string | undefined;
  /** The trigger of the command that brought the button. */
  readonly key: string;
}

/**
 * A button that runs a word of the command; none where what belongs to it does not fit. `part`: what tells
 * it from another one in its block.
 */
export function runButton(value: RunValue, label: string, part?: string): Button[] {
  const packed = packValue(value);
  if (packed.length > slackLimits.buttonValue) return [];
  return [button(actions.runCommand, cleanName(label), packed, {part})];
}

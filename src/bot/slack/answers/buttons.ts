import type {Button} from '@slack/types';
import {cleanName} from '../../texts/bidi.js';
import {packValue, button} from '../blocks/shapes.js';
import {actions, slackLimits} from '../blocks/names.js';
import type {CommandName} from '../../typed/vocabulary.js';
import {type FormRequest, packRequest} from './form-request.js';

export interface RunValue {
  readonly word: CommandName;
  readonly rest?: string | undefined;
  /** The trigger id of the command whose answer contained the button. */
  readonly key: string;
}

/** Returns a button that runs a subcommand; empty if its argument does not fit into the button. */
export function createRunButton(value: RunValue, label: string, part?: string): Button[] {
  const packed = packValue(value);
  if (packed.length > slackLimits.buttonValue) return [];
  return [button(actions.runCommand, cleanName(label), packed, {part})];
}

/** Returns a button that posts a text as an update. The command's key prevents a second post. */
export function createTextButton(
  label: string,
  value: {
    readonly key: string;
    readonly text: string;
    readonly team?: string;
    readonly date?: string | undefined;
  },
  part: string | undefined = value.team,
): Button {
  return button(actions.postText, label, value, {part});
}

/** Returns a button that opens the form. `spoken`: the text for screen readers. */
export function formButton(label: string, request: FormRequest, part?: string, spoken?: string): Button {
  return button(actions.openForm, label, packRequest(request), {part, spoken});
}

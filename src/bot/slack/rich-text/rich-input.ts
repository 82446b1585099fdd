import type {RichTextInput} from '@slack/types';
import {fieldValue} from '../blocks/names.js';
import {decodeText} from '../blocks/text.js';
import type {SlackNames} from './names.js';
import {plainOf} from './plain-of.js';
import {richOf} from './show-text.js';

/**
 * An input for what people write, with the formats of Slack's own composer. It begins with no mention or
 * channel: Slack has been seen not to hand in what begins with one (bolt-python issue 1003, bolt-js issue
 * 2266); their names stand there as text.
 */
export function richInput(initial: string): RichTextInput {
  return {
    type: 'rich_text_input',
    action_id: fieldValue,
    ...(initial !== '' && {initial_value: {type: 'rich_text', elements: richOf(initial)}}),
  };
}

/**
 * An input as Slack says that it is, or as it was shown; plain text in a form from before there were such
 * inputs.
 */
export interface InputState {
  readonly value?: string | null;
  readonly rich_text_value?: unknown;
}

export interface ShownInput {
  readonly type?: string;
  readonly initial_value?: unknown;
}

/**
 * Slack has been seen to leave out inputs that nobody touched: then what they were shown with stands (bolt-
 * js issue 1258).
 */
export function readInputText(
  state: InputState | undefined,
  shown: ShownInput | undefined,
  names: SlackNames,
): string {
  if (state !== undefined) return plainOfInput(state.rich_text_value ?? state.value, names);
  return plainOfInput(shown?.initial_value, names);
}

function plainOfInput(given: unknown, names: SlackNames): string {
  if (typeof given === 'string') return decodeText(given);
  const text = plainOf(given ?? [], names);
  return unencoded.test(JSON.stringify(given ?? '')) ? text : decodeText(text);
}

/**
 * Slack encodes these three characters in what is typed into plain inputs. Its reference does not say
 * whether it does in rich ones: where one of them stands as it is, it does not.
 */
const unencoded = /[<>]|&(?!(?:amp|lt|gt);)/;

/** Whether an input for text is handed in as it was shown. */
export function isTextUntouched(
  state: InputState | undefined,
  shown: ShownInput,
  names: SlackNames,
): boolean {
  return readInputText(state ?? {}, undefined, names) === readInputText(undefined, shown, names);
}

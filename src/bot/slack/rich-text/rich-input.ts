import type {RichTextInput} from '@slack/types';
import {fieldValue} from '../blocks/names.js';
import {decodeText} from '../blocks/text.js';
import type {SlackNames} from './names.js';
import {blocksToPlainText} from './plain-of.js';
import {toRichText} from './show-text.js';

/**
 * An input with the formats of Slack's own composer. Its initial text has no mention or channel: Slack has
 * been seen not to submit an input that begins with one (bolt-python issue 1003, bolt-js issue 2266); their
 * names are there as text.
 */
export function richInput(initial: string): RichTextInput {
  return {
    type: 'rich_text_input',
    action_id: fieldValue,
    ...(initial !== '' && {initial_value: {type: 'rich_text', elements: toRichText(initial)}}),
  };
}

/**
 * The state of an input from Slack, or its initial one; plain text in a form from before there were rich
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

/** Slack has been seen to leave out untouched inputs: then the initial text counts (bolt-js issue 1258). */
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
  const text = blocksToPlainText(given ?? [], names);
  return unencoded.test(JSON.stringify(given ?? '')) ? text : decodeText(text);
}

/**
 * Slack encodes these three characters in plain inputs. Its reference does not say whether it does in rich
 * ones: an unencoded one shows that it does not.
 */
const unencoded = /[<>]|&(?!(?:amp|lt|gt);)/;

/** True when a text input has its initial text. */
export function isTextUntouched(
  state: InputState | undefined,
  shown: ShownInput,
  names: SlackNames,
): boolean {
  return readInputText(state ?? {}, undefined, names) === readInputText(undefined, shown, names);
}

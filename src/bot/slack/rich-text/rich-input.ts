import type {RichTextInput} from '@slack/types';
import {fieldValue} from '../blocks/names.js';
import {decodeText} from '../blocks/text.js';
import type {SlackNames} from './names.js';
import {convertBlocksToPlainText} from './to-plain-text.js';
import {toRichText} from './show-text.js';

/** The first text names people: mentions are sometimes not submitted (bolt-python 1003, bolt-js 2266). */
export function createRichInput(initial: string): RichTextInput {
  return {
    type: 'rich_text_input',
    action_id: fieldValue,
    ...(initial !== '' && {initial_value: {type: 'rich_text', elements: toRichText(initial)}}),
  };
}

/** The value of an input from Slack, or its first value. `value`: that of an input of numbers. */
export interface InputState {
  readonly value?: string | null;
  readonly rich_text_value?: unknown;
}

export interface ShownInput {
  readonly type?: string;
  readonly initial_value?: unknown;
}

/** Reads an input. Slack may leave out an untouched one: its first text counts (bolt-js issue 1258). */
export function readInputText(
  state: InputState | undefined,
  shown: ShownInput | undefined,
  names: SlackNames,
): string {
  if (state !== undefined) return convertInputToPlainText(state.rich_text_value ?? state.value, names);
  return convertInputToPlainText(shown?.initial_value, names);
}

function convertInputToPlainText(given: unknown, names: SlackNames): string {
  if (typeof given === 'string') return decodeText(given);
  const text = convertBlocksToPlainText(given ?? [], names);
  return unencoded.test(JSON.stringify(given ?? '')) ? text : decodeText(text);
}

/** Matches a text that is not encoded. Slack encodes plain inputs; for rich ones it does not say so. */
const unencoded = /[<>]|&(?!(?:amp|lt|gt);)/;

/** True if a text input still has its first text. */
export function isTextUntouched(
  state: InputState | undefined,
  shown: ShownInput,
  names: SlackNames,
): boolean {
  return readInputText(state ?? {}, undefined, names) === readInputText(undefined, shown, names);
}

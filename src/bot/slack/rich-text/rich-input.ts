import type {RichTextInput} from '@slack/types';
import {fieldValue} from '../blocks/names.js';
import {decodeText} from '../blocks/text.js';
import type {SlackNames} from './names.js';
import {convertBlocksToPlainText} from './to-plain-text.js';
import {convertBlocksToMarkdown} from './to-markdown.js';
import {renderText} from './show-text.js';
import {parseWritten} from './parse-markdown.js';
import type {TextFormat} from '../../../domain/core/markdown.js';

/** The first text names people: mentions are sometimes not submitted (bolt-python 1003, bolt-js 2266). */
export function createRichInput(initial: string, format?: TextFormat): RichTextInput {
  return {
    type: 'rich_text_input',
    action_id: fieldValue,
    ...(initial !== '' && {
      initial_value: {type: 'rich_text', elements: renderText(parseWritten(initial, format))},
    }),
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
  format?: TextFormat,
): string {
  const given = state === undefined ? shown?.initial_value : (state.rich_text_value ?? state.value);
  return convertInput(given, names, format);
}

function convertInput(given: unknown, names: SlackNames, format?: TextFormat): string {
  if (typeof given === 'string') return decodeText(given);
  const isEncoded = !unencoded.test(JSON.stringify(given ?? ''));
  if (format === 'markdown')
    return convertBlocksToMarkdown((isEncoded ? decodeAll(given) : given) ?? [], names);
  const text = convertBlocksToPlainText(given ?? [], names);
  return isEncoded ? decodeText(text) : text;
}

/** Decodes all texts of a rich text, before its marks are escaped. */
function decodeAll(value: unknown): unknown {
  if (typeof value === 'string') return decodeText(value);
  if (Array.isArray(value)) return value.map(decodeAll);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, decodeAll(member)]));
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

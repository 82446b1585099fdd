import type {RespondArguments} from '@slack/bolt';
import type {
  KnownBlock,
  RichTextBlock,
  RichTextBlockElement,
  RichTextElement,
  RichTextText,
} from '@slack/types';
import {slackLimits} from './names.js';
import {bold, paragraph, richText, textElement} from './shapes.js';
import {makeHeadingsBold, renderText} from '../rich-text/show-text.js';
import {type ParsedText, parseText} from '../rich-text/parse-text.js';
import {findCutPositionBefore, ellipsis, splitText} from '../../texts/cut-text.js';
import {escapeText} from './text.js';
import type {ChatMessage} from '../../showing/chat.js';

/** A message in the form of `chat.postMessage` and `chat.update`, without its channel. */
export interface OutgoingMessage extends ChatMessage {
  /** The text for screen readers and notifications, in place of the blocks. */
  readonly text: string;
  readonly blocks?: KnownBlock[];
}

/** An answer for the person who asked. Slack finds no markup in it, since it may contain people's names. */
export function privateAnswer(text: string): RespondArguments {
  return {...createPrivateMarkupAnswer(escapeText(text)), blocks: [plainTextBlock(text)]};
}

/** A private answer with Slack's markup: only for sentences that contain no text written by a person. */
export function createPrivateMarkupAnswer(markup: string): RespondArguments {
  return {response_type: 'ephemeral', text: markup};
}

interface MessageRoom {
  /** The note at the end of a text that is cut. */
  readonly cutNote?: string;
  /** The other blocks of the message, which leave less room for this text. */
  readonly beside?: readonly KnownBlock[];
}

/** Presents our own text, with names, in elements that Slack does not interpret; cut if too long. */
export function plainTextBlock(text: string, fitted: MessageRoom = {}): RichTextBlock {
  return fitToMessage(text, fitted, (end, note) => {
    const pieces = splitText(text.slice(0, end) + note, slackLimits.element);
    return paragraph(pieces.map((piece) => textElement(piece)));
  });
}

/** Presents a person's text with its formatting, cut if too long. `quote`: with a line on its left. */
export function createFormattedTextBlock(
  written: string | ParsedText,
  {
    heading,
    quote = false,
    ...fitted
  }: {heading?: string; quote?: boolean} & MessageRoom & Required<Pick<MessageRoom, 'cutNote'>>,
): RichTextBlock {
  // Only the beginning is parsed, since a longer text can never fit into a message.
  const parsed =
    typeof written === 'string'
      ? makeHeadingsBold(parseText(written.slice(0, 2 * slackLimits.blockBytes)))
      : written;
  return fitToMessage(parsed.text, fitted, (end, note) => {
    const shown = renderText(parsed, [0, end], {quoted: quote});
    const above = heading === undefined ? [] : [bold(heading)];
    return richText(prependHeading(above, appendNote(shown, note, quote), quote));
  });
}

function fitToMessage(
  text: string,
  {cutNote = ellipsis, beside = []}: MessageRoom,
  show: (end: number, note: string) => RichTextBlock,
): RichTextBlock {
  const room = slackLimits.blockBytes - Buffer.byteLength(JSON.stringify(beside));
  const whole = show(text.length, '');
  if (countBlockBytes(whole) <= room) return whole;
  let [fits, tooLong] = [0, text.length];
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (countBlockBytes(show(middle, cutNote)) <= room) fits = middle;
    else tooLong = middle;
  }
  return show(findCutPositionBefore(text, fits), cutNote);
}

/** Puts our own text above a person's text, in the same paragraph if that begins with a line of text. */
export function prependHeading(
  heading: readonly RichTextElement[],
  shown: readonly RichTextBlockElement[],
  quoted = false,
): RichTextBlockElement[] {
  const [first, ...more] = shown;
  if (heading.length === 0 && first !== undefined) return [...shown];
  const type = quoted && heading.length === 0 ? 'rich_text_quote' : 'rich_text_section';
  if (first?.type !== 'rich_text_section') return [{type, elements: [...heading]}, ...shown];
  return [{...first, elements: [...heading, textElement('\n'), ...first.elements]}, ...more];
}

/** Puts a note of ours after a person's text. */
export function appendNote(
  shown: readonly RichTextBlockElement[],
  note: string,
  quoted = false,
  style?: RichTextText['style'],
): RichTextBlockElement[] {
  if (note === '') return [...shown];
  const element = textElement(note, style);
  const type = quoted ? 'rich_text_quote' : 'rich_text_section';
  const last = shown.at(-1);
  if (last?.type !== type) return [...shown, {type, elements: [element]}];
  return [...shown.slice(0, -1), {...last, elements: [...last.elements, element]}];
}

function countBlockBytes(block: RichTextBlock): number {
  return Buffer.byteLength(JSON.stringify([block]));
}

/**
 * Returns a translated sentence as rich text. `say` gets a function that turns an element into a gap, so that
 * a person's text can only become a `text` element.
 */
export function richTextSentence(
  say: (gap: (element: RichTextElement) => string) => string,
  style?: RichTextText['style'],
): RichTextElement[] {
  const gaps: RichTextElement[] = [];
  const sentence = say((element) => `${gapMark}${gaps.push(element) - 1}${gapMark}`);
  return sentence.split(gapMark).flatMap((piece, i): RichTextElement[] => {
    if (i % 2 === 1) return [gaps[Number(piece)] ?? textElement('?')];
    return piece === '' ? [] : [textElement(piece, style)];
  });
}

/** The placeholder for a gap: a Unicode noncharacter, which no translation and no received text uses. */
const gapMark = '\ufdd0';

export function readBlocks(message: RespondArguments): KnownBlock[] | undefined {
  return 'blocks' in message ? (message.blocks as KnownBlock[] | undefined) : undefined;
}

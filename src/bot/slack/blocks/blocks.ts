import type {RespondArguments} from '@slack/bolt';
import type {
  KnownBlock,
  RichTextBlock,
  RichTextBlockElement,
  RichTextElement,
  RichTextText,
} from '@slack/types';
import {isolateDirection, isolateName} from '../../texts/bidi.js';
import type {Texts} from '../../texts/translation.js';
import {slackLimits} from './names.js';
import type {SlackTranslation} from './slack-translation.js';
import {bold, channelMention, paragraph, richText, textElement, userMention} from './shapes.js';
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

/** A private answer: our sentence, the person's text below it if there is any, and rows of buttons. */
export function presentAnswer(
  {cutNote}: Texts,
  sentence: string,
  quote: string,
  ...rows: KnownBlock[]
): RespondArguments {
  const heading = plainTextBlock(sentence);
  const fitted = {quote: true, cutNote, beside: [heading, ...rows]};
  const quoted = quote.trim() === '' ? [] : [createFormattedTextBlock(quote, fitted)];
  return {
    ...privateAnswer(`${sentence} ${isolateDirection(quote)}`.trim()),
    blocks: [heading, ...quoted, ...rows],
  };
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

/** Returns a translated sentence with elements in its gaps: a person's text stays a `text` element. */
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

/** A sentence of ours with gaps: as rich text elements, and as escaped text for screen readers. */
export interface FormattedText {
  readonly elements: readonly RichTextElement[];
  readonly text: string;
}

/** Functions that fill the gaps of a sentence: a person's or team's name, a Slack id, or a time (ms). */
export interface Gaps {
  readonly name: (name: string) => string;
  readonly user: (id: string) => string;
  readonly channel: (id: string) => string;
  readonly at: (ms: number) => string;
}

export function formatSentence(
  {richInstant, instant}: SlackTranslation,
  say: (gaps: Gaps) => string,
  style?: RichTextText['style'],
): FormattedText {
  const elements = richTextSentence(
    (gap) =>
      say({
        name: (name) => gap(textElement(isolateName(name))),
        user: (id) => gap(userMention(id)),
        channel: (id) => gap(channelMention(id)),
        at: (ms) => gap(richInstant(ms)),
      }),
    style,
  );
  const text = say({
    name: (name) => escapeText(isolateName(name)),
    user: (id) => `<@${id}>`,
    channel: (id) => `<#${id}>`,
    at: instant,
  });
  return {elements, text};
}

/** The placeholder for a gap: a Unicode noncharacter, which no translation and no received text uses. */
const gapMark = '\ufdd0';

export function readBlocks(message: RespondArguments): KnownBlock[] | undefined {
  return 'blocks' in message ? (message.blocks as KnownBlock[] | undefined) : undefined;
}

import type {RespondArguments} from '@slack/bolt';
import type {KnownBlock, RichTextBlock, RichTextElement, RichTextSection, RichTextText} from '@slack/types';
import {slackLimits} from './names.js';
import {boundaryBefore, escapeText, splitText} from './text.js';
import {readerOf} from './words/words.js';

/** An answer that only the person who asked can see. Slack interprets nothing of it: a refusal may name people and teams. */
export function privately(text: string): RespondArguments {
  return {...privatelyMarked(escapeText(text)), blocks: [plainText(text)]};
}

/** The same with Slack's own marks: only for sentences in which nothing stands that a person wrote. */
export function privatelyMarked(markup: string): RespondArguments {
  return {response_type: 'ephemeral', text: markup};
}

/**
 * Text exactly as given, in elements that Slack does not interpret; cut where the blocks of one message would be too big, and then it ends
 * with `cutNote`. `beside`: the other blocks of the message.
 */
export function plainText(
  text: string,
  {
    cutNote = readerOf().words.cutNote,
    beside = [],
    ...options
  }: {heading?: string; quote?: boolean; cutNote?: string; beside?: readonly KnownBlock[]} = {},
): RichTextBlock {
  const room = slackLimits.blockBytes - Buffer.byteLength(JSON.stringify(beside));
  const whole = toBlock(text, options);
  if (blockBytes(whole) <= room) return whole;
  let [fits, tooLong] = [0, text.length];
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (blockBytes(toBlock(text.slice(0, middle) + cutNote, options)) <= room) fits = middle;
    else tooLong = middle;
  }
  return toBlock(text.slice(0, boundaryBefore(text, fits)) + cutNote, options);
}

function toBlock(text: string, {heading, quote}: {heading?: string; quote?: boolean}): RichTextBlock {
  const elements: RichTextSection['elements'] = splitText(text, slackLimits.element).map((piece) => ({
    type: 'text',
    text: piece,
  }));
  if (heading !== undefined) {
    elements.unshift({type: 'text', text: heading, style: {bold: true}}, {type: 'text', text: '\n'});
  }
  const type = quote ? 'rich_text_quote' : 'rich_text_section';
  return {type: 'rich_text', elements: [{type, elements}]};
}

function blockBytes(block: RichTextBlock): number {
  return Buffer.byteLength(JSON.stringify([block]));
}

/**
 * A sentence of the catalogue in rich text, its gaps being elements of their own: `say` gets a function that turns an element into what to
 * put into the gap. No text of a person need be part of the sentence, so none can end up as something else than a `text` element.
 */
export function richSentence(
  say: (gap: (element: RichTextElement) => string) => string,
  style?: RichTextText['style'],
): RichTextElement[] {
  const gaps: RichTextElement[] = [];
  const sentence = say((element) => `${gapMark}${gaps.push(element) - 1}${gapMark}`);
  return sentence.split(gapMark).flatMap((piece, i): RichTextElement[] => {
    if (i % 2 === 1) return [gaps[Number(piece)] ?? {type: 'text', text: '?'}];
    return piece === '' ? [] : [{type: 'text', text: piece, ...(style !== undefined && {style})}];
  });
}

/** A noncharacter: no text that we are sent may contain it as anything but itself, and no catalogue does. */
const gapMark = '\ufdd0';

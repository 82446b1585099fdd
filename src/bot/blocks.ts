import type {RespondArguments} from '@slack/bolt';
import type {RichTextBlock, RichTextSection} from '@slack/types';
import {slackLimits} from './names.js';
import {splitText} from './text.js';

/** An answer that only the person who asked can see. */
export function privately(text: string): RespondArguments {
  return {response_type: 'ephemeral', text};
}

const cutNote = '… (too long to be shown whole here)';

/** Text exactly as given, in elements that Slack does not interpret; cut where the blocks of one message would be too big. */
export function plainText(text: string, options: {heading?: string; quote?: boolean} = {}): RichTextBlock {
  const whole = toBlock(text, options);
  if (blockBytes(whole) <= slackLimits.blockBytes) return whole;
  let [fits, tooLong] = [0, text.length];
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (blockBytes(toBlock(atCharacter(text, middle) + cutNote, options)) <= slackLimits.blockBytes)
      fits = middle;
    else tooLong = middle;
  }
  return toBlock(atCharacter(text, fits) + cutNote, options);
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

function atCharacter(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

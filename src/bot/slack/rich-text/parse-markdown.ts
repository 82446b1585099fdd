import type {RichTextElement} from '@slack/types';
import {
  type MarkdownBlock,
  type MarkdownRun,
  parseMarkdown,
  type TextFormat,
} from '../../../domain/core/markdown.js';
import {standupText} from '../../../domain/questions/answers.js';
import type {Standup} from '../../../domain/standups/standup.js';
import type {Mentions} from './mentions.js';
import {makeHeadingsBold} from './show-text.js';
import {findEmojis, type SpecialRoom} from './parse-inline.js';
import {
  indentation,
  mostItems,
  mostSpecials,
  type ParsedText,
  parseText,
  type RunBlock,
  type TextRun,
} from './parse-text.js';

/** The largest number of an item that Slack shows. */
const largestNumber = 999_999;

/** Parses the whole text of a standup. */
export function parseStandup(
  standup: Pick<Standup, 'update' | 'format'> & {readonly answers?: Standup['answers'] | undefined},
  mentions?: Mentions,
): ParsedText {
  const {update, answers = [], format} = standup;
  return parseWritten(standupText({update, answers, format}), format, mentions);
}

export function parseWithHeadings(standup: Standup): ParsedText {
  return makeHeadingsBold(parseStandup(standup));
}

/** Parses a text by its format. Mentions in Markdown are not names in the text, so none are looked up. */
export function parseWritten(text: string, format?: TextFormat, mentions?: Mentions): ParsedText {
  return format === 'markdown' ? parseFormatted(text) : parseText(text, mentions);
}

function parseFormatted(text: string): ParsedText {
  const room: SpecialRoom = {left: mostSpecials};
  const findBlock = createBlockMapping();
  const runs: TextRun[] = [];
  for (const run of parseMarkdown(text)) {
    const block = findBlock(run.block);
    const {from, to, shown, plain = ''} = run;
    const isMarker = run.block.in === 'item' && /^(?:-|\d+\.) ?$/.test(plain);
    if (shown === undefined) {
      const mark = {from, to, block, spoken: plain};
      if (isMarker && block.in !== 'item') runs.push({...mark, element: {type: 'text', text: plain}});
      else
        runs.push({
          ...mark,
          inline: isMarker ? formatMarker(run.block) : plain.replace(/(^|\n)[ \t]+$/, '$1'),
        });
    } else if (run.url === undefined && run.plain === undefined && !run.styles?.code && block.in !== 'code')
      runs.push(...splitShown(run, shown, block, room));
    else runs.push({from, to, block, element: createElement(run, shown, room), spoken: run.plain ?? shown});
  }
  return {text, runs};
}

function formatMarker(block: MarkdownBlock): string {
  if (block.in !== 'item') return '';
  return `${' '.repeat(block.indent * indentation)}${block.style === 'bullet' ? '•' : `${block.number}.`} `;
}

/**
 * Converts blocks to those of Slack, one for pieces that follow one another. An item beyond Slack's limits is a
 * text.
 */
function createBlockMapping(): (block: MarkdownBlock) => RunBlock {
  let last: {readonly block: MarkdownBlock; readonly shown: RunBlock} | undefined;
  let items = 0;
  const convert = (block: MarkdownBlock): RunBlock => {
    const quoted = block.quoted ? {quoted: true as const} : {};
    if (block.in === 'code') return {in: 'code', ...quoted};
    if (block.in !== 'item') return {in: block.quoted ? 'quote' : 'section'};
    items++;
    const {style, indent, number, from} = block;
    if (items > mostItems || number < 1 || number > largestNumber)
      return {in: block.quoted ? 'quote' : 'section'};
    return {in: 'item', style, indent: Math.min(8, indent), number, from, ...quoted};
  };
  return (block) => {
    if (last?.block !== block) last = {block, shown: convert(block)};
    return last.shown;
  };
}

/** Splits a text at its line ends, where headings are looked for, and at its emoji. */
function* splitShown(
  run: MarkdownRun,
  shown: string,
  block: RunBlock,
  room: SpecialRoom,
): Generator<TextRun> {
  const typed = run.to - run.from === shown.length;
  const pieces = typed ? shown.split(/(?<=\n)|(?=\n)/) : [shown];
  let from = run.from;
  for (const piece of pieces) {
    let at = 0;
    const emojis = typed && room.left > 0 ? findEmojis(piece) : [];
    const add = (until: number, element: RichTextElement): TextRun => {
      const spoken = piece.slice(at, until);
      const part = {from: from + at, to: typed ? from + until : run.to, block, element, spoken};
      at = until;
      return part;
    };
    const text = (until: number) => createElement(run, piece.slice(at, until), room);
    for (const emoji of emojis) {
      if (emoji.from > at) yield add(emoji.from, text(emoji.from));
      room.left--;
      yield add(emoji.to, {...emoji.element, ...(run.styles !== undefined && {style: run.styles})});
    }
    if (at < piece.length) yield add(piece.length, text(piece.length));
    from += piece.length;
  }
}

/** Creates the element of a piece. A link stays one also where there is no room for more styles. */
function createElement({url, styles, block}: MarkdownRun, shown: string, room: SpecialRoom): RichTextElement {
  const isStyled = styles !== undefined && block.in !== 'code' && room.left > 0;
  const style = isStyled ? {style: styles} : {};
  if (isStyled) room.left--;
  if (url === undefined) return {type: 'text', text: shown, ...style};
  if (url !== shown) return {type: 'link', url, text: shown, ...style};
  if (room.left <= 0) return {type: 'text', text: shown};
  room.left--;
  return {type: 'link', url, ...style};
}

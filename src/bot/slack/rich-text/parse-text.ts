// Converts texts between Slack's rich text and plain text, which the store and the API use.
import type {RichTextElement} from '@slack/types';
import {parseInline, type SpecialRoom} from './parse-inline.js';
import type {Mentions} from './mentions.js';

/** The block (quote, code or list item) of a piece of text. All pieces of a block share one object. */
export type RunBlock =
  | {readonly in: 'section' | 'quote'}
  | {readonly in: 'code'; readonly quoted?: true}
  | {
      readonly in: 'item';
      readonly quoted?: true;
      readonly style: 'bullet' | 'ordered';
      readonly indent: number;
      readonly number: number;
      /** The position at which the item's line begins. */
      readonly from: number;
    };

/** A piece of a text and the element that shows it. The pieces follow one another and cover the text. */
export interface TextRun {
  readonly from: number;
  readonly to: number;
  readonly block: RunBlock;
  /** The element; undefined for a formatting mark, which is not shown. */
  readonly element?: RichTextElement;
  /** The text that stands for a formatting mark when everything is shown in one line. */
  readonly inline?: string;
  /** The plain text, in Markdown. In a plain text it is the text itself. */
  readonly spoken?: string;
}

export interface ParsedText {
  readonly text: string;
  readonly runs: readonly TextRun[];
}

/** The maximum number of elements other than text. After that, the text is shown as typed. */
export const mostSpecials = 300;
export const mostItems = 150;

const deepest = 8;
export const indentation = 4;

const section = {in: 'section'} as const;
const fence = '```';

/** Parses a text into elements, in time linear in its length. */
export function parseText(text: string, mentions?: Mentions): ParsedText {
  const runs: TextRun[] = [];
  const room: SpecialRoom = {left: mostSpecials};
  const lines = splitLines(text);
  let items = 0;
  /** The first line at which a block of code may begin. */
  let codeFrom = 0;

  function addInlineRuns(from: number, to: number, block: RunBlock): void {
    for (const run of parseInline(text.slice(from, to), room, mentions))
      runs.push({
        from: from + run.from,
        to: from + run.to,
        block,
        ...(run.element && {element: run.element}),
      });
  }

  for (let i = 0; i < lines.length; ) {
    const line = lines[i];
    if (line === undefined) break;
    const code = i < codeFrom ? undefined : findCodeBlock(text, lines, i);
    if (code !== undefined) codeFrom = code.last + 1;
    if (code?.from !== undefined) {
      const block = {in: 'code'} as const;
      const {from, to, last} = code;
      const end = lines[last]?.end ?? to;
      runs.push({from: line.from, to: from, block, inline: ''});
      runs.push({from, to, block, element: {type: 'text', text: text.slice(from, to)}});
      runs.push({from: to, to: end, block, inline: text[end - 1] === '\n' ? '\n' : ''});
      i = last + 1;
      continue;
    }
    const quoted = countQuotedLines(text, lines, i);
    if (quoted > 0) {
      const block = {in: 'quote'} as const;
      for (const [n, {from, to, end}] of lines.slice(i, i + quoted).entries()) {
        const begins = Math.min(from + 2, to);
        runs.push({from, to: begins, block, inline: '> '});
        addInlineRuns(begins, to, block);
        const within = n < quoted - 1;
        if (end > to && within) runs.push({from: to, to: end, block, element: {type: 'text', text: '\n'}});
        else if (end > to) runs.push({from: to, to: end, block, inline: '\n'});
      }
      i += quoted;
      continue;
    }
    const listed = items < mostItems ? findListItems(text, lines, i, mostItems - items) : [];
    for (const [n, item] of listed.entries()) {
      const {from, to, end} = lines[i + n] ?? line;
      const {content, ...at} = item;
      const block = {in: 'item', ...at, from} as const;
      runs.push({from, to: content, block, inline: formatListMarker(block)});
      addInlineRuns(content, to, block);
      if (end > to) runs.push({from: to, to: end, block, inline: '\n'});
    }
    items += listed.length;
    i += listed.length;
    if (listed.length > 0) continue;
    addInlineRuns(line.from, line.to, section);
    if (line.end > line.to)
      runs.push({from: line.to, to: line.end, block: section, element: {type: 'text', text: '\n'}});
    i++;
  }
  return {text, runs};
}

/** Returns the beginning of a list item in plain text, such as `- `. */
export function formatListMarker({
  style,
  indent,
  number,
}: {
  style: 'bullet' | 'ordered';
  indent: number;
  number: number;
}) {
  return `${' '.repeat(indent * indentation)}${style === 'bullet' ? '•' : `${number}.`} `;
}

interface TextLine {
  readonly from: number;
  /** The end of the line's text, and the position at which the next line begins. */
  readonly to: number;
  readonly end: number;
}

function splitLines(text: string): TextLine[] {
  const lines: TextLine[] = [];
  for (let from = 0; from < text.length; ) {
    const at = text.indexOf('\n', from);
    const [to, end] = at < 0 ? [text.length, text.length] : [at, at + 1];
    lines.push({from, to, end});
    from = end;
  }
  return lines;
}

/** Finds code between three backticks that begin and end a line; else they are text up to line `last`. */
function findCodeBlock(
  text: string,
  lines: readonly TextLine[],
  first: number,
): {from: number; to: number; last: number} | {from?: undefined; last: number} | undefined {
  const line = lines[first];
  if (line === undefined || !text.startsWith(fence, line.from)) return undefined;
  const begun = line.from + fence.length;
  const closing = text.indexOf(fence, begun);
  if (closing < 0) return {last: lines.length};
  let last = first;
  while (closing >= (lines[last]?.end ?? Infinity)) last++;
  if (lines[last]?.to !== closing + fence.length) return {last};
  // A line break directly inside the backticks is not part of the code.
  const from = text[begun] === '\n' ? begun + 1 : begun;
  const to = closing > from && text[closing - 1] === '\n' ? closing - 1 : closing;
  return text.slice(from, to).trim() === '' ? {last} : {from, to, last};
}

/** Counts the lines of a quote from this line on. Each begins with `> `; lines between may be `>` alone. */
function countQuotedLines(text: string, lines: readonly TextLine[], first: number): number {
  let count = 0;
  for (let i = first; i < lines.length; i++) {
    const {from, to} = lines[i] ?? {from: 0, to: 0};
    if (text[from] !== '>') break;
    const says = text[from + 1] === ' ' && text.slice(from + 2, to).trim() !== '';
    if (says) count = i - first + 1;
    else if (count === 0 || to !== from + 1) break;
  }
  return count;
}

interface ListItem {
  readonly style: 'bullet' | 'ordered';
  readonly indent: number;
  readonly number: number;
  readonly content: number;
}

const marker = /([ \t]{0,40})(?:[•◦▪*-]|(\d{1,6})\.) (?=\S)/y;

/** Finds the items of a list from this line on. A level is four spaces if all are multiples, else two. */
function findListItems(text: string, lines: readonly TextLine[], first: number, most: number): ListItem[] {
  const found: {spaces: number; number: number | undefined; content: number}[] = [];
  for (let i = first; i < lines.length && found.length < most; i++) {
    const {from, to} = lines[i] ?? {from: 0, to: 0};
    marker.lastIndex = from;
    const [whole, before = '', number] = marker.exec(text) ?? [];
    if (whole === undefined || from + whole.length >= to) break;
    found.push({
      spaces: before.replaceAll('\t', '    ').length,
      number: number === undefined || number.startsWith('0') ? undefined : Number(number),
      content: from + whole.length,
    });
    // A list in Slack cannot have a number with a leading zero.
    if (number?.startsWith('0')) {
      found.pop();
      break;
    }
  }
  const unit = found.every(({spaces}) => spaces % indentation === 0) ? indentation : 2;
  return found.map(({spaces, number, content}) => ({
    style: number === undefined ? ('bullet' as const) : ('ordered' as const),
    indent: Math.min(deepest, Math.floor(spaces / unit)),
    number: number ?? 0,
    content,
  }));
}

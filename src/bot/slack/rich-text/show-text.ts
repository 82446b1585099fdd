import type {
  RichTextBlockElement,
  RichTextElement,
  RichTextList,
  RichTextPreformatted,
  RichTextSection,
  RichTextText,
} from '@slack/types';
import {slackLimits} from '../blocks/names.js';
import {findCutPositionBefore, splitText} from '../../texts/cut-text.js';
import type {Mentions} from './mentions.js';
import {type ParsedText, parseText, type TextRun, type RunBlock} from './parse-text.js';
import {formHeadings} from '../blocks/text.js';

/** A numbered list that leaves out `offset` items: a field in Slack's documentation, not in its types. */
export type NumberedList = RichTextList & {readonly offset?: number};

export function toRichText(text: string, mentions?: Mentions): RichTextBlockElement[] {
  return renderText(parseText(text, mentions));
}

/** Converts a text to elements in a single line, where no list or quote is possible. */
export function toInlineElements(text: string, mentions?: Mentions): RichTextElement[] {
  return renderInlineElements(parseText(text, mentions));
}

/** Renders a part as in the whole: half an address is never a link. `quoted`: with a line on its left. */
export function renderText(
  parsed: ParsedText,
  [from, to]: readonly [number, number] = [0, parsed.text.length],
  {quoted = false}: {quoted?: boolean} = {},
): RichTextBlockElement[] {
  const shown: RichTextBlockElement[] = [];
  let group: {block: RunBlock; elements: RichTextElement[]} | undefined;
  let list: {last: RunBlock & {in: 'item'}; shown: RichTextList} | undefined;

  function closeBlock(): void {
    if (group === undefined) return;
    const {block, elements: given} = group;
    group = undefined;
    const border = quoted || ('quoted' in block && block.quoted) ? {border: 1 as const} : {};
    const elements = mergeSameStyle(given);
    if (elements.length === 0) return;
    if (block.in !== 'item') list = undefined;
    if (block.in === 'code') {
      const code: RichTextPreformatted = {
        type: 'rich_text_preformatted',
        elements: elements as RichTextText[],
        ...border,
      };
      shown.push(code);
    } else if (block.in !== 'item') {
      const isQuote = block.in === 'quote' || quoted;
      shown.push({type: isQuote ? 'rich_text_quote' : 'rich_text_section', elements});
    } else {
      const item: RichTextSection = {type: 'rich_text_section', elements};
      if (list !== undefined && continuesList(list.last, block)) list.shown.elements.push(item);
      else {
        const {style, indent, number} = block;
        const begun: NumberedList = {
          type: 'rich_text_list',
          style,
          indent,
          elements: [item],
          ...(style === 'ordered' && number !== 1 && {offset: number - 1}),
          ...border,
        };
        shown.push(begun);
        list = {last: block, shown: begun};
      }
      list.last = block;
    }
  }

  for (const run of listRunsWithin(parsed, from, to)) {
    // An item that continues from the message before does not get a number or bullet again.
    const isRest = run.block.in === 'item' && run.block.from < from;
    const block = isRest ? rest : run.block;
    const isSame =
      group !== undefined &&
      (group.block === block || (group.block.in === 'section' && block.in === 'section'));
    if (!isSame) {
      closeBlock();
      group = {block, elements: []};
    }
    const element = clipTextElement(parsed, run, from, to);
    if (element !== undefined) group?.elements.push(element);
  }
  closeBlock();
  return shown;
}

const rest: RunBlock = {in: 'section'};

export function renderInlineElements(
  parsed: ParsedText,
  [from, to]: readonly [number, number] = [0, parsed.text.length],
): RichTextElement[] {
  const elements: RichTextElement[] = [];
  for (const run of listRunsWithin(parsed, from, to)) {
    const element = clipTextElement(parsed, run, from, to);
    if (element === undefined) {
      if (run.inline !== undefined && run.inline !== '' && run.from >= from)
        elements.push({type: 'text', text: run.inline});
    } else if (run.block.in === 'code' && element.type === 'text')
      elements.push({...element, style: {code: true}});
    else elements.push(element);
  }
  return mergeSameStyle(elements);
}

function* listRunsWithin({runs}: ParsedText, from: number, to: number): Generator<TextRun> {
  let [low, high] = [0, runs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((runs[middle]?.to ?? 0) <= from) low = middle + 1;
    else high = middle;
  }
  for (let i = low; i < runs.length; i++) {
    const run = runs[i];
    if (run === undefined || run.from >= to) return;
    yield run;
  }
}

/** Cuts a piece to a range. A link or another element only partly in it becomes text of the same style. */
function clipTextElement(
  {text}: ParsedText,
  run: TextRun,
  from: number,
  to: number,
): RichTextElement | undefined {
  const {element} = run;
  if (element === undefined || (run.from >= from && run.to <= to)) return element;
  const [start, end] = [Math.max(run.from, from), Math.min(run.to, to)];
  return {
    type: 'text',
    text: text.slice(start, end),
    ...(element.style !== undefined && {style: element.style}),
  };
}

function continuesList(
  last: RunBlock & {in: 'item'},
  {style, indent, number, quoted}: RunBlock & {in: 'item'},
): boolean {
  const isSame = last.style === style && last.indent === indent && last.quoted === quoted;
  return isSame && (style === 'bullet' || number === last.number + 1);
}

/** Merges texts of the same style, up to the length that Slack takes. */
function mergeSameStyle(elements: readonly RichTextElement[]): RichTextElement[] {
  const joined: RichTextElement[] = [];
  let [text, style]: [string, RichTextText['style'] | undefined] = ['', undefined];
  const flush = () => {
    for (const piece of splitText(text, slackLimits.element))
      joined.push({type: 'text', text: piece, ...(style !== undefined && {style})});
    [text, style] = ['', undefined];
  };
  for (const element of elements) {
    if (element.type !== 'text') {
      flush();
      joined.push(element);
      continue;
    }
    if (JSON.stringify(style) !== JSON.stringify(element.style)) flush();
    text += element.text;
    style = element.style;
  }
  flush();
  return joined;
}

/** Parses a text if needed, and then shortens it to `max` UTF-16 units. The rest keeps its formatting. */
export function parseAndCutText(written: string | ParsedText, max: number, mark = '…'): ParsedText {
  const parsed = typeof written === 'string' ? parseText(written) : written;
  const {text} = parsed;
  if (text.length <= max) return parsed;
  const to = findCutPositionBefore(text, Math.max(0, max - mark.length));
  const runs: TextRun[] = [];
  for (const run of listRunsWithin(parsed, 0, to)) {
    const element = clipTextElement(parsed, run, 0, to);
    runs.push({...run, to: Math.min(run.to, to), ...(element !== undefined && {element})});
  }
  const block = runs.at(-1)?.block ?? rest;
  runs.push({from: to, to: to + mark.length, block, element: {type: 'text', text: mark}});
  return {text: text.slice(0, to) + mark, runs};
}

/** Returns the plain text of a part, for screen readers and notifications. */
export function speakText(
  parsed: ParsedText,
  [from, to]: readonly [number, number] = [0, parsed.text.length],
): string {
  const spoken = [...listRunsWithin(parsed, from, to)].map((run) => {
    const isWhole = run.from >= from && run.to <= to;
    return (
      (isWhole ? run.spoken : undefined) ?? parsed.text.slice(Math.max(run.from, from), Math.min(run.to, to))
    );
  });
  return spoken.join('');
}

export function joinTexts(texts: readonly ParsedText[], separator: string): ParsedText {
  let text = '';
  const runs: TextRun[] = [];
  for (const [i, one] of texts.entries()) {
    if (i > 0) {
      const from = text.length;
      text += separator;
      runs.push({from, to: text.length, block: rest, element: {type: 'text', text: separator}});
    }
    const by = text.length;
    for (const run of one.runs)
      runs.push({...run, from: run.from + by, to: run.to + by, block: shiftBlock(run.block, by)});
    text += one.text;
  }
  return {text, runs};
}

function shiftBlock(block: RunBlock, by: number): RunBlock {
  return block.in === 'item' ? {...block, from: block.from + by} : block;
}

/**
 * Shows a standup's headings in bold: lines that equal a label, at the beginning or after an empty line, with
 * text below. Not for forms, in which the marks would become text.
 */
export function makeHeadingsBold(parsed: ParsedText, labels: readonly string[] = []): ParsedText {
  const {text, runs} = parsed;
  const all = new Set<string>([...Object.values(formHeadings), ...labels]);
  const isHeading = (from: number, to: number) =>
    (from === 0 || text.slice(from - 2, from) === '\n\n') &&
    text[to] === '\n' &&
    all.has(text.slice(from, to));
  return {
    text,
    runs: runs.map((run) => {
      const {from, to, block, element} = run;
      if (block.in !== 'section' || element?.type !== 'text' || !isHeading(from, to)) return run;
      return {...run, element: {...element, style: {...element.style, bold: true}}};
    }),
  };
}

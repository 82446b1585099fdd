import type {
  RichTextBlockElement,
  RichTextElement,
  RichTextList,
  RichTextPreformatted,
  RichTextSection,
  RichTextText,
} from '@slack/types';
import {slackLimits} from '../blocks/names.js';
import {boundaryBefore, splitText} from '../../words/cut-text.js';
import type {Mentions} from './mentions.js';
import {type ParsedText, parseText, type Run, type RunPlace} from './parse-text.js';

/** Slack's reference has it, its types do not: how many numbers a list leaves out at its beginning. */
export type NumberedList = RichTextList & {readonly offset?: number};

/** A text in Slack's rich text. */
export function richOf(text: string, mentions?: Mentions): RichTextBlockElement[] {
  return showText(parseText(text, mentions));
}

/** A text in one line of flowing elements, where no list or quote is possible. */
export function flowOf(text: string, mentions?: Mentions): RichTextElement[] {
  return showFlow(parseText(text, mentions));
}

/**
 * A stretch of a text: each part keeps its meaning from the whole, so that no code becomes a link and no half
 * of an address one to somewhere else. `quoted`: with a line beside it.
 */
export function showText(
  parsed: ParsedText,
  [from, to]: readonly [number, number] = [0, parsed.text.length],
  {quoted = false}: {quoted?: boolean} = {},
): RichTextBlockElement[] {
  const shown: RichTextBlockElement[] = [];
  const border = quoted ? {border: 1 as const} : {};
  let group: {place: RunPlace; elements: RichTextElement[]} | undefined;
  let list: {last: RunPlace & {in: 'item'}; shown: RichTextList} | undefined;

  function close(): void {
    if (group === undefined) return;
    const {place, elements: given} = group;
    group = undefined;
    const elements = merged(given);
    if (elements.length === 0) return;
    if (place.in !== 'item') list = undefined;
    if (place.in === 'code') {
      const code: RichTextPreformatted = {
        type: 'rich_text_preformatted',
        elements: elements as RichTextText[],
        ...border,
      };
      shown.push(code);
    } else if (place.in !== 'item') {
      const isQuote = place.in === 'quote' || quoted;
      shown.push({type: isQuote ? 'rich_text_quote' : 'rich_text_section', elements});
    } else {
      const item: RichTextSection = {type: 'rich_text_section', elements};
      if (list !== undefined && goesOn(list.last, place)) list.shown.elements.push(item);
      else {
        const {style, indent, number} = place;
        const begun: NumberedList = {
          type: 'rich_text_list',
          style,
          indent,
          elements: [item],
          ...(style === 'ordered' && number !== 1 && {offset: number - 1}),
          ...border,
        };
        shown.push(begun);
        list = {last: place, shown: begun};
      }
      list.last = place;
    }
  }

  for (const run of runsWithin(parsed, from, to)) {
    // An item continued from the message before is not a new one.
    const isRest = run.place.in === 'item' && run.place.from < from;
    const place = isRest ? rest : run.place;
    const isSame =
      group !== undefined &&
      (group.place === place || (group.place.in === 'section' && place.in === 'section'));
    if (!isSame) {
      close();
      group = {place, elements: []};
    }
    const element = clipped(parsed, run, from, to);
    if (element !== undefined) group?.elements.push(element);
  }
  close();
  return shown;
}

const rest: RunPlace = {in: 'section'};

/** As `showText`, in flowing text. */
export function showFlow(
  parsed: ParsedText,
  [from, to]: readonly [number, number] = [0, parsed.text.length],
): RichTextElement[] {
  const elements: RichTextElement[] = [];
  for (const run of runsWithin(parsed, from, to)) {
    const element = clipped(parsed, run, from, to);
    if (element === undefined) {
      if (run.inline !== undefined && run.inline !== '' && run.from >= from)
        elements.push({type: 'text', text: run.inline});
    } else if (run.place.in === 'code' && element.type === 'text')
      elements.push({...element, style: {code: true}});
    else elements.push(element);
  }
  return merged(elements);
}

function* runsWithin({runs}: ParsedText, from: number, to: number): Generator<Run> {
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

/** A run within a stretch; one that is cut through is text. */
function clipped({text}: ParsedText, run: Run, from: number, to: number): RichTextElement | undefined {
  const {element} = run;
  if (element === undefined || (run.from >= from && run.to <= to)) return element;
  const [start, end] = [Math.max(run.from, from), Math.min(run.to, to)];
  return {
    type: 'text',
    text: text.slice(start, end),
    ...(element.style !== undefined && {style: element.style}),
  };
}

/** True for an item that follows another in the same list. */
function goesOn(last: RunPlace & {in: 'item'}, {style, indent, number}: RunPlace & {in: 'item'}): boolean {
  const isSame = last.style === style && last.indent === indent;
  return isSame && (style === 'bullet' || number === last.number + 1);
}

/** Merges texts of one style, none longer than Slack takes. */
function merged(elements: readonly RichTextElement[]): RichTextElement[] {
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

/** Cuts a text to at most `max` units, with an ellipsis; the rest keeps its meaning from the whole. */
export function parseCut(text: string, max: number, mark = '…'): ParsedText {
  const parsed = parseText(text);
  if (text.length <= max) return parsed;
  const to = boundaryBefore(text, Math.max(0, max - mark.length));
  const runs: Run[] = [];
  for (const run of runsWithin(parsed, 0, to)) {
    const element = clipped(parsed, run, 0, to);
    runs.push({...run, to: Math.min(run.to, to), ...(element !== undefined && {element})});
  }
  const place = runs.at(-1)?.place ?? rest;
  runs.push({from: to, to: to + mark.length, place, element: {type: 'text', text: mark}});
  return {text: text.slice(0, to) + mark, runs};
}

/** Joins several texts with a separator; each keeps its own meaning. */
export function joinTexts(texts: readonly ParsedText[], separator: string): ParsedText {
  let text = '';
  const runs: Run[] = [];
  for (const [i, one] of texts.entries()) {
    if (i > 0) {
      const from = text.length;
      text += separator;
      runs.push({from, to: text.length, place: rest, element: {type: 'text', text: separator}});
    }
    const by = text.length;
    for (const run of one.runs)
      runs.push({...run, from: run.from + by, to: run.to + by, place: moved(run.place, by)});
    text += one.text;
  }
  return {text, runs};
}

function moved(place: RunPlace, by: number): RunPlace {
  return place.in === 'item' ? {...place, from: place.from + by} : place;
}

// Writes Slack's rich text as Markdown, for formatted standups that people edit in a form.
import {escapeMarkdown} from '../../../domain/core/escape-markdown.js';
import {isSafeAddress} from '../../../domain/core/links.js';
import {parseMarkdown} from '../../../domain/core/markdown.js';
import type {SlackNames} from './names.js';
import {toRichText} from './show-text.js';
import {
  convertBlocksToPlainText,
  convertElement,
  convertInlineText,
  listObjects,
  noNames,
  type RichTextNode,
} from './to-plain-text.js';

/** Converts a rich text to Markdown that is shown with the same words; without styles if need be. */
export function convertBlocksToMarkdown(blocks: unknown, names: SlackNames): string {
  const nodes = listObjects(Array.isArray(blocks) ? blocks : [blocks]);
  const parts = nodes.flatMap(({elements}) => listObjects(elements));
  const markdown = joinBlocks(parts, names);
  if (listWords(parts, names) === listShownWords(markdown)) return markdown;
  return escapeMarkdown(convertBlocksToPlainText(removeStyles(nodes), names));
}

/** Converts a text in Slack's own notation. */
export function convertTextToMarkdown(text: string): string {
  return convertBlocksToMarkdown({type: 'rich_text', elements: toRichText(text)}, noNames);
}

/** Lists what a rich text shows, with one blank for all blanks and line ends. */
export function listWords(parts: unknown, names: SlackNames): string {
  const lines = listObjects(parts).flatMap((part) => {
    const inside = part['type'] === 'rich_text_list' ? listObjects(part['elements']) : [part];
    return inside.map((node) =>
      listObjects(node['elements'])
        .map((element) => convertInlineText(element, names))
        .join(''),
    );
  });
  return collapseBlanks(lines.join('\n'));
}

/** Lists what a formatted text shows, in the same way. */
export function listShownWords(markdown: string): string {
  const pieces = parseMarkdown(markdown).map(({shown, plain = shown ?? ''}) => {
    if (shown !== undefined || plain.startsWith(' (http')) return plain;
    return /\n|^-|^\d+\./.test(plain) ? '\n' : '';
  });
  return collapseBlanks(pieces.join(''));
}

function collapseBlanks(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function removeStyles(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(removeStyles);
  if (typeof value !== 'object' || value === null) return value;
  const {style, ...kept} = value as RichTextNode;
  const isList = typeof style === 'string';
  return Object.fromEntries(
    Object.entries({...kept, ...(isList && {style})}).map(([name, member]) => [name, removeStyles(member)]),
  );
}

/** The columns at which the text of an item begins, for each list that is open. */
type OpenLists = {readonly column: number; readonly style: unknown}[];

function joinBlocks(parts: readonly RichTextNode[], names: SlackNames): string {
  let text = '';
  let lists: OpenLists = [];
  let before: RichTextNode | undefined;
  for (const part of parts) {
    const quoted = part['border'] === 1;
    if (part['type'] !== 'rich_text_list' || before?.['border'] !== part['border']) lists = [];
    const written = writeBlock(part, names, lists);
    if (written === undefined) continue;
    const lines = quoted || part['type'] === 'rich_text_quote' ? quoteLines(written) : written;
    if (text !== '' && !text.endsWith('\n')) text += '\n';
    if (before !== undefined && needsEmptyLine(before, part)) text += '\n';
    text += lines;
    before = part;
  }
  return text.replace(/\n+$/, '');
}

/** True if the block would else continue the quote, or the item, before it. */
function needsEmptyLine(before: RichTextNode, part: RichTextNode): boolean {
  const [last, next] = [before['type'], part['type']];
  const isText = next === 'rich_text_section';
  const isQuote = (node: RichTextNode) => node['type'] === 'rich_text_quote' || node['border'] === 1;
  if (isQuote(before)) return isText || isQuote(part) || startsLate(part);
  if (last === 'rich_text_list') return isText || (startsLate(part) && before['style'] !== 'ordered');
  return last === 'rich_text_section' && startsLate(part);
}

/** True for a numbered list that does not begin with 1, which only an empty line begins. */
function startsLate(part: RichTextNode): boolean {
  return part['style'] === 'ordered' && Number(part['offset'] ?? 0) > 0;
}

function writeBlock(part: RichTextNode, names: SlackNames, lists: OpenLists): string | undefined {
  switch (part['type']) {
    case 'rich_text_section':
      return writeInline(part, names, false);
    case 'rich_text_quote':
      return writeInline(part, names, true);
    case 'rich_text_preformatted': {
      const code = listObjects(part['elements'])
        .map((element) => convertInlineText(element, names))
        .join('');
      const longest = Math.max(2, ...(code.match(/`+/g) ?? []).map(({length}) => length));
      const fence = '`'.repeat(longest + 1);
      return code.trim() === '' ? undefined : `${fence}\n${code}\n${fence}`;
    }
    case 'rich_text_list':
      return writeList(part, names, lists);
    default:
      return undefined;
  }
}

function writeList(part: RichTextNode, names: SlackNames, lists: OpenLists): string | undefined {
  const isOrdered = part['style'] === 'ordered';
  const depth = Math.min(lists.length, Math.max(0, Math.trunc(Number(part['indent'] ?? 0)) || 0));
  const offset = Math.max(0, Math.trunc(Number(part['offset'] ?? 0)) || 0);
  const last = lists[depth];
  // Another delimiter begins another list, whose number is then its own.
  const delimiter = isOrdered && last?.style === '.' && offset > 0 ? ')' : '.';
  const indentation = depth === 0 ? 0 : (lists[depth - 1]?.column ?? 0);
  const items = listObjects(part['elements']).map((item, i) => {
    const mark = isOrdered ? `${offset + i + 1}${delimiter} ` : '- ';
    const column = indentation + mark.length;
    lists.length = depth;
    lists.push({column, style: isOrdered ? delimiter : '-'});
    const lines = writeInline(item, names, true)
      .split('\n')
      .map((line, n) => (n === 0 || line === '' ? line : ' '.repeat(column) + line));
    return `${' '.repeat(indentation)}${mark}${lines.join('\n')}`.trimEnd();
  });
  return items.length === 0 ? undefined : items.join('\n');
}

function quoteLines(text: string): string {
  const lines = text.split('\n');
  return lines.map((line) => (line.trim() === '' ? '>' : `> ${line}`)).join('\n');
}

interface StyledPart {
  readonly text: string;
  readonly marks: readonly string[];
  readonly isCode: boolean;
  readonly url: string | undefined;
}

/** Writes the elements of a block. `isNested`: in a quote or list, where blanks before a line vanish. */
function writeInline(node: RichTextNode, names: SlackNames, isNested: boolean): string {
  const parts = listObjects(node['elements']).flatMap((element) => toStyledParts(element, names));
  const lines: StyledPart[][] = [[]];
  for (const part of parts) {
    for (const [i, text] of part.text.split('\n').entries()) {
      if (i > 0) lines.push([]);
      if (text !== '') lines.at(-1)?.push({...part, text});
    }
  }
  const written = lines.map(writeLine).join('\n');
  if (!isNested) return written;
  return written
    .trimEnd()
    .replace(/^\s*\n/, '')
    .replaceAll(/^[ \t](?=.*\S)/gm, '&#32;');
}

/** Writes a line, without styles if Markdown would show others, as within a word or before punctuation. */
function writeLine(line: readonly StyledPart[]): string {
  const styled = writeStyles(joinAlike(line), 0);
  const said = line
    .map(({text, url}) => (url === undefined || isMention(url) ? text : `${text} (${url})`))
    .join('');
  return listShownWords(styled) === collapseBlanks(said) ? styled : escapeMarkdown(said);
}

const isMention = (url: string): boolean => url.startsWith('mention:');

function toStyledParts(element: RichTextNode, names: SlackNames): StyledPart[] {
  const converted = convertElement(element, names);
  if (converted === undefined) return [];
  const {bold, italic, strike, code: isCode} = converted;
  const marks = [bold && '**', italic && '*', strike && '~~'].filter((mark) => mark !== false);
  const {type, url, text: label, user_id: user} = element;
  const member = type === 'user' && typeof user === 'string' && !isCode ? names.member?.(user) : undefined;
  if (member !== undefined) return [{text: converted.text, marks, isCode, url: `mention:${member}`}];
  const isLink =
    type === 'link' && typeof url === 'string' && typeof label === 'string' && label.trim() !== '';
  if (!isLink || !isSafeAddress(url) || label === url)
    return [{text: converted.text, marks, isCode, url: undefined}];
  return [{text: label.replaceAll('\n', ' '), marks, isCode, url}];
}

/** Joins neighbours that look alike, and takes styles off blanks at the edges, where Markdown has none. */
function joinAlike(line: readonly StyledPart[]): StyledPart[] {
  const joined: StyledPart[] = [];
  const add = (part: StyledPart) => {
    const last = joined.at(-1);
    if (part.text === '') return;
    if (last !== undefined && describeStyle(last) === describeStyle(part))
      joined[joined.length - 1] = {...last, text: last.text + part.text};
    else joined.push(part);
  };
  const bare = (text: string): StyledPart => ({text, marks: [], isCode: false, url: undefined});
  for (const part of line) {
    if (part.isCode || (part.marks.length === 0 && part.url === undefined)) add(part);
    else {
      const [, lead = '', core = '', trail = ''] = /^(\s*)(.*?)(\s*)$/s.exec(part.text) ?? [];
      add(bare(lead));
      add({...part, text: core});
      add(bare(trail));
    }
  }
  return joined;
}

const describeStyle = ({marks, isCode, url}: StyledPart) => JSON.stringify([marks, isCode, url]);

/** Writes parts with their marks from one level on: neighbours with the same mark share it. */
function writeStyles(parts: readonly StyledPart[], level: number): string {
  let written = '';
  for (let i = 0; i < parts.length; ) {
    const part = parts[i] as StyledPart;
    const mark = part.marks[level];
    const other = parts.findIndex((one, at) => at > i && one.marks[level] !== mark);
    const end = mark === undefined ? i + 1 : other < 0 ? parts.length : other;
    const inside = parts.slice(i, end);
    written +=
      mark === undefined ? inside.map(writePart).join('') : `${mark}${writeStyles(inside, level + 1)}${mark}`;
    i = end;
  }
  return written;
}

function writePart({text, isCode, url}: StyledPart): string {
  const label = isCode ? writeCode(text) : escapeMarkdown(text);
  if (url === undefined) return label;
  const named = isCode ? label : label.replaceAll(']', '\\]');
  return `[${named}](${url.replaceAll(/[()]|&(?=#?\w+;)/g, '\\$&')})`;
}

/** Writes code between more backticks than it has. Code that is only blanks has no marks. */
function writeCode(code: string): string {
  if (code.trim() === '') return code;
  const longest = Math.max(0, ...(code.match(/`+/g) ?? []).map(({length}) => length));
  const marks = '`'.repeat(longest + 1);
  const blank = /^`|`$|^ .* $/s.test(code) ? ' ' : '';
  return `${marks}${blank}${code}${blank}${marks}`;
}

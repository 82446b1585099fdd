import {isSafeAddress} from './links.js';
import {hasTooManyMarks, markdownParser} from './markdown-grammar.js';
import {findCharacterError} from './text.js';

type SyntaxNode = ReturnType<typeof markdownParser.parse>['topNode'];

/** The notations of a text: one that is shown as typed, and Markdown. */
export const textFormats = ['plain', 'markdown'] as const;
export type TextFormat = (typeof textFormats)[number];

/** The block of a piece of text. All pieces of a paragraph, an item or a block of code share one object. */
export type MarkdownBlock =
  | {readonly in: 'text' | 'code'; readonly quoted: boolean}
  | {
      readonly in: 'item';
      readonly quoted: boolean;
      readonly style: 'bullet' | 'ordered';
      readonly indent: number;
      readonly number: number;
      /** The position at which the item begins. */
      readonly from: number;
    };

export interface TextStyles {
  readonly bold?: true;
  readonly italic?: true;
  readonly strike?: true;
  readonly code?: true;
}

/** A piece of a text. The pieces follow one another and cover the text. */
export interface MarkdownRun {
  readonly from: number;
  readonly to: number;
  readonly block: MarkdownBlock;
  /** The text that is shown; undefined for a mark. */
  readonly shown?: string;
  /** The plain text, if it is not the shown one. */
  readonly plain?: string;
  readonly styles?: TextStyles;
  /** The address to which the text leads. */
  readonly url?: string;
  /** The id of the member or team whose name this is. */
  readonly mention?: string;
}

/** The surroundings of a piece of a text. */
interface Surroundings {
  readonly block: MarkdownBlock;
  /** True in a quote or list, where marks and blanks at the beginning of a line are not shown. */
  readonly isNested: boolean;
  readonly listDepth: number;
  readonly styles: TextStyles;
  readonly url?: string;
}

type Content = Pick<MarkdownRun, 'shown' | 'plain' | 'url' | 'mention'>;

const styleOfNode: Readonly<Record<string, keyof TextStyles>> = {
  Emphasis: 'italic',
  StrongEmphasis: 'bold',
  Strikethrough: 'strike',
};

const marks: ReadonlySet<string> = new Set(['EmphasisMark', 'StrikethroughMark', 'QuoteMark']);

const mentionAddress = /^mention:((?:mem|team)_[0-7][0-9a-hjkmnp-tv-z]{25})$/;

/** Reads a formatted text. A text that would show nothing is shown as typed. */
export function parseMarkdown(text: string): readonly MarkdownRun[] {
  const block = {in: 'text', quoted: false} as const;
  const asTyped = [{from: 0, to: text.length, block, shown: text}];
  if (hasTooManyMarks(text)) return asTyped;
  const runs = readTree(text, block);
  return runs.some(({shown = ''}) => shown.trim() !== '') ? runs : asTyped;
}

function readTree(text: string, outside: MarkdownBlock): MarkdownRun[] {
  const runs: MarkdownRun[] = [];
  let at = 0;
  /** True after a line end in a quote or list. */
  let isLineStart = false;

  function add(to: number, {block, styles, url}: Surroundings, content: Content): void {
    if (to === at && content.shown === undefined && content.plain === undefined) return;
    runs.push({
      from: at,
      to,
      block,
      ...content,
      ...(Object.keys(styles).length > 0 && content.shown !== undefined && {styles}),
      ...(url !== undefined && content.shown !== undefined && {url}),
    });
    at = to;
  }

  /** Adds text up to a position as it was typed, except for the beginnings of lines in quotes and lists. */
  function addText(to: number, around: Surroundings): void {
    if (!around.isNested) {
      if (to > at) add(to, around, {shown: text.slice(at, to)});
      return;
    }
    while (at < to) {
      const lineEnd = text.indexOf('\n', at);
      if (isLineStart) {
        let begin = at;
        while (begin < to && (text[begin] === ' ' || text[begin] === '\t')) begin++;
        if (begin > at) add(begin, around, {plain: text.slice(at, begin)});
        if (at === to) return;
      }
      if (lineEnd === at) {
        add(at + 1, around, {shown: '\n'});
        isLineStart = true;
        continue;
      }
      const end = lineEnd < 0 || lineEnd > to ? to : lineEnd;
      add(end, around, {shown: text.slice(at, end)});
      isLineStart = false;
    }
  }

  function addMark(to: number, around: Surroundings, plain = ''): void {
    add(to, around, {plain});
  }

  function addQuoteMark({to}: SyntaxNode, around: Surroundings): void {
    const end = text[to] === ' ' ? to + 1 : to;
    addMark(end, around, text.slice(at, end));
    isLineStart = true;
  }

  function readInline(node: SyntaxNode, around: Surroundings): void {
    for (let child = node.firstChild; child !== null; child = child.nextSibling) {
      addText(child.from, around);
      readInlineNode(child, around);
    }
    addText(node.to, around);
  }

  function readInlineNode(node: SyntaxNode, around: Surroundings): void {
    const style = styleOfNode[node.name];
    if (node.name === 'QuoteMark') return addQuoteMark(node, around);
    isLineStart = false;
    if (marks.has(node.name)) return addMark(node.to, around);
    if (style !== undefined) return readInline(node, {...around, styles: {...around.styles, [style]: true}});
    if (node.name === 'Link') return readLink(node, around);
    const typed = text.slice(node.from, node.to);
    switch (node.name) {
      case 'InlineCode':
        return readCode(node, around);
      case 'Escape':
        return add(node.to, around, {shown: typed.slice(1)});
      case 'Entity':
        return add(node.to, around, {shown: decodeReference(typed)});
      case 'URL':
        return add(node.to, {...around, url: around.url ?? typed}, {shown: typed});
      default:
        return addText(node.to, {...around, isNested: false});
    }
  }

  function readCode(node: SyntaxNode, around: Surroundings): void {
    const [from = node.from, to = node.to] = [node.firstChild?.to, node.lastChild?.from];
    const quotes = node.getChildren('QuoteMark');
    let code = text.slice(from, to);
    for (const quote of quotes.toReversed())
      code = code.slice(0, quote.from - from) + code.slice(quote.to - from);
    code = code.replaceAll(around.isNested ? /\n[ \t]*/g : /\n/g, ' ');
    if (/^ .*[^ ].* $|^ [^ ] $/s.test(code)) code = code.slice(1, -1);
    addMark(from, around);
    add(to, {...around, styles: {...around.styles, code: true}}, {shown: code});
    addMark(node.to, around);
  }

  /** Shows a link whose address is safe, or a mention. Another one is shown as typed. */
  function readLink(node: SyntaxNode, around: Surroundings): void {
    const {open, close, address, hasLabel, hasTitle} = findLinkParts(node);
    if (address === undefined || open === undefined || close === undefined) {
      if (hasLabel) return addText(node.to, around);
      return readInline(node, around);
    }
    const label = text.slice(open.to, close.from);
    const url = unescapeMarks(text.slice(address.from, address.to));
    const isImage = text[node.from - 1] === '!' && text[node.from - 2] !== '\\';
    const isUsual = !hasTitle && !isImage && label.trim() !== '';
    const mention = mentionAddress.exec(url)?.[1];
    if (isUsual && mention !== undefined && label.startsWith('@')) {
      addMark(open.to, around);
      add(close.from, around, {shown: unescapeMarks(label), mention});
      return addMark(node.to, around);
    }
    if (!isUsual || !isSafeAddress(url)) return addText(node.to, around);
    addMark(open.to, around);
    const before = runs.length;
    for (let child = open.nextSibling; child !== null && child.from < close.from; child = child.nextSibling) {
      addText(child.from, {...around, url});
      readInlineNode(child, {...around, url});
    }
    addText(close.from, {...around, url});
    const said = runs
      .slice(before)
      .map(({shown = ''}) => shown)
      .join('');
    const host = findOtherHost(said, url);
    const end = {plain: isSameAddress(said, url) ? '' : ` (${url})`};
    add(node.to, around, host === undefined ? end : {...end, shown: ` (${host})`});
  }

  function readFence(node: SyntaxNode, around: Surroundings): void {
    const pieces = node.getChildren('CodeText');
    const code = pieces.map(({from, to}) => text.slice(from, to)).join('');
    const {quoted} = around.block;
    if (code.trim() === '') return addText(node.to, {...around, block: {in: 'text', quoted}});
    const inside = {...around, block: {in: 'code', quoted} as const, isNested: false};
    for (const {from, to} of pieces) {
      addMark(from, inside);
      addText(to, inside);
    }
    addMark(node.to, inside);
  }

  function readItem(node: SyntaxNode, around: Surroundings, number: number): void {
    const style = node.parent?.name === 'OrderedList' ? 'ordered' : 'bullet';
    const indent = around.listDepth;
    const block = {in: 'item', quoted: around.block.quoted, style, indent, number, from: node.from} as const;
    const inside = {...around, block, isNested: true, listDepth: indent + 1};
    addGap(node.from, inside);
    const mark = node.getChild('ListMark');
    const end = mark?.to ?? at;
    const blank = text[end] === ' ' ? ' ' : '';
    addMark(end + blank.length, inside, `${style === 'bullet' ? '-' : `${number}.`}${blank}`);
    isLineStart = true;
    const rest = {...inside, block: {in: 'text', quoted: block.quoted} as const};
    let current: Surroundings = inside;
    for (let child = mark?.nextSibling ?? null; child !== null; child = child.nextSibling) {
      readBlock(child, current);
      if (child.name !== 'Paragraph' && child.name !== 'QuoteMark') current = rest;
    }
  }

  /** Adds what is between blocks: line ends, blanks and marks. Only between paragraphs is it shown. */
  function addGap(to: number, around: Surroundings, isShown = false): void {
    if (!isShown) return to > at ? addMark(to, around, text.slice(at, to)) : undefined;
    return addText(to, around);
  }

  function readBlocks(node: SyntaxNode, around: Surroundings): void {
    for (let child = node.firstChild; child !== null; child = child.nextSibling) readBlock(child, around);
  }

  function readBlock(node: SyntaxNode, around: Surroundings): void {
    const last = runs.at(-1)?.block;
    const isText = isParagraph(node);
    if (node.name === 'QuoteMark') {
      addGap(node.from, around, last === around.block && isParagraph(skipQuoteMarks(node)));
      return addQuoteMark(node, around);
    }
    if (around.isNested) addGap(node.from, around, isText && last === around.block);
    else addOuterGap(node.from, around, isText);
    switch (node.name) {
      case 'Paragraph':
        return readInline(node, around);
      case 'Blockquote': {
        const quoted = {in: 'text', quoted: true} as const;
        return readBlocks(node, {...around, block: quoted, isNested: true});
      }
      case 'BulletList':
      case 'OrderedList': {
        const mark = node.firstChild?.getChild('ListMark');
        const first = node.name === 'BulletList' || !mark ? 1 : Number(text.slice(mark.from, mark.to - 1));
        for (const [i, item] of listItems(node).entries()) readItem(item, around, first + i);
        return;
      }
      case 'FencedCode':
        return readFence(node, around);
      default:
        return addText(node.to, {...around, isNested: false});
    }
  }

  /**
   * Adds what is before a block outside of quotes and lists. The line end after another block is not shown,
   * nor is the empty line that ends a quote or list, nor are empty lines before one.
   */
  function addOuterGap(to: number, around: Surroundings, isText: boolean): void {
    const last = runs.at(-1)?.block ?? outside;
    const endsWithLine = last.in === 'code' && !last.quoted;
    const unseen = last === outside ? 0 : endsWithLine ? 1 : 2;
    const [ends = ''] = /^\n{0,2}/.exec(text.slice(at, Math.min(to, at + unseen))) ?? [];
    if (ends !== '') addMark(at + ends.length, around, ends);
    if (isText) return addText(to, around);
    if (last === outside && text[at] === '\n') addText(at + 1, around);
    if (to > at) addMark(to, around, text.slice(at, to));
  }

  const around = {block: outside, isNested: false, listDepth: 0, styles: {}};
  const tree = markdownParser.parse(text);
  readBlocks(tree.topNode, around);
  addOuterGap(text.length, around, true);
  return runs;
}

/** Finds the parts of a link: `[` label `](` address `)`. An address within the label is none. */
function findLinkParts(node: SyntaxNode) {
  let [open, close, address]: (SyntaxNode | undefined)[] = [];
  let [hasLabel, hasTitle] = [false, false];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (child.name === 'LinkMark' && open === undefined) open = child;
    else if (child.name === 'LinkMark') close ??= child;
    else if (child.name === 'URL' && close !== undefined) address = child;
    else if (child.name === 'LinkLabel') hasLabel = true;
    else if (child.name === 'LinkTitle') hasTitle = true;
  }
  return {open, close, address, hasLabel, hasTitle};
}

function isParagraph(node: SyntaxNode | null): boolean {
  return node?.name === 'Paragraph' || node?.name === 'LiteralLine';
}

function skipQuoteMarks(node: SyntaxNode): SyntaxNode | null {
  let next = node.nextSibling;
  while (next?.name === 'QuoteMark') next = next.nextSibling;
  return next;
}

function listItems(list: SyntaxNode): SyntaxNode[] {
  return list.getChildren('ListItem');
}

/** Returns a text without its formatting: lists and quotes keep their marks, a link its address. */
export function plainText(text: string, format: TextFormat = 'markdown'): string {
  if (format === 'plain') return text;
  return parseMarkdown(text)
    .map(({plain, shown = ''}) => plain ?? shown)
    .join('');
}

const named: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&nbsp;': '\u00a0',
};

/** Decodes a character reference. An unknown name, or a number of no visible character, stays. */
function decodeReference(reference: string): string {
  const [, hex, decimal] = /^&#(?:x([\da-f]{1,6})|(\d{1,7}));$/i.exec(reference) ?? [];
  const code = hex === undefined ? Number(decimal ?? Number.NaN) : Number.parseInt(hex, 16);
  if (!(code >= 0 && code <= 0x10_ff_ff)) return named[reference] ?? reference;
  const char = String.fromCodePoint(code);
  return /[\p{C}\p{Zl}\p{Zp}]/u.test(char) || findCharacterError(char) !== undefined ? reference : char;
}

function unescapeMarks(typed: string): string {
  return typed.replaceAll(
    /\\([!-/:-@[-`{-~])|&(?:#x?[\da-f]{1,7}|[a-z]{2,4});/gi,
    (whole, escaped?: string) => escaped ?? decodeReference(whole),
  );
}

const hostLike = /(?:[\p{L}\p{N}_-]+\.)+\p{L}{2,}/gu;

/** Returns the host of an address if its label seems to name another one. */
function findOtherHost(label: string, url: string): string | undefined {
  const host = new URL(url).host.toLowerCase();
  const names = label.toLowerCase().match(hostLike) ?? [];
  const own = host.replace(/^www\./, '');
  return names.some((name) => name.replace(/^www\./, '') !== own) && !isSameAddress(label, url)
    ? host
    : undefined;
}

/** True if a label is its address, with or without the beginning and the last slash. */
export function isSameAddress(label: string, url: string): boolean {
  const bare = (address: string) => address.replace(/^https?:\/\//i, '').replace(/\/$/, '');
  return bare(label) === bare(url);
}

/** Removes what looks like marks, without parsing: for searches, which read many texts. */
export function removeMarks(text: string): string {
  return text.replaceAll(/\]\([^()[\]\s]*\)|[*_~`[\]\\]/g, '');
}

import {isSafeUrl} from './links.ts';
import {hasTooManyMarks, markdownParser} from './markdown-grammar.ts';

/** A piece of a formatted text: words, or an element that has some. */
export type FormattedPiece = string | FormattedElement;

export interface FormattedElement {
  readonly tag:
    | 'p'
    | 'blockquote'
    | 'ul'
    | 'ol'
    | 'li'
    | 'pre'
    | 'code'
    | 'em'
    | 'strong'
    | 's'
    | 'a'
    | 'mention';
  readonly children: readonly FormattedPiece[];
  /** The address of a link. */
  readonly href?: string;
  /** The id of a mentioned member or team. */
  readonly id?: string;
  /** The first number of a list. */
  readonly start?: number;
}

type SyntaxNode = ReturnType<typeof markdownParser.parse>['topNode'];

/** The surroundings of a piece. In quotes and lists, blanks and marks that begin a line are not shown. */
interface Surroundings {
  readonly text: string;
  readonly isNested: boolean;
  readonly isInLink: boolean;
}

/** Reads a text in Markdown. What the grammar does not know, and unsafe links, stay as they were typed. */
export function readFormattedText(text: string): readonly FormattedElement[] {
  const asTyped = [{tag: 'p', children: [text]}] as const;
  if (hasTooManyMarks(text)) return asTyped;
  const blocks = readBlocks(markdownParser.parse(text).topNode, {text, isNested: false, isInLink: false});
  return blocks.some(hasWords) ? blocks : asTyped;
}

function hasWords(piece: FormattedPiece): boolean {
  return typeof piece === 'string' ? piece.trim() !== '' : piece.children.some(hasWords);
}

function readBlocks(node: SyntaxNode, around: Surroundings): FormattedElement[] {
  const blocks: FormattedElement[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (child.name !== 'QuoteMark' && child.name !== 'ListMark') blocks.push(readBlock(child, around));
  }
  return blocks;
}

function readBlock(node: SyntaxNode, around: Surroundings): FormattedElement {
  const {text} = around;
  const nested = {...around, isNested: true};
  switch (node.name) {
    case 'Paragraph':
      return {tag: 'p', children: readInline(node, around)};
    case 'Blockquote':
      return {tag: 'blockquote', children: readBlocks(node, nested)};
    case 'BulletList':
      return {tag: 'ul', children: readBlocks(node, nested)};
    case 'OrderedList': {
      const mark = node.firstChild?.getChild('ListMark');
      const start = mark ? Number(text.slice(mark.from, mark.to - 1)) : 1;
      return {tag: 'ol', start, children: readBlocks(node, nested)};
    }
    case 'ListItem':
      return {tag: 'li', children: readBlocks(node, nested)};
    case 'FencedCode': {
      const code = node
        .getChildren('CodeText')
        .map(({from, to}) => text.slice(from, to))
        .join('');
      if (code.trim() !== '') return {tag: 'pre', children: [code]};
      break;
    }
  }
  return {tag: 'p', children: [text.slice(node.from, node.to)]};
}

/** Reads the children of a node, and the text between them. */
function readInline(
  node: SyntaxNode,
  around: Surroundings,
  [from, to]: readonly [number, number] = [node.from, node.to],
): FormattedPiece[] {
  const pieces: FormattedPiece[] = [];
  let at = from;
  let isLineStart = false;
  const addText = (until: number): void => {
    const typed = around.text.slice(at, until);
    const unmarked = isLineStart ? typed.replace(/^[ \t]+/, '') : typed;
    const text = around.isNested ? unmarked.replaceAll(/\n[ \t]+/g, '\n') : typed;
    if (text !== '') pieces.push(text);
    isLineStart = false;
  };
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (child.from < at || child.to > to) continue;
    addText(child.from);
    pieces.push(...readInlineNode(child, around));
    isLineStart = child.name === 'QuoteMark';
    at = child.to;
  }
  addText(to);
  return pieces;
}

function readInlineNode(node: SyntaxNode, around: Surroundings): readonly FormattedPiece[] {
  const typed = around.text.slice(node.from, node.to);
  switch (node.name) {
    case 'EmphasisMark':
    case 'StrikethroughMark':
    case 'QuoteMark':
      return [];
    case 'Emphasis':
      return [{tag: 'em', children: readInline(node, around)}];
    case 'StrongEmphasis':
      return [{tag: 'strong', children: readInline(node, around)}];
    case 'Strikethrough':
      return [{tag: 's', children: readInline(node, around)}];
    case 'InlineCode':
      return [{tag: 'code', children: [readCode(node, around)]}];
    case 'Escape':
      return [typed.slice(1)];
    case 'Entity':
      return [decodeReference(typed)];
    case 'URL':
      return around.isInLink ? [typed] : [{tag: 'a', href: typed, children: [typed]}];
    case 'Link':
      return readLink(node, around);
    default:
      return [typed];
  }
}

function readCode(node: SyntaxNode, {text, isNested}: Surroundings): string {
  const [from, to] = [node.firstChild?.to ?? node.from, node.lastChild?.from ?? node.to];
  let code = text.slice(from, to);
  for (const quote of node.getChildren('QuoteMark').toReversed())
    code = code.slice(0, quote.from - from) + code.slice(quote.to - from);
  code = code.replaceAll(isNested ? /\n[ \t]*/g : /\n/g, ' ');
  return /^ .*[^ ].* $|^ [^ ] $/s.test(code) ? code.slice(1, -1) : code;
}

const mention = /^mention:((?:mem|team)_[0-7][0-9a-hjkmnp-tv-z]{25})$/;

/** Reads a link whose address is safe, or a mention. `[x]`, which refers to nothing, keeps its brackets. */
function readLink(node: SyntaxNode, around: Surroundings): readonly FormattedPiece[] {
  const {text} = around;
  const typed = text.slice(node.from, node.to);
  const [open, close] = node.getChildren('LinkMark');
  if (open === undefined || close === undefined) return [typed];
  const inside = [open.to, close.from] as const;
  const address = node.getChildren('URL').find(({from}) => from > close.from);
  if (address === undefined)
    return node.getChild('LinkLabel') === null ? ['[', ...readInline(node, around, inside), ']'] : [typed];
  const url = unescapeMarks(text.slice(address.from, address.to));
  const label = text.slice(...inside);
  const isImage = text[node.from - 1] === '!' && text[node.from - 2] !== '\\';
  if (isImage || label.trim() === '' || node.getChild('LinkTitle') !== null) return [typed];
  const id = mention.exec(url)?.[1];
  if (id !== undefined && label.startsWith('@'))
    return [{tag: 'mention', id, children: [unescapeMarks(label)]}];
  if (!isSafeUrl(url)) return [typed];
  const children = readInline(node, {...around, isInLink: true}, inside);
  const host = findOtherHost(joinWords(children), url);
  return [{tag: 'a', href: url, children}, ...(host === undefined ? [] : [` (${host})`])];
}

function joinWords(pieces: readonly FormattedPiece[]): string {
  return pieces.map((piece) => (typeof piece === 'string' ? piece : joinWords(piece.children))).join('');
}

const hostLike = /(?:[\p{L}\p{N}_-]+\.)+\p{L}{2,}/gu;

/** Returns the host of a URL if its label seems to name another one. */
function findOtherHost(label: string, url: string): string | undefined {
  const bare = (text: string) => text.replace(/^https?:\/\//i, '').replace(/\/$/, '');
  if (bare(label) === bare(url)) return undefined;
  const host = new URL(url).host.toLowerCase();
  const own = host.replace(/^www\./, '');
  const names = label.toLowerCase().match(hostLike) ?? [];
  return names.some((name) => name.replace(/^www\./, '') !== own) ? host : undefined;
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
  return /[\p{C}\p{Zl}\p{Zp}]/u.test(char) ? reference : char;
}

function unescapeMarks(typed: string): string {
  return typed.replaceAll(
    /\\([!-/:-@[-`{-~])|&(?:#x?[\da-f]{1,7}|[a-z]{2,4});/gi,
    (whole, escaped?: string) => escaped ?? decodeReference(whole),
  );
}

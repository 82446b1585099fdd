// Changes of a text in Markdown by keys. Each is a function of the text and its selection, and returns the
// smallest replacement, so that the browser can undo it as one step.

export interface Typed {
  readonly text: string;
  /** The selection. Both are equal for a caret. */
  readonly from: number;
  readonly to: number;
}

export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
  /** The selection afterwards. */
  readonly select: readonly [from: number, to: number];
}

export type ListKind = 'bullets' | 'numbers' | 'quote';

/** Matches what a line begins with: marks of quotes, then the mark of an item. */
const lineBegin = /^((?:[ \t]*>[ \t]?)*[ \t]*)((?:[-+*]|\d{1,9}[.)])[ \t]+)?/;

interface Line {
  readonly from: number;
  readonly to: number;
}

/** Lists the lines that a selection touches. */
function listLines({text, from, to}: Typed): Line[] {
  const lines: Line[] = [];
  let begin = text.lastIndexOf('\n', from - 1) + 1;
  for (;;) {
    const next = text.indexOf('\n', begin);
    const end = next < 0 ? text.length : next;
    lines.push({from: begin, to: end});
    if (next < 0 || next >= to) return lines;
    begin = next + 1;
  }
}

/** Part of a line that becomes bold or italic, and the stars around it. */
interface Styled {
  readonly from: number;
  readonly to: number;
  readonly stars: number;
}

const hasStars = (stars: number, mark: number): boolean =>
  mark === 2 ? stars === 2 || stars === 3 : stars % 2 === 1;

/** Makes the selection bold or italic, or no longer so: each line by itself, without its list mark. */
export function toggleStyle(typed: Typed, style: 'bold' | 'italic'): Edit {
  const mark = style === 'bold' ? 2 : 1;
  const parts = listStyledParts(typed);
  const isOff = parts.every(({stars}) => hasStars(stars, mark));
  const first = parts[0] ?? {from: typed.from, to: typed.to, stars: 0};
  const last = parts.at(-1) ?? first;
  const from = first.from - first.stars;
  let insert = '';
  let at = from;
  let select: readonly [number, number] = [from, from];
  for (const [index, part] of parts.entries()) {
    const has = hasStars(part.stars, mark);
    const stars = '*'.repeat(isOff ? part.stars - mark : has ? part.stars : part.stars + mark);
    insert += typed.text.slice(at, part.from - part.stars) + stars;
    const begin = from + insert.length;
    insert += typed.text.slice(part.from, part.to);
    select = [index === 0 ? begin : select[0], from + insert.length];
    insert += stars;
    at = part.to + part.stars;
  }
  return {from, to: last.to + last.stars, insert, select};
}

function listStyledParts(typed: Typed): Styled[] {
  const lines = listLines(typed);
  const parts = lines.flatMap((line): Styled[] => {
    const begin = lineBegin.exec(typed.text.slice(line.from, line.to))?.[0].length ?? 0;
    const isWhole = lines.length > 1;
    const from = Math.max(typed.from, isWhole ? line.from + begin : line.from);
    const part = trimPart(typed.text, from, Math.max(from, Math.min(typed.to, line.to)));
    return isWhole && part.from === part.to ? [] : [readStars(typed.text, part, line)];
  });
  return parts.length > 0 ? parts : [{from: typed.from, to: typed.from, stars: 0}];
}

function trimPart(text: string, from: number, to: number): Line {
  const part = text.slice(from, to);
  if (part.trim() === '') return {from, to: from};
  return {from: from + part.length - part.trimStart().length, to: to - part.length + part.trimEnd().length};
}

/** Leaves out the stars within a part, and counts those around the rest. */
function readStars(text: string, {from, to}: Line, line: Line): Styled {
  const count = (stars: RegExp, piece: string): number => stars.exec(piece)?.[0].length ?? 0;
  const part = text.slice(from, to);
  const isEmpty = part.replaceAll('*', '') === '';
  // A selection may begin or end between a word and its stars.
  const begin = from + (isEmpty ? 0 : count(/^\*+/, part));
  const end = to - (isEmpty ? 0 : count(/\*+$/, part));
  const before = count(/\*+$/, text.slice(line.from, begin));
  const after = count(/^\*+/, text.slice(end, line.to));
  return {from: begin, to: end, stars: Math.min(3, before, after)};
}

/** Makes a link of the selection: its label, or its address if it is one. The caret goes where text is missing. */
export function insertLink({text, from, to}: Typed): Edit {
  const chosen = text.slice(from, to);
  if (isAddress(chosen)) {
    return {from, to, insert: `[](${writeAddress(chosen)})`, select: [from + 1, from + 1]};
  }
  const label = writeLabel(chosen);
  const caret = from + 1 + (chosen === '' ? 0 : label.length + 2);
  return {from, to, insert: `[${label}]()`, select: [caret, caret]};
}

/** Makes a link of the selected words when an address is pasted over them; undefined for any other paste. */
export function pasteLink({text, from, to}: Typed, pasted: string): Edit | undefined {
  const [label, address] = [text.slice(from, to), pasted.trim()];
  if (label.trim() === '' || label.includes('\n') || isAddress(label) || !isAddress(address))
    return undefined;
  // Within the brackets of a link, the address itself is meant.
  if (text.slice(0, from).endsWith('](') && text.slice(to).startsWith(')')) return undefined;
  const insert = `[${writeLabel(label)}](${writeAddress(address)})`;
  return {from, to, insert, select: [from + insert.length, from + insert.length]};
}

function isAddress(text: string): boolean {
  return /^https?:\/\/[^\s<>"|`\\]+$/i.test(text) && URL.canParse(text);
}

const writeLabel = (label: string): string => label.replaceAll(/(?<!\\)[[\]]/g, String.raw`\$&`);

/** Writes an address so that nothing in it ends the link, or is read as a character reference. */
function writeAddress(url: string): string {
  return url
    .replaceAll('(', '%28')
    .replaceAll(')', '%29')
    .replaceAll(/&(?=#?\w+;)/g, '&amp;');
}

const isOfKind: Readonly<Record<ListKind, RegExp>> = {
  bullets: /^[-+*][ \t]/,
  numbers: /^\d{1,9}[.)][ \t]/,
  quote: /^>/,
};
const anyItem = /^(?:[-+*]|\d{1,9}[.)])[ \t]+/;

/** Makes the lines of the selection a list or a quote, or no longer so. */
export function toggleLines(typed: Typed, kind: ListKind): Edit {
  const {text, from, to} = typed;
  const lines = listLines(typed);
  const [begin, end] = [lines[0]?.from ?? 0, lines.at(-1)?.to ?? text.length];
  const contents = lines.map((line) => text.slice(line.from, line.to));
  const isMeant = (content: string): boolean => lines.length === 1 || content.trim() !== '';
  const isOff = contents.filter(isMeant).every((content) => isOfKind[kind].test(content.trimStart()));
  let number = 0;
  const changed = contents.map((content) => {
    if (!isMeant(content)) return content;
    number++;
    return isOff ? unmarkLine(content, kind) : markLine(content, kind, number);
  });
  // The next line would belong to the last item, or to the quote.
  const following = text.slice(end + 1).split('\n', 1)[0] ?? '';
  const isApart = isOff || following.trim() === '' || isOfKind[kind].test(following.trimStart());
  const insert = changed.join('\n') + (isApart ? '' : '\n');
  const moved = (changed[0]?.length ?? 0) - (contents[0]?.length ?? 0);
  const caret = Math.max(begin, from + moved);
  const block = begin + changed.join('\n').length;
  return {from: begin, to: end, insert, select: from === to ? [caret, caret] : [begin, block]};
}

function markLine(line: string, kind: ListKind, number: number): string {
  if (kind === 'quote') return `> ${line}`;
  const [blanks = ''] = /^[ \t]*/.exec(line) ?? [];
  const content = line.slice(blanks.length).replace(anyItem, '');
  return `${blanks}${kind === 'bullets' ? '-' : `${number}.`} ${content}`;
}

function unmarkLine(line: string, kind: ListKind): string {
  const [blanks = ''] = /^[ \t]*/.exec(line) ?? [];
  const content = line.slice(blanks.length);
  return kind === 'quote' ? content.replace(/^>[ \t]?/, '') : blanks + content.replace(anyItem, '');
}

/** Goes on with a list or quote at Enter. An empty item ends it. Undefined: Enter is an ordinary one. */
export function breakLine({text, from, to}: Typed): Edit | undefined {
  const begin = text.lastIndexOf('\n', from - 1) + 1;
  const next = text.indexOf('\n', to);
  const line = text.slice(begin, next < 0 ? text.length : next);
  const [whole = '', quotes = '', item = ''] = lineBegin.exec(line) ?? [];
  const isMarked = item !== '' || quotes.includes('>');
  if (!isMarked || from < begin + whole.length || isInFence(text.slice(0, begin))) return undefined;
  if (line.slice(whole.length).trim() === '') {
    const kept = item === '' ? '' : quotes.trimEnd();
    const before = text.slice(0, begin).trimEnd() === '' || text.slice(0, begin).endsWith('\n\n');
    // Without an empty line, the next one would still belong to the list.
    const insert = kept === '' && !before ? '\n' : kept;
    return {
      from: begin,
      to: begin + line.length,
      insert,
      select: [begin + insert.length, begin + insert.length],
    };
  }
  const mark = item.replace(/\d+/, (number) => String(Number(number) + 1));
  const insert = `\n${quotes}${mark}`;
  return {from, to, insert, select: [from + insert.length, from + insert.length]};
}

/** True if the text ends within a block of code. */
function isInFence(text: string): boolean {
  let open: string | undefined;
  for (const line of text.split('\n')) {
    const [, fence = ''] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence === '') continue;
    if (open === undefined) open = fence;
    else if (fence.startsWith(open)) open = undefined;
  }
  return open !== undefined;
}

import type {RichTextElement, RichTextText} from '@slack/types';
import type {Mentions} from './mentions.js';
import {findLinkAt} from '../../../domain/core/links.js';

type TextStyle = NonNullable<RichTextText['style']>;

/** The number of elements, other than text, that may still be added. */
export interface SpecialRoom {
  left: number;
}

export interface InlineRun {
  readonly from: number;
  readonly to: number;
  readonly element?: RichTextElement;
}

/** A part of a line that is one element, or text without formatting. */
type Atom = Required<InlineRun>;

export const marks = {'*': 'bold', _: 'italic', '~': 'strike'} as const satisfies Record<
  string,
  keyof TextStyle
>;
export type Mark = keyof typeof marks;

/** The characters with which an element other than text can begin. */
const special = /[`:hH@*_~]/g;

interface FoundMark {
  readonly at: number;
  readonly mark: Mark;
  readonly opens: boolean;
  readonly closes: boolean;
}

const wordCharacter = /[\p{L}\p{N}\p{M}]/u;

/** Characters allowed before an opening and after a closing mark, beside the ends of a line. */
const before = /[\s\p{Ps}\p{Pi}\p{Pd}"'*_~]/u;
const behind = /[\s\p{Pe}\p{Pf}\p{Pd}"'.,:;!?…*_~]/u;
/** Characters not allowed directly inside a pair of marks. */
const notFirst = /[\s\p{Pe}]/u;
const notLast = /[\s\p{Ps}]/u;

/** True if a mark between these characters may open, or close. An empty one is the end of the line. */
export function canMarkOpen(mark: Mark, last: string, next: string): boolean {
  return (
    last !== mark &&
    next !== mark &&
    next !== '' &&
    !notFirst.test(next) &&
    (last === '' || before.test(last))
  );
}
export function canMarkClose(mark: Mark, last: string, next: string): boolean {
  return (
    last !== mark && next !== mark && last !== '' && !notLast.test(last) && (next === '' || behind.test(next))
  );
}

function readMarkAt(line: string, at: number, mark: Mark): FoundMark {
  const [last, next] = [line[at - 1] ?? '', line[at + 1] ?? ''];
  return {at, mark, opens: canMarkOpen(mark, last, next), closes: canMarkClose(mark, last, next)};
}

export function parseInline(line: string, room: SpecialRoom, mentions?: Mentions): InlineRun[] {
  if (line === '') return [];
  const atoms: Atom[] = [];
  const found: FoundMark[] = [];
  let emojiEnd = -1;
  for (let at = 0; room.left > 0; ) {
    special.lastIndex = at;
    const next = special.exec(line);
    if (next === null) break;
    at = next.index;
    const [char] = next;
    const atom =
      char === '`'
        ? readCodeAt(line, at)
        : char === ':'
          ? readEmojiAt(line, at, emojiEnd)
          : char === 'h' || char === 'H'
            ? parseLinkAt(line, at)
            : char === '@'
              ? readMentionAt(line, at, mentions)
              : undefined;
    if (atom !== undefined) {
      atoms.push(atom);
      if (atom.element.type !== 'text' || atom.element.style !== undefined) room.left--;
      if (atom.element.type === 'emoji') emojiEnd = atom.to;
      at = atom.to;
      continue;
    }
    if (char in marks) found.push(readMarkAt(line, at, char as Mark));
    at++;
  }
  return composeRuns(line, atoms, pairMarks(found, room));
}

interface MarkedSpan {
  readonly from: number;
  readonly to: number;
  readonly mark: Mark;
}

/** Pairs marks: each opening mark ends at the next closing one inside the same surrounding pair. */
function pairMarks(found: readonly FoundMark[], room: SpecialRoom): MarkedSpan[] {
  const closing = new Map<Mark, number>();
  const nextClosing: (number | undefined)[] = Array.from({length: found.length});
  for (let i = found.length - 1; i >= 0; i--) {
    const one = found[i];
    if (one === undefined) continue;
    nextClosing[i] = closing.get(one.mark);
    if (one.closes) closing.set(one.mark, one.at);
  }
  const spans: MarkedSpan[] = [];
  const open: MarkedSpan[] = [];
  for (const [i, {at, mark, opens}] of found.entries()) {
    while ((open.at(-1)?.to ?? Infinity) < at) open.pop();
    if (open.at(-1)?.to === at) {
      open.pop();
      continue;
    }
    const to = nextClosing[i];
    const isOpen = open.some((one) => one.mark === mark);
    if (!opens || to === undefined || to < at + 2 || isOpen || room.left <= 0) continue;
    if (to >= (open.at(-1)?.to ?? Infinity)) continue;
    room.left--;
    const span = {from: at, to, mark};
    spans.push(span);
    open.push(span);
  }
  return spans;
}

function composeRuns(line: string, atoms: readonly Atom[], spans: readonly MarkedSpan[]): InlineRun[] {
  const edges = new Map<number, {begins: boolean; mark: Mark}>();
  for (const {from, to, mark} of spans) {
    edges.set(from, {begins: true, mark});
    edges.set(to, {begins: false, mark});
  }
  const positions = [...edges.keys()].toSorted((a, b) => a - b);
  const runs: InlineRun[] = [];
  const styles = new Set<Mark>();
  let [at, next] = [0, 0];

  function applyStyles(element: RichTextElement): RichTextElement {
    if (styles.size === 0) return element;
    const named = [...styles].map((mark) => [marks[mark], true] as const);
    return {...element, style: {...Object.fromEntries(named), ...('style' in element ? element.style : {})}};
  }
  function addTextUntil(until: number): void {
    while (at < until) {
      const edge = positions[next] ?? Infinity;
      const end = Math.min(edge, until);
      if (end > at)
        runs.push({from: at, to: end, element: applyStyles({type: 'text', text: line.slice(at, end)})});
      at = end;
      if (edge >= until) break;
      const {begins = false, mark = '*'} = edges.get(edge) ?? {};
      if (begins) styles.add(mark);
      else styles.delete(mark);
      runs.push({from: edge, to: edge + 1});
      at = edge + 1;
      next++;
    }
  }
  for (const {from, to, element} of atoms) {
    addTextUntil(from);
    runs.push({from, to, element: applyStyles(element)});
    at = to;
  }
  addTextUntil(line.length);
  return runs;
}

/** Returns code between two backticks. The backticks are included but not shown. */
function readCodeAt(line: string, at: number): Atom | undefined {
  const last = line[at - 1];
  if (last === '`' || line[at + 1] === '`' || (last !== undefined && wordCharacter.test(last)))
    return undefined;
  const end = line.indexOf('`', at + 1);
  if (end < 0) return undefined;
  const next = line[end + 1];
  const code = line.slice(at + 1, end);
  if (next === '`' || (next !== undefined && wordCharacter.test(next)) || code.trim() === '')
    return undefined;
  return {from: at, to: end + 1, element: {type: 'text', text: code, style: {code: true}}};
}

const emoji = /:([\p{Ll}\p{Lo}\p{N}_+'-]{1,100}(?:::skin-tone-[2-6])?):/uy;
/** Emoji names without a letter. Times and other numbers are not emoji. */
const numbered: ReadonlySet<string> = new Set(['+1', '-1', '100', '1234']);

/** Finds the emoji in a text, in order. */
export function findEmojis(line: string): Required<InlineRun>[] {
  const found: Required<InlineRun>[] = [];
  for (let at = line.indexOf(':'); at >= 0; ) {
    const emoji = readEmojiAt(line, at, found.at(-1)?.to ?? -1);
    if (emoji !== undefined) found.push(emoji);
    at = line.indexOf(':', emoji?.to ?? at + 1);
  }
  return found;
}

/** Returns the emoji at this position. `emojiEnd`: where another emoji has ended and this may follow. */
function readEmojiAt(line: string, at: number, emojiEnd: number): Atom | undefined {
  emoji.lastIndex = at;
  const [whole, name] = emoji.exec(line) ?? [];
  if (whole === undefined || name === undefined) return undefined;
  const [bare = ''] = name.split('::');
  if (!/\p{L}/u.test(bare) && !numbered.has(bare)) return undefined;
  const to = at + whole.length;
  const [last = '', next = ''] = [line[at - 1], line[to]];
  if (last === ':' && emojiEnd !== at) return undefined;
  if (next === ':') {
    emoji.lastIndex = to;
    if (!emoji.test(line)) return undefined;
  }
  if (wordCharacter.test(last) && wordCharacter.test(next)) return undefined;
  return {from: at, to, element: {type: 'emoji', name}};
}

/** Returns a link, or a text that looks like a link and stays text as a whole. */
function parseLinkAt(line: string, at: number): Atom | undefined {
  const found = findLinkAt(line, at);
  if (found === undefined) return undefined;
  const text = line.slice(at, found.to);
  const element: RichTextElement = found.isLink ? {type: 'link', url: text} : {type: 'text', text};
  return {from: at, to: found.to, element};
}

/** Characters next to which a mention would be part of an e-mail address. */
const address = /[\p{L}\p{N}\p{M}._%+@-]/u;

function readMentionAt(line: string, at: number, mentions: Mentions | undefined): Atom | undefined {
  if (mentions === undefined || address.test(line[at - 1] ?? ' ')) return undefined;
  const found = mentions.find(line, at + 1);
  if (found === undefined) return undefined;
  return {from: at, to: found.to, element: {type: 'user', user_id: found.user}};
}

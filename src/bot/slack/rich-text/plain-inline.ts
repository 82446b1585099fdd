import {type Mark, marks, canMarkClose, canMarkOpen} from './parse-inline.js';

export interface PlainPart {
  readonly text: string;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly strike: boolean;
  readonly code: boolean;
}

type PlainStyle = Omit<PlainPart, 'code'>;

/** Writes styled text with marks, so that parsing gives the same styles. Within a word there are none. */
export function formatInlineAsPlain(parts: readonly PlainPart[]): string {
  const styled = splitPartsByLine(joinCode(parts));
  return styled.map((line) => writeRange(line, 0, line.length, [], '', '')).join('\n');
}

/** Joins consecutive parts of code. Code gets backticks where it can be parsed again. */
function joinCode(parts: readonly PlainPart[]): PlainStyle[] {
  const joined: PlainPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    const isSame = last?.code === true && part.code && hasSameStyle(last, part);
    if (last !== undefined && isSame) joined[joined.length - 1] = {...last, text: last.text + part.text};
    else joined.push(part);
  }
  return joined.map(({code, ...part}) => (code ? {...part, text: wrapInBackticks(part.text)} : part));
}

function wrapInBackticks(text: string): string {
  const lines = text.split('\n');
  return lines.map((line) => (line.trim() === '' || line.includes('`') ? line : `\`${line}\``)).join('\n');
}

function hasSameStyle(a: PlainPart, b: PlainPart): boolean {
  return a.bold === b.bold && a.italic === b.italic && a.strike === b.strike;
}

function splitPartsByLine(parts: readonly PlainStyle[]): PlainStyle[][] {
  const lines: PlainStyle[][] = [[]];
  for (const part of parts) {
    for (const [i, text] of part.text.split('\n').entries()) {
      if (i > 0) lines.push([]);
      if (text !== '') lines.at(-1)?.push({...part, text});
    }
  }
  return lines;
}

const allMarks = Object.keys(marks) as Mark[];

/** Writes parts of a line within open marks. `last` and `next`: the characters before and after. */
function writeRange(
  line: readonly PlainStyle[],
  from: number,
  to: number,
  open: readonly Mark[],
  last: string,
  next: string,
): string {
  const out: string[] = [];
  for (let i = from; i < to; ) {
    const [mark, end] = findLongestStyle(line, i, to, open);
    if (mark === undefined) {
      out.push(line[i]?.text ?? '');
      i++;
      continue;
    }
    const before = out.at(-1)?.at(-1) ?? last;
    const follows = line[end];
    // Styled text begins with a mark of its own.
    const isMarked =
      follows !== undefined && allMarks.some((one) => !open.includes(one) && follows[marks[one]]);
    const behind = end >= to ? next : isMarked ? '' : (follows?.text[0] ?? '');
    const inside = writeRange(line, i, end, [...open, mark], mark, mark);
    out.push(wrapInMark(inside, mark, before, behind));
    i = end;
  }
  return out.join('');
}

/** Returns the style that continues longest from here. Its marks go outside those of the others. */
function findLongestStyle(
  line: readonly PlainStyle[],
  from: number,
  to: number,
  open: readonly Mark[],
): [Mark | undefined, number] {
  let found: [Mark | undefined, number] = [undefined, from];
  for (const mark of allMarks) {
    if (open.includes(mark)) continue;
    let end = from;
    while (end < to && line[end]?.[marks[mark]] === true) end++;
    if (end > found[1]) found = [mark, end];
  }
  return found;
}

function wrapInMark(text: string, mark: Mark, before: string, behind: string): string {
  const core = text.trim();
  if (core === '') return text;
  const at = text.indexOf(core);
  const [lead, trail] = [text.slice(0, at), text.slice(at + core.length)];
  const fits =
    canMarkOpen(mark, lead.at(-1) ?? before, core[0] ?? '') &&
    canMarkClose(mark, core.at(-1) ?? '', trail[0] ?? behind);
  return fits ? `${lead}${mark}${core}${mark}${trail}` : text;
}

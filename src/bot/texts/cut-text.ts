export const ellipsis = '…';

/** Cuts a text to at most `max` UTF-16 code units, with an ellipsis at the cut. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, findCutPositionBefore(text, max - ellipsis.length))}${ellipsis}`;
}

/** Splits a text into pieces of at most `max` code units (2 or more), which together are the text. */
export function splitText(text: string, max: number): string[] {
  const pieces: string[] = [];
  let from = 0;
  while (text.length - from > max) {
    const end = findCutPositionBefore(text, from + max, from);
    pieces.push(text.slice(from, end));
    from = end;
  }
  if (from < text.length) pieces.push(text.slice(from));
  return pieces;
}

/** Finds graphemes, which people see as one character: an emoji, a flag, a letter with its marks. */
const graphemes = new Intl.Segmenter('en', {granularity: 'grapheme'});

/**
 * Returns the last position up to `index` at which a text may be cut: between graphemes or, if one reaches
 * back to `from`, between code points. Only one is checked, which takes less than 1 ms.
 */
export function findCutPositionBefore(text: string, index: number, from: number = 0): number {
  if (index <= from || index >= text.length) return Math.max(from, Math.min(index, text.length));
  const at = graphemes.segment(text).containing(index)?.index ?? index;
  if (at > from) return at;
  const splitsPair = /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(index - 1, index + 1));
  return splitsPair ? index - 1 : index;
}

/** Returns the first texts that together fit into `max` code units, with two between one and the next. */
export function takeFitting(texts: readonly string[], max: number): readonly string[] {
  let length = 0;
  const end = texts.findIndex((text) => (length += text.length + 2) > max);
  return end < 0 ? texts : texts.slice(0, end);
}

export type Stretch = readonly [from: number, to: number];

/** Cuts a text into the longest pieces that `fitsAs` takes by number (from 1), after a word if possible. */
export function cutToFit(text: string, fitsAs: (piece: Stretch, part: number) => boolean): Stretch[] {
  const pieces: Stretch[] = [];
  let from = 0;
  while (from < text.length) {
    const part = pieces.length + 1;
    // Most texts fit whole.
    let [end, tooFar] = fitsAs([from, text.length], part)
      ? [text.length, text.length + 1]
      : [from + 1, text.length];
    while (tooFar - end > 1) {
      const middle = Math.floor((end + tooFar) / 2);
      if (fitsAs([from, middle], part)) end = middle;
      else tooFar = middle;
    }
    end = end === text.length ? end : findPreferredCut(text, from, end);
    pieces.push([from, end]);
    from = end;
  }
  return pieces;
}

/** The maximum distance by which a piece is shortened to end after a line or a word. */
const lookBack = 400;

function findPreferredCut(text: string, from: number, end: number): number {
  const start = Math.max(from + 1, end - lookBack);
  const tail = text.slice(start, end);
  const [line, space] = [tail.lastIndexOf('\n'), tail.lastIndexOf(' ')];
  if (line >= 0 || space >= 0) return start + (line >= 0 ? line : space) + 1;
  const cut = findCutPositionBefore(text, end, from);
  return cut > from ? cut : findCutPositionAfter(text, end);
}

/** Half of a character is never shown, however little fits. */
function findCutPositionAfter(text: string, end: number): number {
  return end + Number(/^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(end - 1, end + 1)));
}

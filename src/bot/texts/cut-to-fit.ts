import {findCutPositionBefore} from './cut-text.js';

/** The start and the end of a piece of a text. */
export type Stretch = readonly [from: number, to: number];

/**
 * Cuts a text into pieces that together give the whole text. Each piece is as long as `fitsAs` allows for its
 * number (from 1), and ends after a line or a word if possible.
 */
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

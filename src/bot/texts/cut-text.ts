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
 * Returns the last position after `from`, and at or before `index`, at which a text may be cut. The cut is
 * between graphemes or, if one of them reaches back to `from`, at least between code points. Only one
 * position is checked, so that a text of 40,000 characters takes less than a millisecond.
 */
export function findCutPositionBefore(text: string, index: number, from: number = 0): number {
  if (index <= from || index >= text.length) return Math.max(from, Math.min(index, text.length));
  const at = graphemes.segment(text).containing(index)?.index ?? index;
  if (at > from) return at;
  const splitsPair = /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(index - 1, index + 1));
  return splitsPair ? index - 1 : index;
}

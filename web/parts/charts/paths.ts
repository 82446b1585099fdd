/** A point of a line: `x` in columns, at the column's middle; `y` from 0 (the top) to 1 (the bottom). */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Splits a line at each column without a value, so that the line has a gap there. Values are from 0 to 1. */
export function computeTrendLine(shares: readonly (number | null)[]): readonly (readonly Point[])[] {
  const pieces: Point[][] = [[]];
  for (const [i, share] of shares.entries()) {
    if (share === null) pieces.push([]);
    else pieces.at(-1)?.push({x: i + 0.5, y: 1 - share});
  }
  return pieces.filter((piece) => piece.length > 0);
}

/** Converts the pieces of a line to the data of an SVG path. */
export function toSvgPath(pieces: readonly (readonly Point[])[]): string {
  return pieces.map((piece) => piece.map(({x, y}, i) => `${i === 0 ? 'M' : 'L'}${x} ${y}`).join('')).join('');
}

/** Lines of no length, which round caps make dots: a circle would become an ellipse in a stretched chart. */
export function toSvgDots(pieces: readonly (readonly Point[])[]): string {
  return pieces
    .flat()
    .map(({x, y}) => `M${x} ${y}h0`)
    .join('');
}

/** The look of a chart with lines at the top, the middle and the bottom. */
export const levelLines =
  'bg-[linear-gradient(var(--color-line)_0_0),linear-gradient(var(--color-line)_0_0),linear-gradient(var(--color-line)_0_0)] bg-size-[100%_1px] bg-position-[0_0,0_50%,0_100%] bg-no-repeat';

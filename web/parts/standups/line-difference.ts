export interface DifferentLine {
  readonly kind: 'same' | 'gone' | 'new';
  readonly text: string;
}

/** Maximum number of line pairs to compare. Beyond it, all lines between the common ends count as changed. */
const mostPairs = 250_000;

/** Compares two texts line by line. Lines in the longest common subsequence count as unchanged. */
export function findLineDifference(before: string, after: string): readonly DifferentLine[] {
  const old = before.split('\n');
  const now = after.split('\n');
  let start = 0;
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < Math.min(old.length, now.length) - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const middle = compareLines(old.slice(start, old.length - end), now.slice(start, now.length - end));
  return [
    ...old.slice(0, start).map((text) => ({kind: 'same', text}) as const),
    ...middle,
    ...old.slice(old.length - end).map((text) => ({kind: 'same', text}) as const),
  ];
}

function compareLines(old: readonly string[], now: readonly string[]): readonly DifferentLine[] {
  const isLong = old.length * now.length > mostPairs;
  const lengths = isLong ? [] : computeCommonSubsequenceLengths(old, now);
  const lines: DifferentLine[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length || j < now.length) {
    const [gone, come] = [old[i], now[j]];
    if (!isLong && gone !== undefined && gone === come) {
      lines.push({kind: 'same', text: gone});
      i += 1;
      j += 1;
    } else if (
      gone !== undefined &&
      (come === undefined || isLong || lengthAt(lengths, i + 1, j) >= lengthAt(lengths, i, j + 1))
    ) {
      lines.push({kind: 'gone', text: gone});
      i += 1;
    } else {
      lines.push({kind: 'new', text: come ?? ''});
      j += 1;
    }
  }
  return lines;
}

/** Lengths of the longest common subsequences of the lines that follow each pair of positions. */
function computeCommonSubsequenceLengths(
  old: readonly string[],
  now: readonly string[],
): readonly Uint16Array[] {
  const lengths = Array.from({length: old.length + 1}, () => new Uint16Array(now.length + 1));
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      const row = lengths[i];
      if (row === undefined) continue;
      row[j] =
        old[i] === now[j]
          ? lengthAt(lengths, i + 1, j + 1) + 1
          : Math.max(lengthAt(lengths, i + 1, j), lengthAt(lengths, i, j + 1));
    }
  }
  return lengths;
}

function lengthAt(lengths: readonly Uint16Array[], i: number, j: number): number {
  return lengths[i]?.[j] ?? 0;
}

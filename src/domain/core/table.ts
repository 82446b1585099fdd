/** Characters not to print: a line break looks like a row, and terminals obey control sequences. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Shows characters that a terminal would obey, or that reorder a line, by their codes. */
export function showUnprintable(text: string): string {
  return text.replaceAll(unprintable, (found) => `\\u{${found.codePointAt(0)?.toString(16) ?? ''}}`);
}

/** Formats a table, or returns `none` without rows. Unprintable characters are shown by their codes. */
export function formatTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  none?: string,
): string {
  if (rows.length === 0 && none !== undefined) return `${none}\n`;
  const all = [headings, ...rows].map((row) => row.map(showUnprintable));
  const widths = headings.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  const lines = all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}

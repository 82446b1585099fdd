/** A text with gaps to fill in. */
export type Template = (values: readonly string[]) => string;

/**
 * Turns a text into a template. Wherever an entry of `holes` occurs in the text, the template gets a gap,
 * which is filled with the value at the same index.
 */
export function createTemplate(text: string, holes: readonly string[]): Template {
  const parts: (string | number)[] = [];
  let rest = text;
  for (;;) {
    const offsets = holes.map((hole) => rest.indexOf(hole));
    const first = Math.min(...offsets.filter((offset) => offset >= 0));
    if (!Number.isFinite(first)) break;
    const hole = offsets.indexOf(first);
    parts.push(rest.slice(0, first), hole);
    rest = rest.slice(first + (holes[hole]?.length ?? 0));
  }
  if (parts.length === 0) return () => text;
  parts.push(rest);
  return (values) => {
    let filled = '';
    for (const part of parts) filled += typeof part === 'number' ? (values[part] ?? '') : part;
    return filled;
  };
}

/**
 * A commit that can be sent again and again. Each time it gets a new number, which fills in the values that
 * must differ.
 */
export function createCommitTemplate(
  {
    keys,
    args,
    unique,
  }: {readonly keys: readonly string[]; readonly args: readonly string[]; readonly unique: readonly string[]},
  sha: string,
): (n: number) => string[] {
  const parts = ['EVALSHA', sha, String(keys.length), ...keys, ...args].map((part) =>
    createTemplate(part, unique),
  );
  return (n) => {
    const values = padNumbers(unique, n);
    return parts.map((fill) => fill(values));
  };
}

/** Returns the number `n` for each gap, padded with zeros to the length of the gap. */
export function padNumbers(holes: readonly string[], n: number): string[] {
  return holes.map((hole) => String(n).padStart(hole.length, '0'));
}

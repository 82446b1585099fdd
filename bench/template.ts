/** A text whose holes are filled in. */
export type Template = (values: readonly string[]) => string;

/** The text as a template: wherever one of `holes` stands in it, the value at the same place is put. */
export function templateOf(text: string, holes: readonly string[]): Template {
  const parts: (string | number)[] = [];
  let rest = text;
  while (rest !== '') {
    const places = holes.map((hole) => rest.indexOf(hole));
    const first = Math.min(...places.filter((place) => place >= 0));
    if (!Number.isFinite(first)) break;
    const hole = places.indexOf(first);
    if (first > 0) parts.push(rest.slice(0, first));
    parts.push(hole);
    rest = rest.slice(first + (holes[hole]?.length ?? 0));
  }
  if (rest !== '') parts.push(rest);
  const [only] = parts;
  if (parts.length <= 1 && typeof only !== 'number') return () => text;
  return (values) => {
    let filled = '';
    for (const part of parts) filled += typeof part === 'number' ? (values[part] ?? '') : part;
    return filled;
  };
}

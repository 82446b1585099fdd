/** Whether a label contains every typed word, whatever its case and accents. */
export function matchesTyped(label: string, typed: string): boolean {
  const plain = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return plain(typed)
    .split(/\s+/)
    .every((part) => plain(label).includes(part));
}

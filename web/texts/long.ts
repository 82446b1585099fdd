/** Makes messages a third longer and puts them between marks, for tests of the layout. */
export function lengthenTexts<T>(texts: T): T {
  if (typeof texts === 'string') return `⟪${texts}${'ـ'.repeat(Math.ceil(texts.length / 3))}⟫` as T;
  if (typeof texts === 'function') {
    return ((...given: unknown[]) =>
      lengthenTexts((texts as unknown as (...given: unknown[]) => unknown)(...given))) as T;
  }
  if (typeof texts !== 'object' || texts === null) return texts;
  return Object.fromEntries(Object.entries(texts).map(([name, one]) => [name, lengthenTexts(one)])) as T;
}

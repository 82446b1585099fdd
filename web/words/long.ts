/** The same messages, a third longer and between marks, for tests of the layout. */
export function makeLong<T>(words: T): T {
  if (typeof words === 'string') return `⟪${words}${'ـ'.repeat(Math.ceil(words.length / 3))}⟫` as T;
  if (typeof words === 'function') {
    return ((...given: unknown[]) =>
      makeLong((words as unknown as (...given: unknown[]) => unknown)(...given))) as T;
  }
  if (typeof words !== 'object' || words === null) return words;
  return Object.fromEntries(Object.entries(words).map(([name, one]) => [name, makeLong(one)])) as T;
}

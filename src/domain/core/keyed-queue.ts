/** Creates a function that runs calls with the same key one after the other, and those with other keys at once. */
export function createKeyedQueue(): <T>(key: string, act: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return async function runInOrder(key, act) {
    const own = last.get(key)?.then(act, act) ?? act();
    last.set(key, own);
    try {
      return await own;
    } finally {
      if (last.get(key) === own) last.delete(key);
    }
  };
}

/** Resolves when the caller may go on, at the latest after `patienceMs`, with how to say that it is done. */
export type Enter = (patienceMs: number) => Promise<() => void>;

/** Lets in as many callers at a time as there are places, first come, first served. */
export function createPlaces(count: () => number): Enter {
  const waiting = new Set<() => void>();
  let taken = 0;

  function leave(): void {
    taken -= 1;
    for (const enter of waiting) {
      if (taken >= count()) return;
      enter();
    }
  }

  return (patienceMs) =>
    new Promise((resolve) => {
      if (waiting.size === 0 && taken < count()) {
        taken += 1;
        return resolve(leave);
      }
      const enter = (): void => {
        clearTimeout(timer);
        waiting.delete(enter);
        taken += 1;
        resolve(leave);
      };
      const timer = setTimeout(enter, patienceMs);
      waiting.add(enter);
    });
}

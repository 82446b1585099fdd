/** Resolves when the caller may go on. */
export type Pacer = () => Promise<void>;

/**
 * Lets in so many callers at each turn of the event loop, first come, first served. With two kinds of work,
 * each behind a pacer of its own, neither has the processor for longer than its share of a turn, however much
 * of it comes at once; and one that is alone loses nothing, since its turns are short. `nextTurn` runs
 * something at the next turn of the event loop.
 */
export function createPacer(perTurn: number, nextTurn: (run: () => void) => void): Pacer {
  const waiting: (() => void)[] = [];
  let left = perTurn;
  let isAsked = false;

  function ask(): void {
    if (isAsked) return;
    isAsked = true;
    nextTurn(begin);
  }

  function begin(): void {
    isAsked = false;
    const next = waiting.splice(0, perTurn);
    left = perTurn - next.length;
    for (const go of next) go();
    if (next.length > 0) ask();
  }

  return () => {
    ask();
    if (left === 0) return new Promise((resolve) => void waiting.push(resolve));
    left -= 1;
    return Promise.resolve();
  };
}

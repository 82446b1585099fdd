/** Random values that repeat for the same seed, so that a run can be repeated. */
export interface Chance {
  /** Returns a whole number between two numbers, both included. */
  between(from: number, to: number): number;
  pick<T>(choices: readonly T[]): T;
  /** Returns all elements in a new random order. */
  shuffle<T>(cards: readonly T[]): T[];
}

/** Creates random values by the algorithm mulberry32, whose 32 bits of state are enough for tests. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0;

  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  const between = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return {
    between,
    pick: <T>(choices: readonly T[]): T => choices[between(0, choices.length - 1)] as T,
    shuffle<T>(cards: readonly T[]): T[] {
      const shuffled = [...cards];
      for (let last = shuffled.length - 1; last > 0; last--) {
        const other = between(0, last);
        [shuffled[last], shuffled[other]] = [shuffled[other] as T, shuffled[last] as T];
      }
      return shuffled;
    },
  };
}

import {foldText} from './text.js';

function wordsOf(text: string): string[] {
  return foldText(text)
    .split(/[\s\p{P}]+/u)
    .filter((word) => word !== '');
}

/**
 * Whether each word that somebody has typed begins a word of these names, whatever the case and the
 * accents, in whatever order. What has no word names nobody.
 */
export function createNameSearch(typed: string): (names: readonly string[]) => boolean {
  const wanted = wordsOf(typed);
  return (names) => {
    const words = names.flatMap(wordsOf);
    return wanted.length > 0 && wanted.every((begin) => words.some((word) => word.startsWith(begin)));
  };
}

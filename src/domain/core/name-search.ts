import {foldText} from './text.js';

function splitWords(text: string): string[] {
  return foldText(text)
    .split(/[\s\p{P}]+/u)
    .filter((word) => word !== '');
}

/**
 * Tests whether each typed word begins a word of these names, ignoring case, accents and order. An input
 * without a word matches no name.
 */
export function createNameSearch(typed: string): (names: readonly string[]) => boolean {
  const wanted = splitWords(typed);
  return (names) => {
    const words = names.flatMap(splitWords);
    return wanted.length > 0 && wanted.every((begin) => words.some((word) => word.startsWith(begin)));
  };
}

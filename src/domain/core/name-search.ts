import {foldText} from './text.js';

function splitWords(text: string): string[] {
  return foldText(text)
    .split(/[\s\p{P}]+/u)
    .filter((word) => word !== '');
}

/**
 * Creates a test for names. A name matches if each typed word begins one of its words, ignoring case, accents
 * and order. Without a typed word, no name matches.
 */
export function createNameSearch(typed: string): (names: readonly string[]) => boolean {
  const wanted = splitWords(typed);
  return (names) => {
    const words = names.flatMap(splitWords);
    return wanted.length > 0 && wanted.every((begin) => words.some((word) => word.startsWith(begin)));
  };
}

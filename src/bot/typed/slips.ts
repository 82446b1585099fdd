import {editDistance} from '../../domain/core/text.js';

/**
 * True when a word is a typing error rather than a different word: "wfh" is no further from "web" than two
 * typing errors. Short words carry meaning; two letters may be swapped, one missing, added or wrong, but
 * rarely the first.
 */
export function isTypingError(typed: string, word: string): boolean {
  if (typed === word) return true;
  if (typed.length < 4) return typed.length === 3 && word.startsWith(typed);
  const letters = (of: string) => Array.from(of).toSorted().join('');
  if (letters(typed) === letters(word)) return true;
  const begins = typed[0] === word[0] || word.endsWith(typed);
  return begins && editDistance(typed, word) <= (word.length < 6 ? 1 : 2);
}

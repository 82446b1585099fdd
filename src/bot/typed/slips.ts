import {computeEditDistance} from '../../domain/core/text.js';

/**
 * True if a word is a typing error rather than a different word. Two letters may be swapped, or one may be
 * missing, added or wrong, but rarely the first. More errors are not allowed: "wfh" and "web" differ by only
 * two. Short words carry meaning.
 */
export function isTypingError(typed: string, word: string): boolean {
  if (typed === word) return true;
  if (typed.length < 4) return typed.length === 3 && word.startsWith(typed);
  const letters = (of: string) => Array.from(of).toSorted().join('');
  if (letters(typed) === letters(word)) return true;
  const begins = typed[0] === word[0] || word.endsWith(typed);
  return begins && computeEditDistance(typed, word) <= (word.length < 6 ? 1 : 2);
}

// src/domain/typed/: days as people type them, in Slack and in the command.
// Not here: the subcommands of Slack (src/bot/typed).
import {computeEditDistance} from '../core/text.js';

export const listWords = (...rows: readonly string[]): readonly string[] =>
  rows.flatMap((row) => row.split(','));

/** Matches reasons for which people skip a day. */
export const skipReasons =
  /^(?:today\b|because|due to|since\b|as i\b|for today|for now|i['’]?m\b|dentist|doctor|dr\b|medical|hospital|sick|ill\b|flu|cold\b|covid|fever|migraine|unwell|not (?:well|feeling)|vacation|holiday|pto|day off|off\b|ooo|travel|travell?ing|flight|on the road|on[ -]?call|training|conference|workshop|course|interviews?|all[ -]day|meetings?\b|busy|no time|nothing|not working|working from|kids?\b|child|family|funeral|wedding|moving|appointment|errands?|personal|exam|jury|power|internet|strike|half day|part[ -]time)/i;

/**
 * True for a typing error: two letters swapped, or one missing, added or wrong, rarely the first. More is
 * another word: "wfh" and "web" differ by only two letters.
 */
export function isTypingError(typed: string, word: string): boolean {
  if (typed === word) return true;
  if (typed.length < 4) return typed.length === 3 && word.startsWith(typed);
  const letters = (of: string) => Array.from(of).toSorted().join('');
  if (letters(typed) === letters(word)) return true;
  const begins = typed[0] === word[0] || word.endsWith(typed);
  return begins && computeEditDistance(typed, word) <= (word.length < 6 ? 1 : 2);
}

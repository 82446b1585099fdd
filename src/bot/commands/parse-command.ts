import {editDistance, nearMatches} from '../../domain/text.js';

/** Words that do something. */
export const commandWords = [
  'help',
  'today',
  'missing',
  'remind',
  'edit',
  'settings',
  'skip',
  'ooo',
  'back',
] as const;
export type CommandWord = (typeof commandWords)[number];

/** Words that are kept for what is still to come. */
const keptWords = ['web'];

/** What a person wants who has typed this after `/standup`. */
export type Command =
  | {readonly kind: 'form'}
  /** `rest`: what stood after it. */
  | {readonly kind: 'run'; readonly word: CommandWord; readonly rest: string}
  /** A word that does nothing yet. */
  | {readonly kind: 'kept'; readonly word: string}
  /** One word that is probably another one, mistyped; `typed` as it came. */
  | {readonly kind: 'unclear'; readonly typed: string; readonly word: string; readonly runs: boolean}
  | {readonly kind: 'update'};

/** No mistyped word is longer. */
const longestWord = 24;

/** `text`: decoded and trimmed. Whatever is not certainly, or probably, a word of the command is an update. */
export function parseCommand(text: string): Command {
  if (text === '') return {kind: 'form'};
  const typed = text.toLowerCase();
  const word = commandWords.find((known) => known === typed);
  if (word !== undefined) return {kind: 'run', word, rest: ''};
  if (keptWords.includes(typed)) return {kind: 'kept', word: typed};
  // What stands after these two is the reason, or the days.
  const [found, before] = /^(skip|ooo)\s+/.exec(typed) ?? [];
  if (before === 'skip' || before === 'ooo')
    return {kind: 'run', word: before, rest: text.slice(found?.length)};
  if (/\s/.test(text) || text.length > longestWord) return {kind: 'update'};
  const meant = findMeant(typed);
  if (meant === undefined) return {kind: 'update'};
  return {kind: 'unclear', typed: text, word: meant, runs: commandWords.some((known) => known === meant)};
}

/** The word that a single one is near to. A question mark alone asks for help. */
function findMeant(typed: string): string | undefined {
  const bare = typed.replaceAll(/^\P{L}+|\P{L}+$/gu, '');
  if (bare === '') return typed.includes('?') ? 'help' : undefined;
  return nearMatches(bare, [...commandWords, ...keptWords]).find((word) => isSlip(bare, word));
}

/**
 * Whether a word is a slip of the fingers rather than a word of its own: "ok", "wfh" and "hello" are no further from "ooo", "web" and "help"
 * than two typing errors. Short words say something; two letters may be swapped, one missing, added or wrong, but hardly the first.
 */
function isSlip(typed: string, word: string): boolean {
  if (typed === word) return true;
  if (typed.length < 4) return typed.length === 3 && word.startsWith(typed);
  const letters = (of: string) => Array.from(of).toSorted().join('');
  if (letters(typed) === letters(word)) return true;
  const begins = typed[0] === word[0] || word.endsWith(typed);
  return begins && editDistance(typed, word) <= (word.length < 6 ? 1 : 2);
}

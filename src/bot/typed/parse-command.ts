import {editDistance} from '../../domain/core/text.js';
import {containsDay, looksLikeMistypedDays, readsAsDays} from './parse-days.js';
import {isTypingError} from './slips.js';
import {
  asksAlone,
  type CommandName,
  commandNames,
  fillers,
  ordinaryWords,
  runsAlone,
  skipReasons,
  skipThings,
  mentionsWork,
} from './vocabulary.js';

export {type CommandName, commandNames};

/** The meaning of a text after `/standup`, or typed to the bot. */
export type Command =
  | {readonly kind: 'form'}
  /** `rest`: the argument of the subcommand. */
  | {readonly kind: 'run'; readonly name: CommandName; readonly rest: string}
  /** Not published without a question; `typed`: the original text. */
  | UnclearCommand
  /** `text`: the text to post, if it is only a part of the typed one. */
  | {readonly kind: 'update'; readonly text?: string};

export interface UnclearCommand {
  readonly kind: 'unclear';
  readonly typed: string;
  /** The subcommand that was probably meant. */
  readonly name: CommandName;
  /** The argument of the subcommand; left out for none. */
  readonly rest?: string;
  /** The update without the subcommand before it, if that may have been meant: `post Fixed it`. */
  readonly text?: string;
}

/** The maximum length of a mistyped subcommand. */
const maxCommandLength = 24;
/** The maximum length of a request to the bot; it fits into a button with room for its escapes. */
const longestRequest = 160;
/** A longer text of such words is an update: `hello world this is my first update`. */
const maxWords = 6;

/**
 * `text`: decoded and trimmed. A certain subcommand runs; a possible one leads to a question; any other text
 * is an update.
 */
export function parseCommand(text: string): Command {
  if (text === '') return {kind: 'form'};
  const said = /^(?:post|add)[ \t]*(?::|\n)\s*(\S[^]*)$/i.exec(text)?.[1];
  if (said !== undefined) return {kind: 'update', text: said};
  if (text.length > longestRequest || text.includes('\n'))
    return parseCommandWithReason(text) ?? {kind: 'update'};
  return (
    parseBareCommand(text) ??
    parseAbsenceCommand(text) ??
    parseSkipCommand(text) ??
    parseAbsenceSynonym(text) ??
    parsePostCommand(text) ??
    parseRequestWords(text)
  );
}

const segmenter = new Intl.Segmenter('en', {granularity: 'word'});
/** A longer text is more than two words, in any script. */
const longestLittle = 60;
/** Any of these carries information: a ticket, a number of one, an address. */
const names = /\b\p{L}{2,}-\d+|#\d|https?:\/\//iu;

/**
 * True when an update of two words or fewer does not mention work, so that it may be anything: `snooze 1h`,
 * `same`. No list has all commands that people expect, so these lead to a question after `/standup`, where a
 * text is published; typed to the bot the same words may be an answer.
 */
export function isUpdateTooShort(text: string): boolean {
  if (text.length > longestLittle || mentionsWork(text) || names.test(text)) return false;
  return [...segmenter.segment(text)].filter(({isWordLike}) => isWordLike).length <= 2;
}

/** A long reason still belongs to its subcommand. */
function parseCommandWithReason(text: string): Command | undefined {
  const [, name, rest = ''] = /^(ooo|skip)\s+([^]*)$/i.exec(text) ?? [];
  if (name === undefined) return undefined;
  if (name.toLowerCase() === 'ooo') return runnableCommand('ooo', rest);
  if (text.length <= longestRequest) return parseSkipCommand(['skip', rest].join(' '));
  return skipReasons.test(rest) && !mentionsWork(rest) ? runnableCommand('skip', rest) : undefined;
}

function unclear(
  typed: string,
  name: CommandName,
  more: Pick<UnclearCommand, 'rest' | 'text'> = {},
): UnclearCommand {
  return {kind: 'unclear', typed, name, ...more};
}

function runnableCommand(name: CommandName, rest = ''): Command {
  return name === 'form' ? {kind: 'form'} : {kind: 'run', name, rest};
}

/** One word: runs, leads to a question, or is a short update. */
function parseBareCommand(text: string): Command | undefined {
  if (/\s/.test(text)) return undefined;
  const typed = text.toLowerCase();
  const exact = runsAlone.get(typed);
  if (exact !== undefined) return runnableCommand(exact, impliedArgument(exact, typed));
  if (text.length > maxCommandLength) return {kind: 'update'};
  const bare = typed.replaceAll(/^\P{L}+|\P{L}+$/gu, '');
  if (bare === '') return typed.includes('?') ? unclear(text, 'help') : {kind: 'update'};
  if (/^[\p{L}'’]+:$/u.test(text)) return {kind: 'update'};
  const known = runsAlone.get(bare) ?? asksAlone.get(bare);
  if (known !== undefined) return unclear(text, known, impliedRest(known, bare));
  const meant = findSimilarSubcommand(bare);
  const name = meant === undefined ? undefined : runsAlone.get(meant);
  return meant === undefined || name === undefined
    ? {kind: 'update'}
    : unclear(text, name, impliedRest(name, meant));
}

/** The subcommand that a single word is near to. */
function findSimilarSubcommand(bare: string): string | undefined {
  if (ordinaryWords.has(bare)) return undefined;
  const near = [...runsAlone.keys()]
    .filter((word) => isTypingError(bare, word))
    .map((word) => ({word, distance: editDistance(bare, word)}))
    .filter(({distance}) => bare.length !== 4 || distance <= 2)
    .toSorted((a, b) => a.distance - b.distance);
  return near[0]?.word;
}

const isReason = /^(?:pto|vacation|holidays?|sick|ill)$/;

/** `sick` is also the reason, and `parseAbsenceSynonym` is not. */
function impliedArgument(name: CommandName, typed: string): string {
  return name === 'ooo' && isReason.test(typed) ? typed : '';
}

function impliedRest(name: CommandName, typed: string): Pick<UnclearCommand, 'rest'> {
  const rest = impliedArgument(name, typed);
  return rest === '' ? {} : {rest};
}

/** `ooo` and the text after it: the days, or the reason. */
function parseAbsenceCommand(text: string): Command | undefined {
  const [found] = /^ooo[\s:,]+/i.exec(text) ?? [];
  if (found === undefined) return undefined;
  const rest = text.slice(found.length);
  const isDoubtful = mentionsWork(rest) && !readsAsDays(rest);
  return isDoubtful ? unclear(text, 'ooo', {rest}) : runnableCommand('ooo', rest);
}

/** `skip` and the reason, for today: another day is an absence, and a skip list is work. */
function parseSkipCommand(text: string): Command | undefined {
  if (!/^skip[\s:,-]/i.test(text)) return undefined;
  const rest = text.slice(4).replace(/^[\s:,-]+/, '');
  if (skipThings.test(text)) return splitWords(text).length > 3 ? {kind: 'update'} : unclear(text, 'skip');
  const isToday = /^(?:(?:for )?today|this)(?![\p{L}\d])/iu.test(rest);
  if (!isToday && (readsAsDays(rest) || containsDay(rest))) return unclear(text, 'ooo', {rest});
  const isCertain = skipReasons.test(rest) && !mentionsWork(rest);
  if (isCertain || (!mentionsWork(rest) && splitWords(rest).length === 1 && !fillers.has(rest.toLowerCase())))
    return runnableCommand('skip', rest);
  return splitWords(text).length > 6 ? {kind: 'update'} : unclear(text, 'skip', isFiller(rest) ? {} : {rest});
}

const awayPattern =
  /^((?:(?:i['’]?m|i am|i['’]?ll be|i will be|we['’]?re|will be|taking|going|being|still|am|be)\s+)*)(?:(?:on|the|a)\s+)?(out of (?:the )?office|away|out|off|afk|gone|pto|vacation|holidays?|sick(?: leave| day)?|out sick|off sick|ill|(?:annual |parental |maternity |paternity |medical |paid |unpaid |sick )?leave|day off|days off|time off)(?=[\s,:.!;]|$)/iu;

/**
 * A synonym of away, with the days after it. Within a sentence it leads to a question; work with such a name
 * is an update.
 */
function parseAbsenceSynonym(text: string): Command | undefined {
  const found = awayPattern.exec(text);
  if (found === null) return undefined;
  const [whole, before = '', word = ''] = found;
  const days = text.slice(whole.length).replace(/^[\s,:;.!–—-]+/u, '');
  if (/^leave$/i.test(word) && !looksLikeMistypedDays(days)) return undefined;
  const why = /^(?:away|out|off|afk|gone|out of|day|days|time)\b/i.test(word) ? '' : word.toLowerCase();
  const sick = /sick/i.test(word) ? 'sick' : why;
  const rest = [sick, days].filter((part) => part !== '').join(' ');
  const more = rest === '' ? {} : {rest};
  if (days === '') return unclear(text, 'ooo', more);
  if (readsAsDays(days) && !mentionsWork(days)) {
    return before === '' ? runnableCommand('ooo', rest) : unclear(text, 'ooo', more);
  }
  if (mentionsWork(days)) return {kind: 'update'};
  if (looksLikeMistypedDays(days) && before === '') return runnableCommand('ooo', rest);
  const isShort =
    splitWords(text).length <= (sick === 'sick' ? 8 : 3) || isFiller(days) || looksLikeMistypedDays(days);
  return isShort ? unclear(text, 'ooo', more) : undefined;
}

/** `post Fixed it`: with the subcommand, or without. */
function parsePostCommand(text: string): Command | undefined {
  const said = /^post\s+(\S.*)$/i.exec(text)?.[1];
  if (said === undefined || /^post[ -]?mortem/i.test(text) || isFiller(said)) return undefined;
  return unclear(text, 'form', {text: said});
}

/** Several words: a request consists of subcommands and filler words, or begins as one and is short. */
function parseRequestWords(text: string): Command {
  const words = splitWords(text);
  const [first = ''] = words;
  const isQuestion = /^(?:who|what|when|where|why|how|can|could|do|does|is|are|should)\b.*\?\s*$/i.test(text);
  if (/^(?:who|how do|how does|how can|how to)\b/i.test(text) && words.length <= 8 && !mentionsWork(text))
    return unclear(text, guessCommand(words));
  if (isQuestion) return unclear(text, guessCommand(words));
  if (words.length > maxWords || mentionsWork(text)) return {kind: 'update'};
  const isZone = /^(?:(?:set|change|my)\s+(?:my\s+)?)?time ?zone\b/i.test(text);
  const isOfPeople = /^(?:add|invite|remove)\s+@\S+(?:\s+to\b.*)?$/i.test(text);
  if (isZone || isOfPeople) return unclear(text, isZone ? 'settings' : 'help');
  const isAbout = /^\S+\s*(?::|,|[–—]|-\s)/u.test(text) || /\S,|:\s/.test(text);
  if (words.some((word) => isCommand(word) || isMistypedCommand(word)) && words.every(isRequestWord))
    return unclear(text, guessCommand(words));
  const isRequest = strong.test(first) && words.length <= 4 && !isAbout;
  return isRequest ? unclear(text, guessCommand(words)) : {kind: 'update'};
}

/** Few updates begin with these words. */
const strong = /^(?:undo|remind|nudge|who|settings|preferences|config|setup)$/;

function splitWords(text: string): string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replaceAll(/['’]/g, '').replaceAll(/^[^\p{L}\d]+|(?<=[\p{L}\d])[^\p{L}\d]+$/gu, ''))
    .filter((word) => word !== '');
}

function isCommand(word: string): boolean {
  return runsAlone.has(word) || asksAlone.has(word);
}

function isMistypedCommand(word: string): boolean {
  return (
    word.length > 3 &&
    !fillers.has(word) &&
    !ordinaryWords.has(word) &&
    commandNames.some((known) => isTypingError(word, known))
  );
}

function isRequestWord(word: string): boolean {
  return (
    isCommand(word) || fillers.has(word) || isMistypedCommand(word) || /^\d{1,4}(?:st|nd|rd|th)?$/.test(word)
  );
}

function isFiller(text: string): boolean {
  return splitWords(text).every((word) => fillers.has(word) || isCommand(word));
}

/** The command by the words, the most specific first. */
const meanings: readonly (readonly [RegExp, CommandName])[] = [
  [/\b(?:what|when|where) (?:did|have|was) (?:i|my)\b/, 'history'],
  [/\b(?:help|how)\b/, 'help'],
  [/\bweb\b/, 'web'],
  [
    /\b(?:stop|dont|no|off|mute|disable|when|change|set)\b.*\bremind|\b(?:settings?|prefs|preferences|config\w*|options|time ?zone|notifications?|reminders?|unsubscribe|mute|unmute|profile)\b/,
    'settings',
  ],
  [/\b(?:missing|hasnt|havent|didnt|(?:not|isnt|yet) (?:\w+ )?(?:in|posted|yet)|not yet)\b/, 'missing'],
  [/\b(?:remind|nudge)\b/, 'remind'],
  [/\b(?:undo|revert|cancel|abort|oops|wrong|mistake|take back|nevermind|never mind)\b/, 'undo'],
  [/\b(?:delete|remove|retract|withdraw|discard)\b/, 'delete'],
  [/\b(?:edit|change|fix|modify|amend|correct)\b/, 'edit'],
  [/\bback\b/, 'back'],
  [
    /\b(?:history|previous|past|earlier|archive|mine|my (?:last )?(?:updates|standups|posts|entries))\b/,
    'history',
  ],
  [
    /\b(?:whos?|list|status|reports?|summary|stats|statistics|show|see|view|overview|progress|today)\b/,
    'today',
  ],
  [/\b(?:skip)\b/, 'skip'],
  [/\b(?:ooo|away|pto|vacation|holidays?|sick|out|afk)\b/, 'ooo'],
  [/\b(?:post|add|new|form|start|begin|write|submit|send|open)\b/, 'form'],
];

function guessCommand(words: readonly string[]): CommandName {
  const spelt = words.map(
    (word) => commandNames.find((known) => word.length > 3 && isTypingError(word, known)) ?? word,
  );
  for (const text of [words.join(' '), spelt.join(' ')]) {
    const found = meanings.find(([pattern]) => pattern.test(text));
    if (found !== undefined) return found[1];
  }
  const [named] = words.flatMap((word) => asksAlone.get(word) ?? runsAlone.get(word) ?? []);
  return named ?? 'help';
}

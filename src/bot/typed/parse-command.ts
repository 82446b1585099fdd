import {computeEditDistance} from '../../domain/core/text.js';
import {containsDay, startsWithMistypedDays, startsWithDays} from '../../domain/typed/parse-days.js';
import {isTypingError, skipReasons} from '../../domain/typed/words.js';
import {
  asksAlone,
  type CommandName,
  commandNames,
  fillers,
  greetings,
  ordinaryWords,
  runsAlone,
  skipThings,
  mentionsWork,
} from './vocabulary.js';

export {type CommandName, commandNames};

/** The meaning of a text after `/standup`, or typed to the bot. */
export type Command =
  | {readonly kind: 'form'}
  /** A subcommand to run. `rest`: its argument. */
  | {readonly kind: 'run'; readonly name: CommandName; readonly rest: string}
  /** A text that may be a subcommand: the bot posts it only after a confirmation. */
  | UnclearCommand
  /** An update. `text`: the part of the typed text to post, if not all of it. */
  | {readonly kind: 'update'; readonly text?: string};

export interface UnclearCommand {
  readonly kind: 'unclear';
  readonly typed: string;
  /** The subcommand that was probably meant. */
  readonly name: CommandName;
  readonly rest?: string;
  /** The text to post if the person meant only that: `Fixed it` in `post Fixed it`. */
  readonly text?: string;
}

const maxCommandLength = 24;
/** The maximum length of a request to the bot. It must fit into a button after escaping. */
const longestRequest = 160;
/** The maximum number of words of a request: `hello world this is my first update` is an update. */
const maxWords = 6;

/** The argument of `help` that asks for a short introduction. */
export const hello = 'hello';
/** The argument of `help` that asks for all commands. */
export const allCommands = 'all';

/** The arguments of `report`, besides last week, which is meant without one. */
export const reportPeriods = {thisWeek: 'this week', yesterday: 'yesterday'} as const;

/** Parses a decoded, trimmed text: a clear subcommand, perhaps one (the bot asks), or else an update. */
export function parseCommand(text: string): Command {
  if (text === '') return {kind: 'form'};
  if (greetings.test(text)) return makeRunnableCommand('help', hello);
  const said = /^(?:post|add)[ \t]*(?::|\n)\s*(\S[^]*)$/i.exec(text)?.[1];
  if (said !== undefined) return {kind: 'update', text: said};
  if (text.length > longestRequest || text.includes('\n'))
    return parseCommandWithReason(text) ?? {kind: 'update'};
  return (
    parseBareCommand(text) ??
    parseReportCommand(text) ??
    parseAbsenceCommand(text) ??
    parseSkipCommand(text) ??
    parseAbsenceSynonym(text) ??
    parsePostCommand(text) ??
    parseRequestWords(text)
  );
}

const segmenter = new Intl.Segmenter('en', {granularity: 'word'});
/** The maximum length of a text of two words; a longer text is more than that, in any script. */
const longestLittle = 60;
/** Signs of an informative text: a ticket such as `ABC-12`, a number such as `#12`, or a web address. */
const names = /\b\p{L}{2,}-\d+|#\d|https?:\/\//iu;

/**
 * True for at most two words without work, such as `snooze 1h`: no list has all commands people expect.
 * After `/standup`, which publishes, they lead to a question; typed to the bot, they may be an answer.
 */
export function isUpdateTooShort(text: string): boolean {
  if (text.length > longestLittle || mentionsWork(text) || names.test(text)) return false;
  return [...segmenter.segment(text)].filter(({isWordLike}) => isWordLike).length <= 2;
}

/** Parses `ooo` or `skip` and the reason after it. Even a long reason is not taken for an update. */
function parseCommandWithReason(text: string): Command | undefined {
  const [, name, rest = ''] = /^(ooo|skip)\s+([^]*)$/i.exec(text) ?? [];
  if (name === undefined) return undefined;
  if (name.toLowerCase() === 'ooo') return makeRunnableCommand('ooo', rest);
  if (text.length <= longestRequest) return parseSkipCommand(['skip', rest].join(' '));
  return skipReasons.test(rest) && !mentionsWork(rest) ? makeRunnableCommand('skip', rest) : undefined;
}

function makeUnclearCommand(
  typed: string,
  name: CommandName,
  more: Pick<UnclearCommand, 'rest' | 'text'> = {},
): UnclearCommand {
  return {kind: 'unclear', typed, name, ...more};
}

function makeRunnableCommand(name: CommandName, rest = ''): Command {
  return name === 'form' ? {kind: 'form'} : {kind: 'run', name, rest};
}

/** Parses one word: a subcommand, a probable subcommand, or a short update. */
function parseBareCommand(text: string): Command | undefined {
  if (/\s/.test(text)) return undefined;
  const typed = text.toLowerCase();
  const exact = runsAlone.get(typed);
  if (exact !== undefined) return makeRunnableCommand(exact, findImpliedArgument(exact, typed));
  if (text.length > maxCommandLength) return {kind: 'update'};
  const bare = typed.replaceAll(/^\P{L}+|\P{L}+$/gu, '');
  if (bare === '') return typed.includes('?') ? makeUnclearCommand(text, 'help') : {kind: 'update'};
  if (/^[\p{L}'’]+:$/u.test(text)) return {kind: 'update'};
  const known = runsAlone.get(bare) ?? asksAlone.get(bare);
  if (known !== undefined) return makeUnclearCommand(text, known, findImpliedRest(known, bare));
  const meant = findSimilarSubcommand(bare);
  const name = meant === undefined ? undefined : runsAlone.get(meant);
  return meant === undefined || name === undefined
    ? {kind: 'update'}
    : makeUnclearCommand(text, name, findImpliedRest(name, meant));
}

/** Parses `report` and the time that it is about. */
function parseReportCommand(text: string): Command | undefined {
  const [, period] = /^report\s+(?:(?:of|for)\s+)?(last week|this week|yesterday)[.!]?$/i.exec(text) ?? [];
  return period === undefined ? undefined : makeRunnableCommand('report', period.toLowerCase());
}

/** Returns the subcommand that is spelt almost like a single word. */
function findSimilarSubcommand(bare: string): string | undefined {
  if (ordinaryWords.has(bare)) return undefined;
  const near = [...runsAlone.keys()]
    .filter((word) => isTypingError(bare, word))
    .map((word) => ({word, distance: computeEditDistance(bare, word)}))
    .filter(({distance}) => bare.length !== 4 || distance <= 2)
    .toSorted((a, b) => a.distance - b.distance);
  return near[0]?.word;
}

const isReason = /^(?:pto|vacation|holidays?|sick|ill)$/;

/** Returns the argument that the typed word itself implies: the word `sick` is also the reason. */
function findImpliedArgument(name: CommandName, typed: string): string {
  return name === 'ooo' && isReason.test(typed) ? typed : '';
}

function findImpliedRest(name: CommandName, typed: string): Pick<UnclearCommand, 'rest'> {
  const rest = findImpliedArgument(name, typed);
  return rest === '' ? {} : {rest};
}

/** Parses `ooo` and the text after it: days or a reason. */
function parseAbsenceCommand(text: string): Command | undefined {
  const [found] = /^ooo[\s:,]+/i.exec(text) ?? [];
  if (found === undefined) return undefined;
  const rest = text.slice(found.length);
  const isDoubtful = mentionsWork(rest) && !startsWithDays(rest);
  return isDoubtful ? makeUnclearCommand(text, 'ooo', {rest}) : makeRunnableCommand('ooo', rest);
}

/** Parses `skip` and a reason, for today. With another day it is an absence; "skip list" is work. */
function parseSkipCommand(text: string): Command | undefined {
  if (!/^skip[\s:,-]/i.test(text)) return undefined;
  const rest = text.slice(4).replace(/^[\s:,-]+/, '');
  if (skipThings.test(text))
    return splitWords(text).length > 3 ? {kind: 'update'} : makeUnclearCommand(text, 'skip');
  const isToday = /^(?:(?:for )?today|this)(?![\p{L}\d])/iu.test(rest);
  if (!isToday && (startsWithDays(rest) || containsDay(rest))) return makeUnclearCommand(text, 'ooo', {rest});
  const isCertain = skipReasons.test(rest) && !mentionsWork(rest);
  if (isCertain || (!mentionsWork(rest) && splitWords(rest).length === 1 && !fillers.has(rest.toLowerCase())))
    return makeRunnableCommand('skip', rest);
  return splitWords(text).length > 6
    ? {kind: 'update'}
    : makeUnclearCommand(text, 'skip', isFiller(rest) ? {} : {rest});
}

const awayPattern =
  /^((?:(?:i['’]?m|i am|i['’]?ll be|i will be|we['’]?re|will be|taking|going|being|still|am|be)\s+)*)(?:(?:on|the|a)\s+)?(out of (?:the )?office|away|out|off|afk|gone|pto|vacation|holidays?|sick(?: leave| day)?|out sick|off sick|ill|(?:annual |parental |maternity |paternity |medical |paid |unpaid |sick )?leave|day off|days off|time off)(?=[\s,:.!;]|$)/iu;

/** Parses a synonym of being away with days after it. Within a sentence it leads to a question. */
function parseAbsenceSynonym(text: string): Command | undefined {
  const found = awayPattern.exec(text);
  if (found === null) return undefined;
  const [whole, before = '', word = ''] = found;
  const days = text.slice(whole.length).replace(/^[\s,:;.!–—-]+/u, '');
  if (/^leave$/i.test(word) && !startsWithMistypedDays(days)) return undefined;
  const why = /^(?:away|out|off|afk|gone|out of|day|days|time)\b/i.test(word) ? '' : word.toLowerCase();
  const sick = /sick/i.test(word) ? 'sick' : why;
  const rest = [sick, days].filter((part) => part !== '').join(' ');
  const more = rest === '' ? {} : {rest};
  if (days === '') return makeUnclearCommand(text, 'ooo', more);
  if (startsWithDays(days) && !mentionsWork(days)) {
    return before === '' ? makeRunnableCommand('ooo', rest) : makeUnclearCommand(text, 'ooo', more);
  }
  if (mentionsWork(days)) return {kind: 'update'};
  if (startsWithMistypedDays(days) && before === '') return makeRunnableCommand('ooo', rest);
  const isShort =
    splitWords(text).length <= (sick === 'sick' ? 8 : 3) || isFiller(days) || startsWithMistypedDays(days);
  return isShort ? makeUnclearCommand(text, 'ooo', more) : undefined;
}

/** Parses `post Fixed it`, in which `post` may be a subcommand or part of the update. */
function parsePostCommand(text: string): Command | undefined {
  const said = /^post\s+(\S.*)$/i.exec(text)?.[1];
  if (said === undefined || /^post[ -]?mortem/i.test(text) || isFiller(said)) return undefined;
  return makeUnclearCommand(text, 'form', {text: said});
}

/** Parses several words. A request consists of subcommands and fillers, or is short and begins like one. */
function parseRequestWords(text: string): Command {
  const words = splitWords(text);
  const [first = ''] = words;
  const isQuestion = /^(?:who|what|when|where|why|how|can|could|do|does|is|are|should)\b.*\?\s*$/i.test(text);
  if (/^(?:who|how do|how does|how can|how to)\b/i.test(text) && words.length <= 8 && !mentionsWork(text))
    return makeUnclearCommand(text, guessCommand(words));
  if (isQuestion) return makeUnclearCommand(text, guessCommand(words));
  if (words.length > maxWords || mentionsWork(text)) return {kind: 'update'};
  const isZone = /^(?:(?:set|change|my)\s+(?:my\s+)?)?time ?zone\b/i.test(text);
  const isOfPeople = /^(?:add|invite|remove)\s+@\S+(?:\s+to\b.*)?$/i.test(text);
  if (isZone || isOfPeople) return makeUnclearCommand(text, isZone ? 'settings' : 'help');
  const isAbout = /^\S+\s*(?::|,|[–—]|-\s)/u.test(text) || /\S,|:\s/.test(text);
  if (words.some((word) => isCommand(word) || isMistypedCommand(word)) && words.every(isRequestWord))
    return makeUnclearCommand(text, guessCommand(words));
  const isRequest = strong.test(first) && words.length <= 4 && !isAbout;
  return isRequest ? makeUnclearCommand(text, guessCommand(words)) : {kind: 'update'};
}

/** Words with which few updates begin. */
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

/** The subcommands by the words that mean them, the most specific first. */
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
  [/\breports?\b/, 'report'],
  [/\b(?:whos?|list|status|summary|stats|statistics|show|see|view|overview|progress|today)\b/, 'today'],
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

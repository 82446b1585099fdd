import {limits} from './limits.js';

/** Rules for text that people and programs send. */

/** Returns the length of a text in Unicode code points, as all documented limits count. */
export function countCodePoints(text: string): number {
  let count = text.length;
  for (let i = 1; i < text.length; i++) {
    if (isLowSurrogate(text.charCodeAt(i)) && isHighSurrogate(text.charCodeAt(i - 1))) count--;
  }
  return count;
}

/** Functions for the two UTF-16 code units of which a code point above U+FFFF consists. */
function isHighSurrogate(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800;
}

function isLowSurrogate(unit: number): boolean {
  return (unit & 0xfc00) === 0xdc00;
}

/** Matches control characters: U+0000 to U+001F except for newline, return and tab, and U+007F to U+009F. */
const controlCharacters = /[^\P{Cc}\n\r\t]/u;

/** Returns the error in the characters of a text. It completes a sentence about the field. */
export function findCharacterError(text: string): string | undefined {
  if (controlCharacters.test(text))
    return 'must not contain control characters other than newline, return and tab';
  if (/\p{Surrogate}/u.test(text)) return 'must be well-formed Unicode (it has half of a surrogate pair)';
  return undefined;
}

/** True for a text without a visible character. U+2800 is a Braille pattern without dots. */
export function isBlank(text: string): boolean {
  return !/[^\s\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]/u.test(text);
}

/** Returns the error in a text, which completes a sentence about the field; undefined for none. */
export function findTextError(text: string, max: number): string | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return 'must not be empty or only white space';
  if (isBlank(trimmed)) return 'must have a visible character';
  // A text never has more code points than UTF-16 units, so most texts need no counting.
  const length = trimmed.length <= max ? trimmed.length : countCodePoints(trimmed);
  if (length > max) return `is ${length} characters long; at most ${max} are allowed`;
  return findCharacterError(text);
}

/** Matches an email address. The documented pattern only uses syntax that other languages have too. */
export const addressPattern = /^[^\s@"(),:;<>[\\\]]+@[^\s@.]+(?:\.[^\s@.]+)+$/;

export function isEmailAddress(text: string): boolean {
  return text.length <= limits.email && addressPattern.test(text) && !/\p{Cc}/u.test(text);
}

/**
 * Converts an email address to the form that is stored: only the letters A to Z become lower case. Unicode
 * rules could turn two people's addresses into one: U+212A (KELVIN SIGN) would become `k`.
 */
export function normalizeEmail(address: string): string {
  return address.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Characters that Unicode normalization turns into ASCII, which would give another address. */
const lookalikes = /([\u037E\u1FEF\u212A])/;

/** Characters that a host name in a URL cannot contain, or that are read in another way there. */
const notOfNames = /[/?#\\:%]/;

/**
 * Returns the common form of all spellings of an email address, for comparisons only. It composes letters,
 * converts capitals outside ASCII to lower case, and writes the domain in Punycode. Other letters never
 * become ASCII letters.
 */
export function createEmailComparisonKey(address: string): string {
  const folded = normalizeEmail(address);
  if (/^\p{ASCII}*$/u.test(folded)) return folded;
  const composed = folded
    .split(lookalikes)
    .map((part) => part.normalize('NFC'))
    .join('');
  const lowered = composed.replaceAll(/\P{ASCII}/gu, (letter) => {
    const lower = letter.toLowerCase();
    return /^\P{ASCII}$/u.test(lower) ? lower : letter;
  });
  const at = lowered.lastIndexOf('@') + 1;
  const domain = lowered.slice(at);
  // A URL parser would ignore everything after the host name, so an impossible address would be equal to a
  // real one.
  const url = at > 0 && !notOfNames.test(domain) ? URL.parse(`https://${domain}`) : null;
  return url === null ? lowered : lowered.slice(0, at) + url.hostname;
}

/** Letters that Unicode does not decompose, with the spelling of people who cannot type them. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/**
 * Creates a function that prepares texts for searches, without case and accents: `Søren Ünsal` becomes `soren
 * unsal`. It decomposes each letter separately, because a text with many combining marks would take long.
 */
export function createSearchTextNormalizer(): (text: string) => string {
  const folded = new Map<string, string>();

  function foldLetter(letter: string): string {
    const known = folded.get(letter);
    if (known !== undefined) return known;
    const fresh = Array.from(letter.normalize('NFKD').replaceAll(/\p{Mark}/gu, ''))
      .map((part) => plainLetters[part] ?? part)
      .join('');
    folded.set(letter, fresh);
    return fresh;
  }

  return (text) => text.toLowerCase().replaceAll(/\P{ASCII}/gu, foldLetter);
}

export function foldText(text: string): string {
  return createSearchTextNormalizer()(text);
}

const slugPattern = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

export function isSlug(text: string, max: number): boolean {
  return text.length <= max && slugPattern.test(text);
}

/** Makes a slug from a name: `Team Größe 1` becomes `team-grosse-1`; undefined when nothing is left. */
export function createSlugFromName(name: string, max: number): string | undefined {
  const slug = name
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, max)
    .replaceAll(/^-+|-+$/g, '');
  return slug === '' ? undefined : slug;
}

/** Formats a value from a request for a message: shortened, quoted, with escaped control characters. */
export function quoteForMessage(reference: string): string {
  return JSON.stringify(reference.length > nearLength ? `${reference.slice(0, nearLength)}…` : reference);
}

/** The maximum length of a text in a comparison. Longer text is cut, since no candidate is as long. */
const nearLength = 80;

/** The pairs of letters that are compared for one text: a few milliseconds of a busy process. */
const mostPairs = 500_000;

/**
 * Finds up to three candidates that may be meant by `typed`, the nearest first. Case is ignored. Of very many
 * long candidates the last ones are left out.
 */
export function findNearMatches(typed: string, candidates: readonly string[]): string[] {
  const wanted = typed.toLowerCase().slice(0, nearLength);
  const bound = wanted.length < 5 ? 1 : Math.max(2, Math.floor(wanted.length / 3));
  let pairs = 0;

  function computeDistance(candidate: string): number {
    if (wanted.length >= 2 && candidate.startsWith(wanted)) return 0;
    if (isSwapOfNeighbors(wanted, candidate)) return 1;
    if (Math.abs(wanted.length - candidate.length) > bound) return Number.POSITIVE_INFINITY;
    pairs += wanted.length * candidate.length;
    return pairs > mostPairs ? Number.POSITIVE_INFINITY : computeEditDistance(wanted, candidate, bound);
  }

  return candidates
    .map((candidate) => ({candidate, distance: computeDistance(candidate.toLowerCase())}))
    .filter(({distance}) => distance <= bound)
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({candidate}) => candidate);
}

/** Returns a sentence, after a space, that suggests near candidates; `otherwise` without any. */
export function suggestNearMatches(typed: string, candidates: readonly string[], otherwise = ''): string {
  return formatSuggestions(findNearMatches(typed, candidates), otherwise);
}

/** Returns the sentence for candidates that are already known to be near. */
export function formatSuggestions(near: readonly string[], otherwise = ''): string {
  return near.length === 0 ? otherwise : ` Did you mean ${near.map((one) => `"${one}"`).join(' or ')}?`;
}

/** True when two neighbouring letters are exchanged, the most frequent typing mistake. */
export function isSwapOfNeighbors(typed: string, candidate: string): boolean {
  let at = 0;
  while (at < typed.length && typed[at] === candidate[at]) at += 1;
  const swapped = `${candidate.slice(0, at)}${candidate[at + 1] ?? ''}${candidate[at] ?? ''}${candidate.slice(at + 2)}`;
  return typed !== candidate && typed === swapped && typed.length === candidate.length;
}

/** Returns the Levenshtein distance, or infinity as soon as it is above `bound`. It keeps two rows of the table. */
export function computeEditDistance(a: string, b: string, bound = Number.POSITIVE_INFINITY): number {
  let row = Uint32Array.from({length: b.length + 1}, (_, i) => i);
  let next = new Uint32Array(row.length);
  for (let i = 1; i <= a.length; i++) {
    next[0] = i;
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const distance = Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
      next[j] = distance;
      least = Math.min(least, distance);
    }
    if (least > bound) return Number.POSITIVE_INFINITY;
    [row, next] = [next, row];
  }
  return row[b.length] ?? 0;
}

/**
 * Returns the part of an update that is about its own day: the section under "Today". An update without
 * headings is returned completely.
 */
export function findTodaySection(update: string): string {
  return /(?:^|\n\n)Today\n([^]*?)(?:\n\nBlockers\n[^]*)?$/.exec(update)?.[1] ?? update;
}

import {limits} from './limits.js';

/** Rules for text that people and programs send. */

/** Length in Unicode code points, which is what every published limit counts. */
export function countCodePoints(text: string): number {
  let count = text.length;
  for (let i = 1; i < text.length; i++) {
    if (isLowSurrogate(text.charCodeAt(i)) && isHighSurrogate(text.charCodeAt(i - 1))) count--;
  }
  return count;
}

/** The two halves of a code point above U+FFFF. */
function isHighSurrogate(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800;
}

function isLowSurrogate(unit: number): boolean {
  return (unit & 0xfc00) === 0xdc00;
}

/** U+0000 to U+001F but newline, return and tab, and U+007F to U+009F. */
const controlCharacters = /[^\P{Cc}\n\r\t]/u;

/**
 * The error in the characters of a text, whatever its length, as the end of a sentence that begins with its
 * name.
 */
export function findCharacterError(text: string): string | undefined {
  if (controlCharacters.test(text))
    return 'must not contain control characters other than newline, return and tab';
  if (/\p{Surrogate}/u.test(text)) return 'must be well-formed Unicode (it has half of a surrogate pair)';
  return undefined;
}

/** True for a text without a visible character: U+2800 is an empty pattern of Braille. */
export function isBlank(text: string): boolean {
  return !/[^\s\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]/u.test(text);
}

/** The error of a text, as the end of a sentence that begins with its name; undefined when it is valid. */
export function findTextError(text: string, max: number): string | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return 'must not be empty or only white space';
  if (isBlank(trimmed)) return 'must have a visible character';
  // A text has at most as many code points as UTF-16 units: most need no counting.
  const length = trimmed.length <= max ? trimmed.length : countCodePoints(trimmed);
  if (length > max) return `is ${length} characters long; at most ${max} are allowed`;
  return findCharacterError(text);
}

/** Published, so it uses only syntax that validators in other languages support. */
export const addressPattern = /^[^\s@"(),:;<>[\\\]]+@[^\s@.]+(?:\.[^\s@.]+)+$/;

export function isEmailAddress(text: string): boolean {
  return text.length <= limits.email && addressPattern.test(text) && !/\p{Cc}/u.test(text);
}

/**
 * An e-mail address as it is compared and kept: the letters A to Z lowered, all else as it is. Lowering by
 * Unicode would make one address of two that different people may hold: U+212A (KELVIN SIGN) becomes `k`.
 */
export function normalizeEmail(address: string): string {
  return address.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/**
 * Characters that normalization turns into ASCII, which would make another address: U+037E, U+1FEF, U+212A.
 */
const lookalikes = /([\u037E\u1FEF\u212A])/;

/** Characters that end a host name in a URL, or write it in another way. */
const notOfNames = /[/?#\\:%]/;

/**
 * The common form of all spellings of one e-mail address: letters composed or not, capitals outside ASCII,
 * and a domain in letters or in Punycode. It is compared, never shown or written to. No letter becomes one of
 * ASCII.
 */
export function emailComparisonKey(address: string): string {
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
  // A URL parser would read only the name in a longer text: an impossible address would equal a real one.
  const url = at > 0 && !notOfNames.test(domain) ? URL.parse(`https://${domain}`) : null;
  return url === null ? lowered : lowered.slice(0, at) + url.hostname;
}

/** Letters that Unicode does not decompose, as people type them who have no key for them. */
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
 * Folds texts as searches compare them, without case and accents: `Søren Ünsal` becomes `soren unsal`.
 * Decomposes each letter once for all of its texts: decomposing a whole text sorts its marks, which takes
 * long where there are many.
 */
export function createTextFolder(): (text: string) => string {
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
  return createTextFolder()(text);
}

const slugPattern = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

export function isSlug(text: string, max: number): boolean {
  return text.length <= max && slugPattern.test(text);
}

/** A slug made from a name: `Team Größe 1` becomes `team-grosse-1`; undefined when nothing usable is left. */
export function slugFromName(name: string, max: number): string | undefined {
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

/** A value from a request, as a sentence shows it: cut, in quotes, and with control characters escaped. */
export function quoteForMessage(reference: string): string {
  return JSON.stringify(reference.length > nearLength ? `${reference.slice(0, nearLength)}…` : reference);
}

/** Longer than anything that is meant; the rest of a text is not compared. */
const nearLength = 80;

/** Up to three candidates that a person may have meant by `typed`, nearest first, in whatever case. */
export function nearMatches(typed: string, candidates: readonly string[]): string[] {
  const wanted = typed.toLowerCase().slice(0, nearLength);
  const bound = wanted.length < 5 ? 1 : Math.max(2, Math.floor(wanted.length / 3));
  return candidates
    .map((candidate) => ({candidate, distance: editDistanceWithin(wanted, candidate.toLowerCase(), bound)}))
    .filter(({distance}) => distance <= bound)
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({candidate}) => candidate);
}

/**
 * The sentence that suggests what was probably meant, with a space before it; `otherwise` when no candidate
 * is near.
 */
export function didYouMean(typed: string, candidates: readonly string[], otherwise = ''): string {
  return sentenceForSuggestions(nearMatches(typed, candidates), otherwise);
}

/** The same for candidates that are known to be near. */
export function sentenceForSuggestions(near: readonly string[], otherwise = ''): string {
  return near.length === 0 ? otherwise : ` Did you mean ${near.map((one) => `"${one}"`).join(' or ')}?`;
}

function editDistanceWithin(typed: string, candidate: string, bound: number): number {
  if (typed.length >= 2 && candidate.startsWith(typed)) return 0;
  if (isSwapOfNeighbors(typed, candidate)) return 1;
  if (Math.abs(typed.length - candidate.length) > bound) return Number.POSITIVE_INFINITY;
  return editDistance(typed, candidate);
}

/** Two neighbouring letters the other way round: the most frequent slip. */
export function isSwapOfNeighbors(typed: string, candidate: string): boolean {
  let at = 0;
  while (at < typed.length && typed[at] === candidate[at]) at += 1;
  const swapped = `${candidate.slice(0, at)}${candidate[at + 1] ?? ''}${candidate[at] ?? ''}${candidate.slice(at + 2)}`;
  return typed !== candidate && typed === swapped && typed.length === candidate.length;
}

/** Levenshtein distance, one row at a time. */
export function editDistance(a: string, b: string): number {
  let row = Array.from({length: b.length + 1}, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/**
 * The part of an update about its day: the section under Today, or the whole update when it has no headings.
 */
export function todaySectionOf(update: string): string {
  return /(?:^|\n\n)Today\n([^]*?)(?:\n\nBlockers\n[^]*)?$/.exec(update)?.[1] ?? update;
}

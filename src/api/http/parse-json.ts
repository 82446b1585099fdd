import {AppError} from '../../domain/core/errors.js';
import {limits} from '../../domain/core/limits.js';
import {losesPrecision} from '../../domain/core/numbers.js';
import {hasBackslashName} from './backslash-names.js';

/** The maximum nesting depth of a body: more than the API needs, but safe for recursive functions. */
const maxDepth = 16;
/** Names that are dangerous in JavaScript: code that copies them could change all objects' prototype. */
const prototypeNames = new Set(['__proto__', 'constructor', 'prototype']);
const halfAPair = /\p{Surrogate}/u;
const longestShownName = 40;

const utf8 = new TextDecoder('utf-8', {fatal: true});
/** The beginning of an escaped colon, which may be in a string without being visible. */
const escapedColon = '\\u003';
/** Matches a string with a colon after it, or a brace: enough to find duplicate names in valid JSON. */
const tokens = /"([^"\\]*(?:\\.[^"\\]*)*)"([ \t\n\r]*:)?|[{}]/g;

/**
 * Reads JSON that every parser understands in the same way (RFC 8259, and RFC 7493 on duplicate names).
 * Errors: `malformed_json`, also for
 * - invalid UTF-8, which would otherwise be replaced without notice;
 * - a name that occurs twice in an object, as parsers choose different values;
 * - names that are dangerous in JavaScript, are no Unicode text, or contain a backslash;
 * - nesting that is too deep, and an object with too many fields.
 */
export function parseJson(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw createMalformedJsonError('The body is not valid UTF-8.');
  }
  if (hasBackslashName(text))
    throw createMalformedJsonError(
      'The body has a member whose name has a backslash, which is not allowed: rename it.',
    );
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw createMalformedJsonError(
      `The body is not JSON: ${describeParseError(error)}. Names and texts need double quotes: {"name": "value"}.`,
    );
  }
  const colons = countMemberColons(value, 0);
  // The parser keeps the last of two equal names, so the text then has more colons than the result.
  if (countColons(text) !== colons || text.includes(escapedColon)) requireDistinctNames(text);
  return doubtful.test(text) ? markLostNumbers(text, value) : value;
}

/** Returns the parser's error message without the part that quotes the body. */
function describeParseError(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  if (/^Unexpected end|^Unterminated/.test(message)) return 'it ends too early';
  const position = /position (\d+)/.exec(message)?.[1];
  return position === undefined
    ? 'it has an unexpected character'
    : `unexpected character at position ${position}`;
}

/** Counts the colons that a value's text must have: one for each field, and those inside strings. */
function countMemberColons(value: unknown, depth: number): number {
  if (typeof value === 'string') return countColons(value);
  if (typeof value !== 'object' || value === null) return 0;
  if (depth >= maxDepth)
    throw createMalformedJsonError(`The body is nested more than ${maxDepth} levels deep.`);
  let colons = 0;
  if (Array.isArray(value)) {
    for (const item of value) colons += countMemberColons(item, depth + 1);
    return colons;
  }
  const members = Object.entries(value);
  // Schemas report each wrong field, so a huge object would cost much. Lists are checked for length.
  if (members.length > limits.objectMembers) {
    throw createMalformedJsonError(
      `The body has an object with ${members.length} members; at most ${limits.objectMembers} are allowed.`,
    );
  }
  for (const [name, member] of members) {
    if (prototypeNames.has(name))
      throw createMalformedJsonError(
        `The body has a member named "${name}", which is not allowed: rename it.`,
      );
    if (halfAPair.test(name))
      throw createMalformedJsonError('The body has a member whose name has half of a surrogate pair.');
    colons += 1 + countColons(name) + countMemberColons(member, depth + 1);
  }
  return colons;
}

/** Stands for a number that JavaScript cannot represent exactly. Every schema refuses it. */
export class LostNumber {
  readonly written: string;

  constructor(written: string) {
    this.written = written;
  }
}

/** Matches long, very large and very small numbers, which few texts contain. */
const doubtful = /[\d.]{16}|\d[eE][+-]?\d{3}/;
const stringsAndNumbers = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
/** The name of a temporary field. No body contains it, because the parser refuses this name. */
const lostName = 'constructor';

/** Replaces each number that the parser could not represent exactly by a `LostNumber`. */
function markLostNumbers(text: string, value: unknown): unknown {
  let isAny = false;
  const marked = text.replaceAll(stringsAndNumbers, (token) => {
    if (token.startsWith('"') || !losesPrecision(token)) return token;
    isAny = true;
    return `{"${lostName}":"${token}"}`;
  });
  if (!isAny) return value;
  return JSON.parse(marked, (_, found: unknown) => {
    const isMark = typeof found === 'object' && found !== null && Object.hasOwn(found, lostName);
    return isMark ? new LostNumber(String((found as Record<string, unknown>)[lostName])) : found;
  });
}

function countColons(text: string): number {
  let count = 0;
  for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at + 1)) count += 1;
  return count;
}

/** Finds a name that occurs twice in an object: slower than the parser, so only for suspicious texts. */
export function requireDistinctNames(text: string): void {
  const open: Set<string>[] = [];
  for (let match = tokens.exec(text); match !== null; match = tokens.exec(text)) {
    const [token, written = '', colon] = match;
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    else if (colon !== undefined) {
      const name = written.includes('\\') ? String(JSON.parse(`"${written}"`)) : written;
      const names = open.at(-1);
      if (names?.has(name) === true) {
        // Resets the shared regular expression, which would otherwise start in the middle of the next text.
        tokens.lastIndex = 0;
        throw createMalformedJsonError(`The body has the member "${name.slice(0, longestShownName)}" twice.`);
      }
      names?.add(name);
    }
  }
}

function createMalformedJsonError(message: string): AppError {
  return new AppError('malformed_json', message);
}

import {AppError} from '../../domain/core/errors.js';
import {limits} from '../../domain/core/limits.js';
import {losesPrecision} from '../../domain/core/numbers.js';
import {hasBackslashName} from './backslash-names.js';

/** Deeper than anything the API takes, and shallow enough for everything that walks a value. */
const maxDepth = 16;
/** Names with which a carelessly copied value would reach the prototype of all objects. */
const prototypeNames = new Set(['__proto__', 'constructor', 'prototype']);
const halfAPair = /\p{Surrogate}/u;
const longestShownName = 40;

const utf8 = new TextDecoder('utf-8', {fatal: true});
/** The start of an escape that can put a colon in a string without one in its text. */
const escapedColon = '\\u003';
/**
 * Matches a string with the colon that makes it a name, or a brace: enough to find duplicates in valid JSON.
 */
const tokens = /"([^"\\]*(?:\\.[^"\\]*)*)"([ \t\n\r]*:)?|[{}]/g;

/**
 * Reads JSON that means the same to every parser (RFC 8259, and RFC 7493 on duplicates).
 * Errors: `malformed_json`, also for
 * - invalid UTF-8, which would silently be replaced;
 * - a member that occurs twice, for which parsers choose different values;
 * - names that lead to a prototype, are no Unicode text, or have a backslash;
 * - nesting that is too deep, and an object with too many members.
 */
export function parseJson(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw malformedJsonError('The body is not valid UTF-8.');
  }
  if (hasBackslashName(text))
    throw malformedJsonError(
      'The body has a member whose name has a backslash, which is not allowed: rename it.',
    );
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw malformedJsonError(
      `The body is not JSON: ${whereParsingStopped(error)}. Names and texts need double quotes: {"name": "value"}.`,
    );
  }
  const colons = countMemberColons(value, 0);
  // The parser keeps the last of two members of one name: then the text has more colons than its value.
  if (countColons(text) !== colons || text.includes(escapedColon)) requireDistinctNames(text);
  return doubtful.test(text) ? markLostNumbers(text, value) : value;
}

/** The parser's message without the piece of the body that it quotes. */
function whereParsingStopped(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  if (/^Unexpected end|^Unterminated/.test(message)) return 'it ends too early';
  const position = /position (\d+)/.exec(message)?.[1];
  return position === undefined
    ? 'it has an unexpected character'
    : `unexpected character at position ${position}`;
}

/**
 * Counts the colons in the text of a value, if none is escaped: one for each member, and those in its
 * strings.
 */
function countMemberColons(value: unknown, depth: number): number {
  if (typeof value === 'string') return countColons(value);
  if (typeof value !== 'object' || value === null) return 0;
  if (depth >= maxDepth) throw malformedJsonError(`The body is nested more than ${maxDepth} levels deep.`);
  let colons = 0;
  if (Array.isArray(value)) {
    for (const item of value) colons += countMemberColons(item, depth + 1);
    return colons;
  }
  const members = Object.entries(value);
  // A schema looks at every member, and reports each wrong one; for a list it looks at the length first.
  if (members.length > limits.objectMembers) {
    throw malformedJsonError(
      `The body has an object with ${members.length} members; at most ${limits.objectMembers} are allowed.`,
    );
  }
  for (const [name, member] of members) {
    if (prototypeNames.has(name))
      throw malformedJsonError(`The body has a member named "${name}", which is not allowed: rename it.`);
    if (halfAPair.test(name))
      throw malformedJsonError('The body has a member whose name has half of a surrogate pair.');
    colons += 1 + countColons(name) + countMemberColons(member, depth + 1);
  }
  return colons;
}

/** A number that JavaScript cannot represent. Every schema refuses it, whatever it expects there. */
export class LostNumber {
  readonly written: string;

  constructor(written: string) {
    this.written = written;
  }
}

/** Matches long numbers, and very large or very small ones: few texts have them. */
const doubtful = /[\d.]{16}|\d[eE][+-]?\d{3}/;
const stringsAndNumbers = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
/** No body has a member of this name. */
const lostName = 'constructor';

/** Replaces each number that the parser has changed by a `LostNumber`. */
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

/** Finds the member that occurs twice. Slower than the parser: only for texts whose colons leave a doubt. */
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
        // Without this, the expression would go on from here with the next text.
        tokens.lastIndex = 0;
        throw malformedJsonError(`The body has the member "${name.slice(0, longestShownName)}" twice.`);
      }
      names?.add(name);
    }
  }
}

function malformedJsonError(message: string): AppError {
  return new AppError('malformed_json', message);
}

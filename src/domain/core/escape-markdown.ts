import {findLinkAt} from './links.js';
import {plainText} from './markdown.js';

/** Matches what would begin a quote or an item of a list. */
const blockMark = /^([ \t]*)(>|[-+*](?=[ \t]|$)|\d{1,9}(?=[.)](?:[ \t]|$)))/;

const reference = /^&(?:#\d{1,7}|#x[\da-f]{1,6}|\w+);/i;

const wordCharacter = /[\p{L}\p{N}]/u;
const asciiPunctuation = /[!-/:-@[-`{-~]/;

/**
 * Writes a text so that Markdown shows it as it is. Addresses stay links, unless marks directly behind them
 * would be read as formatting.
 */
export function escapeMarkdown(text: string): string {
  const readable = escapeLines(text, true);
  return plainText(readable) === text ? readable : escapeLines(text, false);
}

function escapeLines(text: string, keepsLinks: boolean): string {
  return text
    .split('\n')
    .map((line) => escapeLine(line, keepsLinks))
    .join('\n');
}

function escapeLine(line: string, keepsLinks: boolean): string {
  const [begin = '', blanks = '', mark = ''] = blockMark.exec(line) ?? [];
  const isNumber = /\d/.test(mark);
  let escaped = begin === '' ? '' : isNumber ? `${begin}\\` : `${blanks}\\${mark}`;
  for (let at = begin.length; at < line.length; ) {
    const char = line[at] ?? '';
    const address = char === 'h' || char === 'H' ? findLinkAt(line, at) : undefined;
    if (address !== undefined && keepsLinks) {
      const [behind = ''] = /^[^\s<>"|`]*`?/.exec(line.slice(address.to)) ?? [];
      escaped += line.slice(at, address.to) + behind;
      at = address.to + behind.length;
      continue;
    }
    if (address !== undefined) escaped += `&#${char.charCodeAt(0)};`;
    else escaped += needsEscape(line, at, keepsLinks) ? `\\${char}` : char;
    at++;
  }
  return escaped;
}

function needsEscape(line: string, at: number, keepsLinks: boolean): boolean {
  const [last = '', char = '', next = ''] = [line[at - 1], line[at], line[at + 1]];
  switch (char) {
    case '\\':
      return next === '' || asciiPunctuation.test(next) || (!keepsLinks && /h/i.test(next));
    case '`':
    case '[':
      return true;
    case '*':
      return !(last === ' ' && next === ' ');
    case '_':
      return !(wordCharacter.test(last) && wordCharacter.test(next));
    case '~':
      return last === '~' || next === '~';
    case '(':
      return last === ']';
    case '&':
      return reference.test(line.slice(at, at + 40));
    default:
      return false;
  }
}

/**
 * Closes a block of code that a text leaves open, so that a part which follows is no code. Fences in quotes and
 * lists end with these.
 */
export function closeFence(text: string): string {
  let open = '';
  for (const [, fence = '', rest = ''] of text.matchAll(/^ {0,3}(`{3,}|~{3,})(.*)$/gm)) {
    if (open === '') open = fence.startsWith('`') && rest.includes('`') ? '' : fence;
    else if (fence.startsWith(open) && rest.trim() === '') open = '';
  }
  return open === '' ? text : `${text}\n${open}`;
}

/** True if a line may have a mark that one in the next line would close. */
export function hasOpenMark(text: string): boolean {
  const isOdd = (mark: string) => text.split(mark).length % 2 === 0;
  return ['*', '_', '~', '`'].some(isOdd) || text.split('[').length !== text.split(']').length;
}

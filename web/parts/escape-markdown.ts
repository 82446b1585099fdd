// Writes plain text for a field with formatting. It needs no parser: the form is there at once.
import {findAddressAt} from './links.ts';

/** Matches what would begin a quote or an item of a list. */
const blockMark = /^([ \t]*)(>|[-+*](?=[ \t]|$)|\d{1,9}(?=[.)](?:[ \t]|$)))/;

const reference = /^&(?:#\d{1,7}|#x[\da-f]{1,6}|\w+);/i;
const wordCharacter = /[\p{L}\p{N}]/u;
const asciiPunctuation = /[!-/:-@[-`{-~]/;

/** Matches the rest of the word behind an address. The service reads it together with the address. */
const behindAddress = /^[^\s<>"|`]*`?/;

/**
 * Writes a text so that Markdown shows it as it is. An address stays a link, unless marks directly behind it
 * would be read as formatting.
 */
export function escapeMarkdown(text: string): string {
  return text.split('\n').map(escapeLine).join('\n');
}

function escapeLine(line: string): string {
  const [begin = '', blanks = '', mark = ''] = blockMark.exec(line) ?? [];
  let escaped = begin === '' ? '' : /\d/.test(mark) ? `${begin}\\` : `${blanks}\\${mark}`;
  for (let at = begin.length; at < line.length; ) {
    const char = line[at] ?? '';
    const address = /h/i.test(char) ? findAddressAt(line, at) : undefined;
    if (address === undefined) {
      escaped += needsEscape(line, at) ? `\\${char}` : char;
      at++;
      continue;
    }
    const [behind = ''] = behindAddress.exec(line.slice(address.to)) ?? [];
    const end = address.to + behind.length;
    if (/[*_~`[\]\\&]/.test(address.isLink ? behind : line.slice(at, end))) {
      escaped += `&#${char.charCodeAt(0)};`;
      at++;
    } else {
      escaped += line.slice(at, end);
      at = end;
    }
  }
  return escaped;
}

function needsEscape(line: string, at: number): boolean {
  const [last = '', char = '', next = ''] = [line[at - 1], line[at], line[at + 1]];
  switch (char) {
    case '\\':
      return next === '' || asciiPunctuation.test(next) || /^https?:/i.test(line.slice(at + 1, at + 8));
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

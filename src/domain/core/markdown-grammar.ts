// The grammar of formatted texts, a subset of CommonMark. The dashboard has the same one in
// web/parts/markdown-grammar.ts, because web/ imports nothing from src/; a test compares both.
import {type InlineContext, parser, Strikethrough} from '@lezer/markdown';
import {findLinkAt} from './links.js';

const unused = [
  'IndentedCode',
  'ATXHeading',
  'SetextHeading',
  'HorizontalRule',
  'HTMLBlock',
  'HTMLTag',
  'LinkReference',
  'Image',
  'Autolink',
  'HardBreak',
];

/** Matches a line that begins with more than 8 marks of quotes and lists. It would make a deep tree. */
const tooDeep = /^(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$))){9}/;

/** Takes a bare address as one piece, so that its characters are no marks. */
function readAddress(cx: InlineContext, next: number, at: number): number {
  if (next !== 104 && next !== 72) return -1;
  const closing = cx.hasOpenLink ? cx.text.indexOf('](', at - cx.offset) : -1;
  const found = findLinkAt(closing < 0 ? cx.text : cx.text.slice(0, closing), at - cx.offset);
  if (found === undefined) return -1;
  return cx.addElement(cx.elt(found.isLink ? 'URL' : 'Literal', at, cx.offset + found.to));
}

export const markdownParser = parser.configure([
  Strikethrough,
  {
    remove: unused,
    defineNodes: ['Literal', {name: 'LiteralLine', block: true}],
    parseInline: [{name: 'Address', before: 'Emphasis', parse: readAddress}],
    parseBlock: [
      {
        name: 'LiteralLine',
        before: 'FencedCode',
        parse(cx, line) {
          if (!tooDeep.test(line.text)) return false;
          const [from, to] = [cx.lineStart + line.pos, cx.lineStart + line.text.length];
          cx.nextLine();
          cx.addElement(cx.elt('LiteralLine', from, to));
          return true;
        },
      },
    ],
  },
]);

/** The most links, and the most marks of any kind, in a text that is parsed. */
const mostLinks = 100;
const mostMarks = 400;

/** True for a text that is shown as typed, because reading its marks would take long. */
export function hasTooManyMarks(text: string): boolean {
  const marks = text.match(/(?<!\\)([*_~`[])\1*|^[ \t]*(?:[>+-]|\d{1,9}[.)])/gm) ?? [];
  return marks.length > mostMarks || text.split('](').length > mostLinks + 1;
}

import {expect, it} from '@jest/globals';
import {parseMarkdown} from '../../../src/domain/core/markdown.js';
import * as server from '../../../src/domain/core/markdown-grammar.js';
import {type FormattedPiece, readFormattedText} from '../../../web/parts/formatted-pieces.ts';
import {isSafeUrl} from '../../../web/parts/links.ts';
import * as web from '../../../web/parts/markdown-grammar.ts';
import {formattedTexts, hostileTexts, writeRandomText} from '../../support/formatted-texts.js';
import {createChance} from '../../support/seeded-random.js';

const chance = createChance(3);
const random = Array.from({length: 2_000}, () => writeRandomText(chance));
const texts = [...formattedTexts.map(([text]) => text), ...Object.values(hostileTexts), ...random];

/** Lists all nodes of a text's tree. */
function listNodes({markdownParser}: Pick<typeof web, 'markdownParser'>, text: string): string {
  const nodes: string[] = [];
  markdownParser.parse(text).iterate({
    enter({name, from, to}) {
      nodes.push(`${name} ${from} ${to}`);
    },
  });
  return nodes.join('\n');
}

it('the dashboard reads formatted texts by the same grammar as the service', () => {
  const differs = (text: string) =>
    listNodes(web, text) !== listNodes(server, text) ||
    web.hasTooManyMarks(text) !== server.hasTooManyMarks(text);
  expect(texts.filter(differs)).toEqual([]);
});

/** Lists the words of pieces. */
const readWords = (pieces: readonly FormattedPiece[]): string =>
  pieces.map((piece) => (typeof piece === 'string' ? piece : readWords(piece.children))).join('');
const dropBlanks = (text: string) => text.replaceAll(/\s+/g, '');

it('the dashboard shows the same words of a formatted text as other channels', () => {
  const shownElsewhere = (text: string) =>
    parseMarkdown(text)
      .map(({shown = ''}) => shown)
      .join('');
  const differs = (text: string) =>
    dropBlanks(readWords(readFormattedText(text))) !== dropBlanks(shownElsewhere(text));
  expect(texts.filter(differs)).toEqual([]);
});

/** Lists the addresses of links, wherever they are. */
const listLinks = (pieces: readonly FormattedPiece[]): string[] =>
  pieces.flatMap((piece) =>
    typeof piece === 'string'
      ? []
      : [...(piece.href === undefined ? [] : [piece.href]), ...listLinks(piece.children)],
  );

it.each([
  '<script>hurt()</script>',
  '<img src=x onerror=hurt()>',
  '[x](javascript:hurt())',
  '[x](JAVASCRIPT&#58;hurt())',
  '[x](data:text/html,<script>hurt()</script>)',
  '![x](https://evil.example/x.png)',
  '[x](https://a.example"onmouseover="hurt())',
  '[x](https://bank.example@evil.example)',
])('a formatted text has no link or element by the payload %j, and shows it as typed', (payload) => {
  expect(readFormattedText(payload)).toEqual([{tag: 'p', children: expect.anything()}]);
  expect(readWords(readFormattedText(payload))).toBe(payload);
  expect(listLinks(readFormattedText(payload))).toEqual([]);
});

it('a formatted text links only to addresses that are safe', () => {
  for (const text of texts)
    for (const href of listLinks(readFormattedText(text)))
      expect([text, isSafeUrl(href)]).toEqual([text, true]);
});

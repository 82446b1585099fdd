import {describe, expect, it} from '@jest/globals';
import {findLinkAt} from '../../../src/domain/core/links.js';
import {splitLinks} from '../../../web/parts/links.ts';

const linksIn = (text: string) => splitLinks(text).flatMap(({href}) => href ?? []);

/** The links that the Slack bot finds in a line. */
function linksInSlack(line: string): string[] {
  const found: string[] = [];
  for (let at = 0; at < line.length; at++) {
    const link = findLinkAt(line, at);
    if (link === undefined) continue;
    if (link.isLink) found.push(line.slice(at, link.to));
    at = link.to - 1;
  }
  return found;
}

const hostile = [
  'https://bank.example@evil.example/',
  'https://bank.example:443@evil.example/',
  'https://bank.example\\@evil.example/',
  'https://bаnk.example/',
  'https://bank.example\u2215login.evil.example/',
  'https://bank.ex\u200bample/',
  'https://evil.example/\u202egpj.knab',
  'https://evil.example/אבג/bank.example',
  'https://bank.example%2eevil.example/',
  'https://bank.example。evil.example/',
  'https://evil.example/\u{e0061}',
  'https://bank.example/\u3164',
  'javascript:alert(1)',
  'data:text/html,<script>',
  'http://',
  'https://:80/',
  'https://a.example:99999/',
  'xhttps://a.example/',
  `https://a.example/${'a'.repeat(2_000)}`,
];

const harmless: readonly [string, readonly string[]][] = [
  ['see https://a.example/x?y=1#z.', ['https://a.example/x?y=1#z']],
  ['(https://a.example/x_(y))', ['https://a.example/x_(y)']],
  ['<https://a.example|https://bank.example>', ['https://a.example', 'https://bank.example']],
  ['HTTPS://A.EXAMPLE/PAY', ['HTTPS://A.EXAMPLE/PAY']],
  ['*https://a.example*', ['https://a.example']],
  ['http://127.0.0.1:3000/x, http://[::1]:3000/', ['http://127.0.0.1:3000/x', 'http://[::1]:3000/']],
  ['a\nhttps://a.example\nb', ['https://a.example']],
];

describe('addresses in people’s texts', () => {
  it.each(hostile)('remain plain text when they could deceive: %j', (text) => {
    expect(splitLinks(text)).toEqual([{text}]);
    expect(linksIn(`before ${text} after`)).toEqual([]);
  });

  it.each(harmless)('link to exactly what they say, without punctuation after them: %j', (text, links) => {
    expect(linksIn(text)).toEqual(links);
  });

  it('split a text into pieces that together equal it, and a link’s text is its target', () => {
    for (const text of [...hostile, ...harmless.map(([text]) => text)]) {
      const pieces = splitLinks(text);
      expect(pieces.map((piece) => piece.text).join('')).toBe(text);
      for (const {text: shown, href} of pieces) expect(href ?? shown).toBe(shown);
    }
  });

  it('are links in the browser exactly where they are links in Slack', () => {
    for (const text of [...hostile, ...harmless.map(([text]) => text)]) {
      expect({text, links: linksIn(text)}).toEqual({text, links: linksInSlack(text)});
    }
  });

  it('are found in a long text without delay, whatever it contains', () => {
    const begun = performance.now();
    for (const piece of ['https://', '(', 'https://a.example/(', 'https://a.example. ']) {
      splitLinks(piece.repeat(4_000 / piece.length));
    }
    // A scan that starts again at each position would take minutes.
    expect(performance.now() - begun).toBeLessThan(10_000);
  });
});

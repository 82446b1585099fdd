import {expect, it} from '@jest/globals';
import {type FormattedPiece, readFormattedText} from '../../../web/parts/formatted-pieces.ts';
import {hostileTexts} from '../../support/formatted-texts.js';
import {
  expectHonest,
  expectSafe,
  hostileMarkup,
  measureThread,
  writeLongTexts,
} from '../../support/hostile-markup.js';

const readWords = (piece: FormattedPiece): string =>
  typeof piece === 'string' ? piece : piece.children.map(readWords).join('');

function checkPieces(pieces: readonly FormattedPiece[]): void {
  for (const [i, piece] of pieces.entries()) {
    if (typeof piece === 'string') continue;
    // These are all elements, and all attributes, that formatted-text.tsx can make.
    expect(piece.tag).toMatch(/^(?:p|blockquote|ul|ol|li|pre|code|em|strong|s|a|mention)$/);
    if (piece.href !== undefined) {
      expectSafe(piece.href);
      expectHonest(readWords(piece), piece.href, readWords(pieces[i + 1] ?? ''));
    }
    if (piece.id !== undefined) expect(piece.id).toMatch(/^(?:mem|team)_[0-9a-z]{26}$/);
    checkPieces(piece.children);
  }
}

it.each(hostileMarkup)(
  'a hostile text makes no element or link on the dashboard that it should not: %j',
  (text) => {
    const pieces = readFormattedText(text);
    checkPieces(pieces);
    expect(pieces.map(readWords).join('').trim()).not.toBe('');
  },
);

it('the longest text is shown on the dashboard within 100 ms, whatever marks it has', () => {
  const slow = Object.entries(hostileTexts).filter(
    ([, text]) => measureThread(() => readFormattedText(text), 3) > 100,
  );
  expect(slow.map(([name]) => name)).toEqual([]);
});

it.each(writeLongTexts(60_000))('%s of 60,000 letters is shown on the dashboard within 100 ms', (_, text) => {
  expect(measureThread(() => readFormattedText(text), 2)).toBeLessThan(100);
});

/** Letters that Unicode does not take apart, as people type them who have no key for them. */
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

const notPlain = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'g');

/** Without case and accents: `Søren Ünsal` becomes `soren unsal`. */
function fold(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(notPlain, (letter) => plainLetters[letter] ?? letter);
}

function wordsOf(text: string): string[] {
  return fold(text)
    .split(/[\s\p{P}]+/u)
    .filter((word) => word !== '');
}

/**
 * Whether each word that somebody has typed begins a word of these names, whatever the case and the
 * accents, in whatever order. What has no word names nobody.
 */
export function createNameSearch(typed: string): (names: readonly string[]) => boolean {
  const wanted = wordsOf(typed);
  return (names) => {
    const words = names.flatMap(wordsOf);
    return wanted.length > 0 && wanted.every((begin) => words.some((word) => word.startsWith(begin)));
  };
}

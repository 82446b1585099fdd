import {describe, expect, it} from '@jest/globals';
import {plainText} from '../../../src/domain/core/markdown.js';
import {
  breakLine,
  type Edit,
  insertLink,
  pasteLink,
  toggleLines,
  toggleStyle,
  type Typed,
} from '../../../web/parts/formatting/edits.ts';
import {writeRandomText} from '../../support/formatted-texts.js';
import {createChance} from '../../support/seeded-random.js';

/** Reads a text with `|` at the caret, or at both ends of the selection. */
function read(shown: string): Typed {
  const [before = '', chosen, after] = shown.split('|');
  if (after === undefined) return {text: before + (chosen ?? ''), from: before.length, to: before.length};
  const to = before.length + (chosen ?? '').length;
  return {text: before + (chosen ?? '') + after, from: before.length, to};
}

function apply({text}: Typed, {from, to, insert, select}: Edit): Typed {
  return {text: text.slice(0, from) + insert + text.slice(to), from: select[0], to: select[1]};
}

function show({text, from, to}: Typed): string {
  const end = from === to ? text.slice(to) : `${text.slice(from, to)}|${text.slice(to)}`;
  return `${text.slice(0, from)}|${end}`;
}

const run = (shown: string, edit: (typed: Typed) => Edit | undefined): string | undefined => {
  const typed = read(shown);
  const made = edit(typed);
  return made === undefined ? undefined : show(apply(typed, made));
};

describe('bold and italic', () => {
  it.each([
    ['a |word| b', 'a **|word|** b'],
    ['a **|word|** b', 'a |word| b'],
    ['a |**word**| b', 'a |word| b'],
    ['a *|word|* b', 'a ***|word|*** b'],
    ['a ***|word|*** b', 'a *|word|* b'],
    ['a| word |b', 'a **|word|** b'],
    ['a |b', 'a **|**b'],
    ['a **|**b', 'a |b'],
    ['|', '**|**'],
    ['|one\ntwo|', '**|one**\n**two|**'],
    ['**|one**\n**two|**', '|one\ntwo|'],
    ['|- one\n\n- two|', '- **|one**\n\n- **two|**'],
    ['|> 1. one\n> 2. two|', '> 1. **|one**\n> 2. **two|**'],
    ['|**one**\ntwo|', '**|one**\n**two|**'],
    ['a |** b', 'a **|**** b'],
  ])('Ctrl+B makes %j %j', (before, after) => {
    expect(run(before, (typed) => toggleStyle(typed, 'bold'))).toBe(after);
  });

  it.each([
    ['a |word| b', 'a *|word|* b'],
    ['a *|word|* b', 'a |word| b'],
    ['a **|word|** b', 'a ***|word|*** b'],
    ['a ***|word|*** b', 'a **|word|** b'],
    ['|', '*|*'],
  ])('Ctrl+I makes %j %j', (before, after) => {
    expect(run(before, (typed) => toggleStyle(typed, 'italic'))).toBe(after);
  });
});

describe('links', () => {
  it.each([
    ['see |the PR|', 'see [the PR](|)'],
    ['see |', 'see [|]()'],
    ['see |https://a.example/1|', 'see [|](https://a.example/1)'],
    ['|a [b]|', '[a \\[b\\]](|)'],
  ])('Ctrl+K makes %j %j', (before, after) => {
    expect(run(before, insertLink)).toBe(after);
  });

  it.each([
    ['see |the PR|.', 'https://a.example/1', 'see [the PR](https://a.example/1)|.'],
    ['|x|', ' https://a.example/a_(b)?c=1&lt;2\n', '[x](https://a.example/a_%28b%29?c=1&amp;lt;2)|'],
    ['|x|', 'https://a.example/1 and more', undefined],
    ['|x|', 'javascript:alert(1)', undefined],
    ['|https://b.example|', 'https://a.example/1', undefined],
    ['|one\ntwo|', 'https://a.example/1', undefined],
    ['|', 'https://a.example/1', undefined],
    ['[PR](|old|)', 'https://a.example/1', undefined],
  ])('an address pasted over a selection becomes its link: %j and %j make %j', (before, pasted, after) => {
    expect(run(before, (typed) => pasteLink(typed, pasted))).toBe(after);
  });

  it('a pasted address leads where it did, whatever is in it', () => {
    const typed = read('|x|');
    const url = 'https://a.example/a_(b)*?c=1&lt;2&copy;#_d_';
    const edit = pasteLink(typed, url);
    const shown = plainText(edit?.insert ?? '');
    expect(decodeURI(shown.replace('%28', '(').replace('%29', ')'))).toBe(`x (${url})`);
  });
});

describe('lists and quotes', () => {
  it.each([
    ['bullets', 'o|ne', '- o|ne'],
    ['bullets', '- o|ne', 'o|ne'],
    ['bullets', '|', '- |'],
    ['bullets', '|one\n\ntwo|', '|- one\n\n- two|'],
    ['bullets', '|- one\ntwo|', '|- one\n- two|'],
    ['bullets', '1. o|ne', '- o|ne'],
    ['numbers', '|one\ntwo|\n', '|1. one\n2. two|\n'],
    ['numbers', '|1. one\n2. two|', '|one\ntwo|'],
    ['numbers', '|- one\n  - two|', '|1. one\n  2. two|'],
    ['quote', '|one\ntwo|', '|> one\n> two|'],
    ['quote', '|> one\n> two|', '|one\ntwo|'],
    ['quote', 'o|ne\ntwo', '> o|ne\n\ntwo'],
    ['bullets', 'o|ne\n- two', '- o|ne\n- two'],
    ['bullets', 'above\no|ne\nbelow', 'above\n- o|ne\n\nbelow'],
    ['bullets', '|- |', '||'],
  ] as const)('as %s, %j becomes %j', (kind, before, after) => {
    expect(run(before, (typed) => toggleLines(typed, kind))).toBe(after.replace(/^\|\|$/, '|'));
  });

  it.each([
    ['- one|', '- one\n- |'],
    ['* one|', '* one\n* |'],
    ['9. one|', '9. one\n10. |'],
    ['9) o|ne', '9) o\n10) |ne'],
    ['  - one|', '  - one\n  - |'],
    ['> one|', '> one\n> |'],
    ['> - one|', '> - one\n> - |'],
    ['- one\n- |', '- one\n\n|'],
    ['1. one\n2. |\nmore', '1. one\n\n|\nmore'],
    ['- |', '|'],
    ['> one\n> |', '> one\n\n|'],
    ['> - one\n> - |', '> - one\n>|'],
    ['- o|ne|', '- o\n- |'],
    ['one|', undefined],
    ['|- one', undefined],
    ['-|', undefined],
    ['-5 degrees|', undefined],
    ['```\n- one|', undefined],
    ['```\n```\n- one|', '```\n```\n- one\n- |'],
  ])('Enter makes %j %j', (before, after) => {
    expect(run(before, breakLine)).toBe(after);
  });
});

it('no key loses a word, or leaves the selection outside of the text, whatever was typed', () => {
  const chance = createChance(11);
  const words = (text: string) => text.replaceAll(/[^\p{L}]/gu, '');
  for (let i = 0; i < 5_000; i++) {
    const text = writeRandomText(chance);
    const [a, b] = [chance.between(0, text.length), chance.between(0, text.length)];
    const typed = {text, from: Math.min(a, b), to: Math.max(a, b)};
    const edits = [
      toggleStyle(typed, 'bold'),
      toggleStyle(typed, 'italic'),
      toggleLines(typed, 'bullets'),
      toggleLines(typed, 'numbers'),
      toggleLines(typed, 'quote'),
    ];
    for (const edit of edits) {
      const after = apply(typed, edit);
      expect([words(after.text), text]).toEqual([words(text), text]);
      expect(after.from).toBeLessThanOrEqual(after.to);
      expect(after.to).toBeLessThanOrEqual(after.text.length);
    }
  }
});

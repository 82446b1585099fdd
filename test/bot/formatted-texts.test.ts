import {describe, expect, test} from '@jest/globals';
import {namesFromRequest} from '../../src/bot/slack/rich-text/names.js';
import {parseStandup, parseWritten} from '../../src/bot/slack/rich-text/parse-markdown.js';
import {
  parseAndCutText,
  renderInlineElements,
  renderText,
  speakText,
} from '../../src/bot/slack/rich-text/show-text.js';
import {
  convertBlocksToMarkdown,
  convertTextToMarkdown,
  listShownWords,
  listWords,
} from '../../src/bot/slack/rich-text/to-markdown.js';
import {presentStandup} from '../../src/bot/slack/posting/standup-messages.js';
import {translationFor} from '../../src/bot/slack/blocks/slack-translation.js';
import {asId} from '../support/ids.js';
import {formattedTexts, hostileTexts, writeRandomText} from '../support/formatted-texts.js';
import {type Chance, createChance} from '../support/seeded-random.js';
import {findLimitViolations} from '../support/slack-limits.js';

const translation = translationFor();
const shownStandup = {
  id: asId<'standup'>('std_01h455vb4pex5vsknk084sn02q'),
  author: {name: 'Ada'},
  revision: 1,
};
const names = namesFromRequest(translation.texts, {users: new Map([['U1', 'Ada Lovelace']])});
const show = (text: string) => renderText(parseWritten(text, 'markdown'));
const block = (elements: unknown) => ({type: 'rich_text', elements});
const section = (...elements: unknown[]) => ({type: 'rich_text_section', elements});
const text = (said: string, ...styles: string[]) => ({
  type: 'text',
  text: said,
  ...(styles.length > 0 && {style: Object.fromEntries(styles.map((style) => [style, true]))}),
});
const list = (style: string, indent: number, items: string[], more: object = {}) => ({
  type: 'rich_text_list',
  style,
  indent,
  elements: items.map((item) => section(text(item))),
  ...more,
});
const quote = (...elements: unknown[]) => ({type: 'rich_text_quote', elements});
const code = (said: string, more: object = {}) => ({
  type: 'rich_text_preformatted',
  elements: [text(said)],
  ...more,
});

/** Markdown, and what Slack shows of it, from which the form writes the same Markdown again. */
const table: readonly (readonly [name: string, markdown: string, shown: readonly unknown[]])[] = [
  ['lines and empty lines', 'a\nb\n\nc', [section(text('a\nb\n\nc'))]],
  [
    'styles',
    '**b** *i* ~~s~~ `c`',
    [
      section(
        text('b', 'bold'),
        text(' '),
        text('i', 'italic'),
        text(' '),
        text('s', 'strike'),
        text(' '),
        text('c', 'code'),
      ),
    ],
  ],
  ['styles in styles', '**a*b***', [section(text('a', 'bold'), text('b', 'bold', 'italic'))]],
  [
    'a list in a list',
    '- a\n  - b\n- c',
    [list('bullet', 0, ['a']), list('bullet', 1, ['b']), list('bullet', 0, ['c'])],
  ],
  ['a numbered list', '4. a\n5. b', [list('ordered', 0, ['a', 'b'], {offset: 3})]],
  [
    'a text before and after a list',
    'a\n- b\n\nc',
    [section(text('a\n')), list('bullet', 0, ['b']), section(text('c'))],
  ],
  ['a quote', '> a\n> b\n\nc', [quote(text('a\nb')), section(text('c'))]],
  ['a list in a quote', '> - a', [list('bullet', 0, ['a'], {border: 1})]],
  ['code in a quote', '> ```\n> a\n> ```', [code('a', {border: 1})]],
  ['a block of code', 'a\n```\n*b*\n```\nc', [section(text('a\n')), code('*b*'), section(text('c'))]],
  ['code with backticks', '````\n```\n````', [code('```')]],
  [
    'links',
    '[a](https://a.example/x) https://b.example',
    [
      section({type: 'link', url: 'https://a.example/x', text: 'a'}, text(' '), {
        type: 'link',
        url: 'https://b.example',
      }),
    ],
  ],
  [
    'emoji',
    ':tada: **:+1:**',
    [section({type: 'emoji', name: 'tada'}, text(' '), {type: 'emoji', name: '+1', style: {bold: true}})],
  ],
  ['what only looks like marks', '\\*a\\* \\[b]\\(c)', [section(text('*a* [b](c)'))]],
];

describe('Markdown in Slack', () => {
  test.each(table)('has %s as rich text', (_, markdown, shown) => {
    expect(show(markdown)).toEqual(shown);
  });

  test.each(table)('has %s written again from the rich text of a form', (_, markdown, shown) => {
    expect(convertBlocksToMarkdown(block(shown), names)).toBe(markdown);
  });

  test('names the real host after a label that looks like another one', () => {
    expect(show('[bank.example](https://evil.example)')).toEqual([
      section({type: 'link', url: 'https://evil.example', text: 'bank.example'}, text(' (evil.example)')),
    ]);
  });

  test('ends a list at code inside an item, and goes on with the next number', () => {
    expect(show('1. a\n   ```\n   x\n   ```\n2. b')).toEqual([
      list('ordered', 0, ['a']),
      code('x'),
      list('ordered', 0, ['b'], {offset: 1}),
    ]);
  });

  test('shows a mention that is reserved as a name, without notifying anyone', () => {
    expect(show('[@Ada](mention:mem_01h455vb4pex5vsknk084sn02q)')).toEqual([section(text('@Ada'))]);
  });

  test('a formatted text is spoken without marks, also a part of it', () => {
    for (const [written, {plain = written}] of formattedTexts)
      expect(speakText(parseWritten(written, 'markdown'))).toBe(plain);
    const parsed = parseWritten('**bold** and [a](https://a.example/1)', 'markdown');
    expect(speakText(parsed, [0, 12])).toBe('bold and');
    expect(speakText(parsed)).toBe('bold and a (https://a.example/1)');
  });

  test('keeps its styles where it is cut', () => {
    expect(renderText(parseAndCutText(parseWritten('**bold text** more', 'markdown'), 8))).toEqual([
      section(text('bold ', 'bold'), text('…')),
    ]);
  });

  test('a formatted text is shown on one line with the marks of its lists and quotes', () => {
    expect(renderInlineElements(parseWritten('> a\n\n- b\n  1. c', 'markdown'))).toEqual([
      text('> a\n\n• b\n    1. c'),
    ]);
  });

  test('has a meaning only in a standup with this format', () => {
    const update = '*a* **b**';
    expect(renderText(parseStandup({update}))).toEqual([section(text('a', 'bold'), text(' **b**'))]);
    expect(renderText(parseStandup({update, format: 'markdown'}))).toEqual([
      section(text('a', 'italic'), text(' '), text('b', 'bold')),
    ]);
  });

  test.each(Object.entries(hostileTexts))(
    '%s fits Slack’s limits, and is shown within 50 ms',
    (_, hostile) => {
      const times = Array.from({length: 3}, () => {
        const begun = process.threadCpuUsage();
        show(hostile);
        return process.threadCpuUsage(begun).user / 1_000;
      });
      expect(Math.min(...times)).toBeLessThan(50);
      const standup = {...shownStandup, update: hostile, format: 'markdown'} as const;
      for (const message of presentStandup(translation, standup, {in: 'channel', date: '2026-11-23'}))
        expect(findLimitViolations(message)).toEqual([]);
    },
  );
});

test('the marks of Slack’s own notation become those of Markdown', () => {
  expect(convertTextToMarkdown('*b* _i_ ~s~ `c`\n• x\n    • y\n> q')).toBe(
    '**b** *i* ~~s~~ `c`\n- x\n  - y\n> q',
  );
});

test('mentions of people become their names, and unsafe links their addresses', () => {
  const elements = [
    section({type: 'user', user_id: 'U1'}, text(' '), {
      type: 'link',
      url: 'mailto:a@b.example',
      text: 'mail',
    }),
  ];
  expect(convertBlocksToMarkdown(block(elements), names)).toBe('@Ada Lovelace mail (a@b.example)');
});

const said = [
  'word',
  'a',
  '*',
  '**',
  '_x_',
  '~~',
  '`',
  '[a](b)',
  '> q',
  '- i',
  '1. n',
  '\\',
  '&amp;',
  '#',
  'é',
  '👍',
];
const between = [
  'https://x.example/a_b*',
  ' ',
  '  ',
  '\n',
  '\n\n',
  '(',
  ')',
  '.',
  '"',
  ':tada:',
  '@Ada',
  '!',
  '|',
  '<b>',
];

/** Makes rich text as nasty as no composer does. */
function makeRichText(chance: Chance): object[] {
  const words = () =>
    Array.from({length: chance.between(1, 4)}, () => chance.pick([...said, ...between])).join('');
  const style = () => {
    const styles = ['bold', 'italic', 'strike', 'code'].filter(() => chance.between(0, 4) === 0);
    return styles.length === 0 ? {} : {style: Object.fromEntries(styles.map((name) => [name, true]))};
  };
  const urls = [
    'https://a.example/x_(y)',
    'https://a.example/?a=1&amp;b',
    'mailto:a@b.example',
    'javascript:alert(1)',
  ];
  const element = (): object => {
    const kind = chance.between(0, 9);
    if (kind === 0) return {type: 'link', url: chance.pick(urls), text: words(), ...style()};
    if (kind === 1) return {type: 'emoji', name: chance.pick(['tada', '+1'])};
    return {type: 'text', text: words(), ...style()};
  };
  const elements = () => Array.from({length: chance.between(1, 4)}, element);
  const border = () => (chance.between(0, 4) === 0 ? {border: 1} : {});
  const part = (): object => {
    const kind = chance.between(0, 5);
    if (kind <= 1) return section(...elements());
    if (kind === 2) return quote(...elements());
    if (kind === 3) return code(words(), border());
    const items = Array.from({length: chance.between(1, 3)}, () => section(...elements()));
    const where = {style: chance.pick(['bullet', 'ordered']), indent: chance.between(0, 3)};
    const offset = chance.between(0, 2) === 0 ? {offset: chance.between(1, 9)} : {};
    return {type: 'rich_text_list', ...where, ...offset, elements: items, ...border()};
  };
  return Array.from({length: chance.between(1, 4)}, part);
}

describe('10,000 random texts in Slack', () => {
  test('have the same words in Markdown, and few of them lose their lists', () => {
    const chance = createChance(15);
    const lost: unknown[] = [];
    for (let i = 0; i < 10_000; i++) {
      const parts = makeRichText(chance);
      const markdown = convertBlocksToMarkdown(block(parts), names);
      if (listWords(parts, names) !== listShownWords(markdown)) lost.push(parts);
    }
    expect(lost.length).toBeLessThan(100);
  });

  test('have the same words after a form has shown them and read them again', () => {
    const chance = createChance(16);
    const written = Array.from({length: 10_000}, () => writeRandomText(chance));
    const isLost = (markdown: string) => {
      const again = convertBlocksToMarkdown(block(show(markdown)), names);
      return listWords(show(markdown), names) !== listWords(show(again), names);
    };
    expect(written.filter(isLost).length).toBeLessThan(100);
  });
});

import {describe, expect, test} from '@jest/globals';
import fc from 'fast-check';
import {buildMentionIndex} from '../../src/bot/slack/rich-text/mentions.js';
import {namesFromRequest} from '../../src/bot/slack/rich-text/names.js';
import {convertBlocksToPlainText} from '../../src/bot/slack/rich-text/to-plain-text.js';
import {toInlineElements, toRichText} from '../../src/bot/slack/rich-text/show-text.js';
import {translationFor} from '../../src/bot/slack/blocks/slack-translation.js';

const {texts} = translationFor();
const names = namesFromRequest(texts, {
  users: new Map([
    ['U1', 'Ada Lovelace'],
    ['U2', 'Ada'],
  ]),
  domain: 'acme',
});
const mentions = buildMentionIndex([
  {name: 'Ada Lovelace', user: 'U1'},
  {name: 'Ada', user: 'U2'},
]);
const block = (elements: unknown) => [{type: 'rich_text', elements}];
const back = (text: string) => convertBlocksToPlainText(block(toRichText(text, mentions)), names);

/** Elements of a text of one line. */
function elementsOf(text: string): unknown[] {
  const [part, ...more] = toRichText(text, mentions);
  expect(more).toEqual([]);
  expect(part?.type).toBe('rich_text_section');
  return part!.elements;
}
const text = (said: string, ...styles: string[]) => ({
  type: 'text',
  text: said,
  ...(styles.length > 0 && {style: Object.fromEntries(styles.map((style) => [style, true]))}),
});
const link = (url: string) => ({type: 'link', url});

describe('plain text shown as rich text', () => {
  test.each<[string, string, unknown[]]>([
    [
      'an address as a link',
      'see https://a.example/x?y=1#z.',
      [text('see '), link('https://a.example/x?y=1#z'), text('.')],
    ],
    [
      'an address in brackets',
      '(https://a.example/x_(y))',
      [text('('), link('https://a.example/x_(y)'), text(')')],
    ],
    [
      'emoji',
      ':tada: :wave::skin-tone-3: :+1:',
      [
        {type: 'emoji', name: 'tada'},
        text(' '),
        {type: 'emoji', name: 'wave::skin-tone-3'},
        text(' '),
        {type: 'emoji', name: '+1'},
      ],
    ],
    [
      'emoji side by side',
      ':tada::rocket:',
      [
        {type: 'emoji', name: 'tada'},
        {type: 'emoji', name: 'rocket'},
      ],
    ],
    [
      'times, scopes and ratios as text',
      'at 10:30:45 std::map::x a:b:c 1:2:3',
      [text('at 10:30:45 std::map::x a:b:c 1:2:3')],
    ],
    [
      'a mention of a person',
      'with @ada lovelace, @Ada and @adam',
      [
        text('with '),
        {type: 'user', user_id: 'U1'},
        text(', '),
        {type: 'user', user_id: 'U2'},
        text(' and @adam'),
      ],
    ],
    ['an e-mail address, which is no mention', 'mail x@ada', [text('mail x@ada')]],
    [
      'bold, italic and strike',
      '*b* _i_ ~s~',
      [text('b', 'bold'), text(' '), text('i', 'italic'), text(' '), text('s', 'strike')],
    ],
    ['one mark within another', '*b _bi_*', [text('b ', 'bold'), text('bi', 'bold', 'italic')]],
    [
      'marks within words as text',
      'snake_case_name 2*3*4 a~b~c **x** __init__',
      [text('snake_case_name 2*3*4 a~b~c **x** __init__')],
    ],
    [
      'code in which nothing else is formatted',
      '`*x* :tada: https://a.example @Ada`',
      [text('*x* :tada: https://a.example @Ada', 'code')],
    ],
    ['a styled link', '*https://a.example/*', [{...link('https://a.example/'), style: {bold: true}}]],
    [
      'no pings',
      '@channel @here @everyone <!channel> <@U1>',
      [text('@channel @here @everyone <!channel> <@U1>')],
    ],
  ])('can have %s', (_, written, elements) => {
    expect(elementsOf(written)).toEqual(elements);
    expect(back(written).toLowerCase()).toBe(written.toLowerCase());
  });

  test('can have nested lists and numbered lists', () => {
    expect(toRichText('Did:\n- one\n- two\n  - deep\n3. three\n4. four\nend')).toEqual([
      {type: 'rich_text_section', elements: [text('Did:\n')]},
      {
        type: 'rich_text_list',
        style: 'bullet',
        indent: 0,
        elements: ['one', 'two'].map((one) => ({type: 'rich_text_section', elements: [text(one)]})),
      },
      {
        type: 'rich_text_list',
        style: 'bullet',
        indent: 1,
        elements: [{type: 'rich_text_section', elements: [text('deep')]}],
      },
      {
        type: 'rich_text_list',
        style: 'ordered',
        indent: 0,
        offset: 2,
        elements: ['three', 'four'].map((one) => ({type: 'rich_text_section', elements: [text(one)]})),
      },
      {type: 'rich_text_section', elements: [text('end')]},
    ]);
    expect(back('Did:\n- one\n  - deep\n3. three\nend')).toBe('Did:\n• one\n    • deep\n3. three\nend');
  });

  test('can have quotes and blocks of code', () => {
    const written = 'said\n> one\n>\n> *two*\nthen\n```\nlet *x* = `1`;\n\n  y\n```\nend';
    expect(toRichText(written)).toEqual([
      {type: 'rich_text_section', elements: [text('said\n')]},
      {type: 'rich_text_quote', elements: [text('one\n\n'), text('two', 'bold')]},
      {type: 'rich_text_section', elements: [text('then\n')]},
      {type: 'rich_text_preformatted', elements: [text('let *x* = `1`;\n\n  y')]},
      {type: 'rich_text_section', elements: [text('end')]},
    ]);
    expect(back(written)).toBe(written);
  });

  test('is one paragraph of inline elements where lists and quotes are not possible', () => {
    expect(toInlineElements('a\n- *b*\n> c\n```\n@Ada\n```', mentions)).toEqual([
      text('a\n• '),
      text('b', 'bold'),
      text('\n> c\n'),
      text('@Ada', 'code'),
    ]);
  });
});

const runs = Number(process.env['RANDOM_RUNS'] ?? 1_000);

/** Texts that consist mostly of characters with a meaning. */
const tokens = [
  ...'*_~`:@#<>|()[]{}.,-– \n\t/\\19ab',
  '\n',
  '\n',
  ' ',
  ' ',
  '```',
  '```\n',
  '\n```',
  '> ',
  '\n> ',
  '\n- ',
  '\n• ',
  '\n1. ',
  '\n2. ',
  '  ',
  '    ',
  ':tada:',
  ':wave::skin-tone-3:',
  'https://a.example/x',
  'http://b.example',
  '@Ada',
  '@Ada Lovelace',
  '@channel',
  'word',
  'é',
  '漢',
  '😀',
  '\u200b',
  '\u202e',
  'ש',
  '\r\n',
];
const written = fc.array(fc.constantFrom(...tokens), {maxLength: 40}).map((pieces) => pieces.join(''));

/** A text without the marks and spaces that the documented normal form may change. */
const bare = (given: string) => given.replaceAll(/[\s*_~`•◦▪-]/g, '').toLowerCase();

describe('text converted to rich text and back', () => {
  test('is the same text, and is unchanged by further conversions', () => {
    fc.assert(
      fc.property(written, (given) => {
        const once = back(given);
        expect(bare(once)).toBe(bare(given));
        expect(back(once)).toBe(once);
      }),
      {numRuns: runs},
    );
  });
});

/** Texts with only one spelling: no list, no line break, no two adjacent marks. */
const single = fc
  .array(
    fc.constantFrom(...tokens.filter((token) => !/\n|^[\s*_~>•◦▪-]+$|^```/.test(token)), '*', '_', '~', ' '),
    {
      maxLength: 30,
    },
  )
  .map((pieces) => `x ${pieces.join('')}`)
  .filter((given) => !/[*_~]{2}/.test(given) && !/@/.test(given));

test('plain text of one line is the same letter for letter after conversion to rich text and back', () => {
  fc.assert(
    fc.property(single, (given) => expect(back(given)).toBe(given)),
    {numRuns: runs},
  );
});

/** Rich text as Slack's composer delivers it, and invalid variants. */
const style = fc.record(
  {bold: fc.boolean(), italic: fc.boolean(), strike: fc.boolean(), code: fc.boolean()},
  {requiredKeys: []},
);
const shortTexts = fc.array(fc.constantFrom(...tokens), {maxLength: 5}).map((pieces) => pieces.join(''));
const element = fc.oneof(
  fc.record({type: fc.constant('text'), text: shortTexts, style}),
  fc.record({
    type: fc.constant('link'),
    url: fc.constantFrom('https://a.example/x', 'mailto:a@b.example'),
    text: fc.option(shortTexts, {nil: undefined}),
  }),
  fc.record({type: fc.constant('emoji'), name: fc.constantFrom('tada', 'wave::skin-tone-3', '+1'), style}),
  fc.record({type: fc.constant('user'), user_id: fc.constantFrom('U1', 'U2', 'U9')}),
  fc.record({type: fc.constant('channel'), channel_id: fc.constantFrom('C1', 'x y')}),
  fc.constantFrom(
    {type: 'broadcast', range: 'here'},
    {type: 'usergroup', usergroup_id: 'S1'},
    {type: 'date', timestamp: 1, format: '{date}'},
    {type: 'color', value: '#F00'},
    {type: 'new'},
  ),
);
const elements = fc.array(element, {maxLength: 5});
const section = fc.record({type: fc.constant('rich_text_section'), elements});
const part = fc.oneof(
  section,
  fc.record({type: fc.constant('rich_text_quote'), elements}),
  fc.record({type: fc.constant('rich_text_preformatted'), elements, border: fc.constantFrom(0, 1)}),
  fc.record({
    type: fc.constant('rich_text_list'),
    style: fc.constantFrom('bullet', 'ordered'),
    indent: fc.nat(8),
    offset: fc.option(fc.nat(20), {nil: undefined}),
    border: fc.constantFrom(0, 1),
    elements: fc.array(section, {maxLength: 4}),
  }),
);

test('rich text has the same meaning, and is unchanged, when it is read as plain text and shown again', () => {
  fc.assert(
    fc.property(fc.array(part, {maxLength: 5}), (parts) => {
      const plain = convertBlocksToPlainText(block(parts), names);
      expect(back(plain)).toBe(plain);
    }),
    {numRuns: runs},
  );
});

test('the rich text of a plain text has no element that the text did not have', () => {
  fc.assert(
    fc.property(written, (given) => {
      const said = JSON.stringify(toRichText(given, mentions));
      for (const [, url = ''] of said.matchAll(/"url":"([^"]*)"/g)) expect(given).toContain(url);
      for (const [, name = ''] of said.matchAll(/"type":"emoji","name":"([^"]*)"/g))
        expect(given).toContain(`:${name}:`);
      expect(said).not.toMatch(/"type":"(?:broadcast|usergroup|channel|team|color|date)"/);
      const named = [...said.matchAll(/"user_id"/g)].length;
      expect(named).toBeLessThanOrEqual(given.split('@Ada').length - 1);
    }),
    {numRuns: runs},
  );
});

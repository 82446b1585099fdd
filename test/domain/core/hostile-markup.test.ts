import {describe, expect, it} from '@jest/globals';
import {translationFor} from '../../../src/bot/slack/blocks/slack-translation.js';
import {presentStandup} from '../../../src/bot/slack/posting/standup-messages.js';
import {plainText} from '../../../src/domain/core/markdown.js';
import {toHtml} from '../../../src/mail/to-html.js';
import {presentResult} from '../../../src/mcp/results.js';
import {hostileTexts} from '../../support/formatted-texts.js';
import {
  expectHonest,
  expectSafe,
  hostileMarkup,
  measureThread,
  writeLongTexts,
} from '../../support/hostile-markup.js';
import {asId} from '../../support/ids.js';

const translation = translationFor();
const own = 'https://standup.example.com/app';

type Node = Readonly<Record<string, unknown>>;

function listNodes(value: unknown): Node[] {
  if (Array.isArray(value)) return value.flatMap(listNodes);
  if (typeof value !== 'object' || value === null) return [];
  return [value as Node, ...Object.values(value).flatMap(listNodes)];
}

const present = (update: string) =>
  presentStandup(
    translation,
    {
      id: asId<'standup'>('std_01h455vb4pex5vsknk084sn02q'),
      author: {name: 'Ada'},
      revision: 1,
      answers: [],
      update,
      format: 'markdown',
    },
    {in: 'channel', date: '2026-11-23'},
  );

const show = (text: string) =>
  toHtml(
    {
      subject: text,
      blocks: [
        {type: 'paragraph', text: plainText(text)},
        {type: 'small', text},
        {type: 'quote', text},
        {type: 'code', text},
        {type: 'list', title: text, items: [text, plainText(text)]},
        {type: 'link', label: text, url: own},
        {type: 'button', label: text, url: own},
      ],
    },
    'en',
  );

const channels: Readonly<Record<string, (text: string) => void>> = {
  'a mail': (text) => {
    const shown = show(text);
    const without = show('text');
    const listTags = (page: string) => page.match(/<[^>]*>?/g);
    expect(listTags(shown)?.filter((tag) => tag !== '<br>')).toEqual(
      listTags(without)?.filter((tag) => tag !== '<br>'),
    );
    expect(shown).not.toMatch(/&(?!amp;|lt;|gt;|quot;|#39;)/);
  },
  Slack: (update) => {
    for (const {text, blocks} of present(update)) {
      expect(text).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/);
      const nodes = listNodes(blocks);
      expect(nodes.filter(({type}) => type === 'mrkdwn')).toEqual([]);
      const rich = nodes
        .filter(({type}) => type === 'rich_text')
        .flatMap(({elements}) => listNodes(elements));
      for (const {type, url} of rich) {
        if (type !== undefined) expect(type).toMatch(/^(?:rich_text_\w+|text|link|emoji)$/);
        if (type === 'link') expectSafe(String(url));
      }
      for (const {elements} of rich) {
        const inside = (Array.isArray(elements) ? elements : []) as Node[];
        for (const [i, {type, url}] of inside.entries()) {
          if (type !== 'link' || inside[i - 1]?.['url'] === url) continue;
          // The styles of a label split its link.
          const end = inside.findIndex((one, n) => n > i && one['url'] !== url);
          const label = inside.slice(i, end < 0 ? undefined : end).map((one) => one['text'] ?? url);
          expectHonest(label.join(''), String(url), String(end < 0 ? '' : inside[end]?.['text']));
        }
      }
    }
  },
  'an assistant': (text) => {
    const {content, structuredContent} = presentResult(
      {object: 'standup', update: text, format: 'markdown'},
      {replayed: false},
    );
    const [first] = content as {text: string}[];
    const [fence, data, ...more] = (first?.text ?? '').split('\n');
    expect([fence?.startsWith('The JSON below'), more]).toEqual([true, []]);
    expect(JSON.parse(data ?? '')).toEqual(structuredContent);
    expect(data).not.toMatch(/[\u{E0000}-\u{E007F}\u202A-\u202E\u2060-\u206F\uFEFF]/u);
    expect(Object.keys(structuredContent ?? {})).toEqual(['object', 'update', 'format', 'update_plain']);
  },
};

describe.each(Object.entries(channels))('a hostile text in %s', (_, check) => {
  it.each(hostileMarkup)(
    'a hostile text makes no element, link or mention that it should not: %j',
    (text) => {
      expect.hasAssertions();
      check(text);
    },
  );
});

it('hostile texts are many, and none twice', () => {
  expect(hostileMarkup.length).toBeGreaterThanOrEqual(60);
  expect(new Set(hostileMarkup).size).toBe(hostileMarkup.length);
});

const renderers: Readonly<Record<string, (text: string) => unknown>> = {
  'a mail': show,
  Slack: present,
  'an assistant': (update) => presentResult({update, format: 'markdown'}, {replayed: false}),
};

describe.each(Object.entries(renderers))('the longest text in %s', (_, render) => {
  // The slowest takes 36 ms on a machine that does nothing else.
  it('the longest text is shown within 100 ms, whatever marks it has', () => {
    const slow = Object.entries(hostileTexts).filter(
      ([, text]) => measureThread(() => render(text), 3) > 100,
    );
    expect(slow.map(([name]) => name)).toEqual([]);
  });
});

it.each(writeLongTexts(60_000))('%s of 60,000 letters is read within 100 ms', (_, text) => {
  expect(measureThread(() => plainText(text), 2)).toBeLessThan(100);
});

import {describe, expect, test} from '@jest/globals';
import {anyCharacter} from '../support/any-character.js';
import {
  assert as checkAll,
  constant,
  constantFrom,
  integer,
  oneof,
  property,
  record,
  string,
} from 'fast-check';
import {parseValue} from '../../src/bot/slack/blocks/shapes.js';
import {
  findTeamDate,
  packDates,
  packRequest,
  parseRequest,
} from '../../src/bot/slack/answers/form-request.js';
import {presentForm} from '../../src/bot/slack/form/form-view.js';
import {slackLimits} from '../../src/bot/slack/blocks/names.js';
import {composeId} from '../../src/domain/core/ids.js';
import {plainTextBlock, type OutgoingMessage} from '../../src/bot/slack/blocks/blocks.js';
import {limits} from '../../src/domain/core/limits.js';
import {findTextError, findTodaySection} from '../../src/domain/core/text.js';
import {teamDefaults} from '../../src/domain/teams/team.js';
import {presentDayMessage} from '../../src/bot/slack/posting/day-message.js';
import {presentStandup as presentMessages} from '../../src/bot/slack/posting/standup-messages.js';
import type {StandupContent} from '../../src/domain/slack/standup-content.js';
import {cutText, splitText} from '../../src/bot/texts/cut-text.js';
import {composeUpdate, decodeText, escapeText} from '../../src/bot/slack/blocks/text.js';
import {translationFor} from '../../src/bot/slack/blocks/slack-translation.js';
import {findLimitViolations} from '../support/slack-limits.js';
import {asId, asSuffix} from '../support/ids.js';

const anyText = string({unit: anyCharacter, minLength: 1, maxLength: 4_000});
const standup = (update: string) => ({
  id: asId<'standup'>('std_1'),
  update,
  author: {name: 'Ada <!here>'},
  revision: 1,
});

/** The message of a standup that fits into one. */
const presentStandup = (shown: StandupContent) => presentMessages(translationFor(), shown)[0]!;

/** The bot adds isolates to the text for screen readers, so that its direction does not leak. */
const withoutIsolates = (text: string) => text.replaceAll(/[\u2066-\u2069]/g, '');

/** The text of a standup's messages, for the screen and for screen readers, without names and notes. */
function readBack(messages: readonly OutgoingMessage[]): {seen: string; heard: string} {
  type TextElement = {text: string; style?: object};
  const seen = messages.flatMap(({blocks = []}) => {
    const said = (blocks as unknown as {type: string; elements: [{elements: TextElement[]}]}[]).find(
      ({type}) => type === 'rich_text',
    );
    const elements = said?.elements[0].elements ?? [];
    // The first message has the name in its own block.
    return elements
      .slice(elements[0]?.style === undefined ? 0 : 2)
      .flatMap(({text, style}) => (style === undefined ? [text] : []));
  });
  const heard = messages.map(({text}) =>
    decodeText(text)
      .replace(/^[^:]*: /, '')
      .replace(/ … \(continued [a-z ]+, part \d of \d\)$/, ''),
  );
  return {seen: seen.join(''), heard: withoutIsolates(heard.join(''))};
}

/** False for half of a surrogate pair, also as JSON writes it. */
const isWhole = (text: string) => !/\p{Surrogate}/u.test(text) && !/\\ud[89a-f]/.test(text);

describe('text from and for Slack', () => {
  test('is decoded in one pass, and only in the three characters that Slack encodes', () => {
    expect(decodeText('&lt;b&gt; &amp;lt; &amp;amp; &quot; &#39;')).toBe('<b> &lt; &amp; &quot; &#39;');
  });

  test('is unchanged after it is escaped and decoded', () => {
    checkAll(property(anyText, (text) => expect(decodeText(escapeText(text, Infinity))).toBe(text)));
  });

  test('is escaped within the length asked for, and never ends in half an entity or half a character', () => {
    checkAll(
      property(
        string({unit: constantFrom('&', '<', 'a', '😀', '\n'), maxLength: 60}),
        integer({min: 8, max: 40}),
        (text, max) => {
          const escaped = escapeText(text, max);
          expect(escaped.length).toBeLessThanOrEqual(max);
          expect(escaped.replaceAll(/&(amp|lt|gt);/g, '')).not.toMatch(/[&<>]/);
          expect(isWhole(escaped)).toBe(true);
        },
      ),
    );
  });

  test('is well-formed after it is cut or split', () => {
    checkAll(
      property(string({unit: 'grapheme', maxLength: 50}), integer({min: 2, max: 20}), (text, max) => {
        expect(cutText(text, max).length).toBeLessThanOrEqual(max);
        expect(isWhole(cutText(text, max))).toBe(isWhole(text));
        expect(splitText(text, max).join('')).toBe(text);
      }),
    );
  });

  test('from a form has under Today exactly what was typed there', () => {
    const line = string({minLength: 1, maxLength: 80}).filter((text) => text.trim() !== '');
    checkAll(
      property(
        record({
          yesterday: oneof(line, constant('')),
          today: line,
          blockers: oneof(line, constant('')),
        }),
        (form) => {
          expect(findTodaySection(composeUpdate(form))).toBe(form.today.trim());
        },
      ),
    );
    expect(findTodaySection('just a text')).toBe('just a text');
  });

  test('names a day by weekday, date and month', () => {
    expect(translationFor().shortDay('2026-11-24')).toBe('Tue 24 Nov');
    expect(translationFor().shortDay('2024-02-29')).toBe('Thu 29 Feb');
  });
});

describe('a message', () => {
  test('respects the limits whatever a person writes', () => {
    checkAll(
      property(anyText, (update) => {
        for (const location of [{in: 'thread'}, {in: 'channel', date: '2026-11-24'}] as const) {
          const messages = presentMessages(translationFor(), standup(update), location);
          expect(messages.flatMap(findLimitViolations)).toEqual([]);
          expect(readBack(messages)).toEqual({seen: update, heard: withoutIsolates(update)});
        }
      }),
      {numRuns: 50},
    );
  });

  test.each([
    ['emoji', '😀'.repeat(4_000)],
    ['ampersands', '&'.repeat(4_000)],
    ['quotes and backslashes', '"\\'.repeat(2_000)],
    ['right-to-left text', 'שלום עולם '.repeat(400)],
    ['all that is escaped', '&<>'.repeat(1_333) + '&'],
    ['words', 'some words and so on '.repeat(190) + 'x'.repeat(10)],
    ['line breaks', `x${'\n'.repeat(3_998)}x`],
    ['three-byte characters', '漢'.repeat(4_000)],
  ])(
    'respects the limits for the largest standup of %s, and all its messages together have the full text',
    (_, update) => {
      expect(findTextError(update, limits.update)).toBeUndefined();
      expect(findTextError(`${update}x`, limits.update)).toBeDefined();
      for (const location of [{in: 'thread'}, {in: 'channel', date: '2026-11-24'}] as const) {
        const messages = presentMessages(translationFor(), standup(update), location);
        expect(messages.flatMap(findLimitViolations)).toEqual([]);
        expect(isWhole(JSON.stringify(messages))).toBe(true);
        expect(readBack(messages)).toEqual({seen: update, heard: withoutIsolates(update)});
        expect(messages.length).toBeLessThanOrEqual(6);
        for (const {text, blocks} of messages) {
          expect(text.length).toBeLessThanOrEqual(4_000);
          expect(Buffer.byteLength(JSON.stringify(blocks))).toBeLessThanOrEqual(12_000);
        }
      }
    },
  );

  test.each([
    '<!channel>',
    '<!here|now>',
    '<@U123>',
    '<#C1>',
    '<!subteam^S1>',
    '<https://evil.example|click>',
    '@everyone',
  ])('shows %s as plain text', (injection) => {
    const {text, blocks} = presentStandup(standup(`hi ${injection}`));
    expect(text).not.toMatch(/[<>]/);
    const types = [...JSON.stringify(blocks).matchAll(/"type":"(\w+)"/g)].map(([, type]) => type);
    const known = 'context plain_text rich_text rich_text_section text link actions overflow'.split(' ');
    expect(types.filter((type) => !known.includes(type ?? ''))).toEqual([]);
  });

  test('names, beside the author, the person who posted the standup for the author', () => {
    const byAnother = (poster: string | null) => presentStandup({...standup('all of it'), poster});
    expect(byAnother('Lea <!here>').text).toBe('Ada &lt;!here&gt; (posted by Lea &lt;!here&gt;): all of it');
    expect(JSON.stringify(byAnother('Lea').blocks)).toContain('Ada <!here> (posted by Lea)');
    expect(byAnother(null).text).toContain('(posted by a former member)');
    const changed = presentStandup({...standup('all of it'), poster: 'Lea', editor: 'Max'});
    expect(changed.text).toContain(' (posted by Lea, edited by Max): all of it');
  });

  test('has the full text of a standup for screen readers', () => {
    expect(presentStandup(standup('all of it')).text).toBe('Ada &lt;!here&gt;: all of it');
  });

  test('shows a text that fits in full, and says that a longer text is cut', () => {
    expect(JSON.stringify(plainTextBlock('x'.repeat(4_000)))).not.toContain('too long');
    expect(
      JSON.stringify(plainTextBlock('漢'.repeat(4_000), {cutNote: translationFor().texts.cutNote})),
    ).toContain('too long');
  });

  test('says that a long standup continues, and is cut between lines or words', () => {
    const [first, second] = presentMessages(
      translationFor(),
      standup(`${'some words '.repeat(360)}\n${'and more '.repeat(20)}`),
    );
    expect(first!.text).toMatch(/(some|words)\s+… \(continued below, part 1 of 2\)$/);
    expect(second!.text).toMatch(/^Ada &lt;!here&gt; \(part 2 of 2\): (some|words|and)/);
  });

  test('has the blockers of a standup after its text, or in a second message if needed, and pings no author', () => {
    const blocker = {
      id: asId('blk_1'),
      text: '<!channel> no\nkey',
      state: 'acknowledged',
      by: '<@U1>',
    } as const;
    const blockers = [{...blocker, id: asId('blk_2'), state: 'resolved', by: null} as const, blocker];
    const messagesOf = (update: string) => presentMessages(translationFor(), {...standup(update), blockers});
    const [short] = messagesOf('short');
    expect(short?.text).toBe(
      'Ada &lt;!here&gt;: short\nBlocker, acknowledged by &lt;@U1&gt;: &lt;!channel&gt; no key\nBlocker, resolved: &lt;!channel&gt; no key',
    );
    const rows = ['rich_text', 'actions', 'rich_text'];
    expect(short?.blocks?.map(({type}) => type)).toEqual(['rich_text', ...rows, 'actions']);
    expect(JSON.stringify(short?.blocks)).not.toMatch(/"type":"(user|broadcast|channel|mrkdwn)"/);
    const long = 'x'.repeat(3_980);
    expect(messagesOf(long)).toHaveLength(2);
    expect(messagesOf(long)[0]).toEqual(presentStandup(standup(long)));
    expect(messagesOf(long)[1]?.text).toMatch(/^Ada &lt;!here&gt;:\nBlocker, acknowledged/);
  });

  const day = {team: 't', date: '2026-11-24', in: 3, of: 6};

  test('counts the people who have posted on a day', () => {
    expect(presentDayMessage(translationFor(), day).text).toBe('Standup · Tue 24 Nov · 3 of 6 posted');
    expect(presentDayMessage(translationFor(), {...day, in: 0}).text).toBe(
      'Standup · Tue 24 Nov · 0 of 6 posted',
    );
    expect(presentDayMessage(translationFor(), {...day, in: 0, of: 0}).text).toBe('Standup · Tue 24 Nov');
  });

  test('respects the limits when it names who has posted on a day, and says how many people it does not name', () => {
    const names = Array.from({length: 300}, (_, i) => `<!channel> & ${i} ${'漢'.repeat(60)}`);
    const message = presentDayMessage(translationFor(), {...day, names});
    expect(findLimitViolations(message)).toEqual([]);
    expect(message.text).toMatch(/\nPosted: &lt;!channel&gt; &amp; 0 .* and 2\d\d more$/);
    expect(presentDayMessage(translationFor(), {...day, names: ['Ada', 'Grace']}).text).toBe(
      'Standup · Tue 24 Nov · 3 of 6 posted\nPosted: Ada, Grace',
    );
  });
});

const shownNew = {teams: [], open: [], also: {teams: [], chosen: []}};

test('the dates of a full list of teams fit into a form and a button, and each can be read back', () => {
  const ids = Array.from({length: 300}, (_, i) =>
    composeId('team', 1, asSuffix<'team'>(String(i).padStart(16, '0'))),
  );
  const dateOf = (i: number) => `2026-11-2${4 + (i % 3)}`;
  const dates = packDates(ids.map((id, i) => [id, dateOf(i)]));
  const shown = ids.slice(0, slackLimits.options);
  expect(shown.map((id) => findTeamDate(dates, id))).toEqual(shown.map((_, i) => dateOf(i)));
  expect(findTeamDate(dates, ids[200]!)).toBeUndefined();
  const team = ids[0]!;
  const begins = {with: 'text', text: 'x'.repeat(2_000)} as const;
  const button = packRequest({mode: 'new', team, replaces: true, dates, begins});
  expect(button.length).toBeLessThanOrEqual(slackLimits.buttonValue);
  expect(parseRequest(parseValue(button))).toMatchObject({dates});
  const answer = {url: `https://hooks.slack.com/${'x'.repeat(200)}`, until: 1e13, replaces: true};
  const state = {
    form: 'new',
    team,
    by: 'list',
    answer,
    setUpIn: 'C0000000000',
    typed: ids[1],
    dates,
  } as const;
  const content = {shape: 'parts', parts: {yesterday: '', today: '', blockers: ''}} as const;
  expect(
    findLimitViolations(presentForm(translationFor(), {...shownNew, state, team: undefined, content})),
  ).toEqual([]);
});

test('the form respects the limits with many teams, long names and a long Yesterday', () => {
  const stamp = {revision: 1, created_at: '', updated_at: ''};
  const team = (i: number) =>
    ({
      id: asId<'team'>(`team_${i}`),
      object: 'team',
      slug: `t${i}`,
      name: '漢😀'.repeat(40),
      timezone: 'UTC',
      slack_channel_id: null,
      ...teamDefaults,
      ...stamp,
    }) as const;
  const teams = Array.from({length: 300}, (_, i) => team(i));
  const parts = {yesterday: '😀'.repeat(4_000), today: '', blockers: ''};
  const content = {shape: 'parts', parts} as const;
  const choose = {form: 'choose', dates: {}} as const;
  expect(
    findLimitViolations(presentForm(translationFor(), {...shownNew, state: choose, content, teams})),
  ).toEqual([]);
  const named = {...team(1), name: 'n'.repeat(500)};
  const state = {form: 'new', team: named.id, by: 'itself', dates: {}} as const;
  expect(
    findLimitViolations(presentForm(translationFor(), {...shownNew, state, team: named, content})),
  ).toEqual([]);
});

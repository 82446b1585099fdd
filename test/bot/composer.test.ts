import {afterAll, afterEach, beforeAll, describe, expect, test} from '@jest/globals';
import {toInlineElements, toRichText} from '../../src/bot/slack/rich-text/show-text.js';
import {createFormattedTextBlock} from '../../src/bot/slack/blocks/blocks.js';
import {namesFromRequest} from '../../src/bot/slack/rich-text/names.js';
import {
  convertBlocksToPlainText,
  convertMarkupToPlainText,
} from '../../src/bot/slack/rich-text/to-plain-text.js';
import {translationFor} from '../../src/bot/slack/blocks/slack-translation.js';
import {deep} from '../support/deep.js';
import {findBlock, fillForm, openStandupForm, type View} from '../support/slack-form.js';
import {type SlackHarness, startSlack} from '../support/slack-harness.js';

let slack: SlackHarness;
beforeAll(async () => {
  slack = await startSlack();
});
afterAll(() => slack.close());
afterEach(() => {
  expect(slack.slack.limitViolations).toEqual([]);
  slack.slack.clear();
});

const section = (...elements: object[]) => ({type: 'rich_text_section', elements});
const text = (said: string, style?: object) => ({type: 'text', text: said, ...(style && {style})});
const list = (style: string, indent: number, ...items: string[]) => ({
  type: 'rich_text_list',
  style,
  indent,
  border: 0,
  elements: items.map((item) => section(text(item))),
});

/** A submitted form with rich text in its inputs. */
function composed(view: View, id: string, given: Record<string, readonly object[]>) {
  const handed = fillForm(view, id);
  const values = Object.entries(given).map(([field, elements]) => [
    field,
    {value: {type: 'rich_text_input', rich_text_value: {type: 'rich_text', elements}}},
  ]);
  return {...handed, state: {values: {...handed.state.values, ...Object.fromEntries(values)}}};
}

const user = {id: 'UFAY', name: 'Fay'};
const latest = async () => (await slack.standups())[0];

describe('a text composed in a form', () => {
  test('is stored as plain text, and is formatted again when it is edited', async () => {
    const user = {id: 'UIDA', name: 'Ida'};
    const {people} = slack.core.services;
    await people.ensureSlackMember(slack.operator(), 'UADA', {name: 'Ada Lovelace', timezone: null});
    const view = await openStandupForm(slack, {user});
    const today = [
      section(
        text('Shipped ', {bold: true}),
        {type: 'link', url: 'https://a.example/PR/1'},
        text(' with '),
        {type: 'user', user_id: 'UADA'},
        text(' '),
        {type: 'emoji', name: 'rocket', unicode: '1f680'},
        text(' in '),
        {type: 'channel', channel_id: 'C0123456'},
        text('\n'),
      ),
      list('bullet', 0, 'tests'),
      list('bullet', 1, 'unit', 'R&D <b>'),
      list('ordered', 0, 'docs'),
      {type: 'rich_text_quote', elements: [text('well done')]},
      {type: 'rich_text_preformatted', elements: [text('npm test')], border: 0},
      section({type: 'link', url: 'https://b.example/x', text: 'the page'}, text(' '), {
        type: 'broadcast',
        range: 'channel',
      }),
    ];
    const handed = composed(view, 'V_COMPOSED', {today, blockers: [section(text('none'))]});
    expect(await slack.submit(handed, {user})).toMatchObject({status: 200, text: ''});
    const said =
      '*Shipped* https://a.example/PR/1 with @Ada Lovelace :rocket: in https://acme.slack.com/archives/C0123456\n• tests\n    • unit\n    • R&D <b>\n1. docs\n> well done\n```\nnpm test\n```\nthe page (https://b.example/x) @channel';
    const standup = await latest();
    expect(standup?.update).toBe(`Today\n${said}\n\nBlockers\nnone`);

    const editing = await openStandupForm(slack, {user});
    const shown = findBlock(editing, 'today.1')?.element?.initial_value as {elements: {type: string}[]};
    expect(shown.elements.map(({type}) => type)).toEqual([
      'rich_text_section',
      'rich_text_list',
      'rich_text_list',
      'rich_text_list',
      'rich_text_quote',
      'rich_text_preformatted',
      'rich_text_section',
    ]);
    // Slack does not submit an input that begins with a mention.
    expect(JSON.stringify(shown)).not.toMatch(/"type":"(?:user|channel)"/);
    expect(JSON.stringify(shown)).toContain('{"type":"emoji","name":"rocket"}');
  });

  test('remains untouched when the form is submitted unchanged', async () => {
    expect((await slack.command('to be changed', {user})).text).toContain('✅ Posted in');
    const standup = await latest();
    const author = {...slack.operator(), principal: standup!.author};
    const update = 'Today\n- a\n  - b _*x*_';
    await slack.core.services.standups.editStandup(author, standup!.id, {update});
    const view = await openStandupForm(slack, {user});
    expect(findBlock(view, 'today.2')?.element).toMatchObject({
      type: 'rich_text_input',
      initial_value: {
        type: 'rich_text',
        elements: [{type: 'rich_text_list'}, {type: 'rich_text_list', indent: 1}],
      },
    });
    expect(await slack.submit(fillForm(view, 'V_AS_SHOWN'), {user})).toMatchObject({status: 200, text: ''});
    expect(await latest()).toMatchObject({update, revision: 2});
  });

  test('is refused at its field with its length and the limit when it is too long', async () => {
    const view = await openStandupForm(slack, {user: {id: 'ULONG', name: 'Lon'}});
    const handed = composed(view, 'V_LONG', {
      today: [list('bullet', 0, 'x'.repeat(2_100), 'y'.repeat(2_100))],
    });
    const before = (await slack.standups()).length;
    const {body} = await slack.submit(handed, {user: {id: 'ULONG', name: 'Lon'}});
    expect(body.response_action).toBe('errors');
    expect(body.errors.today).toMatch(/42\d\d characters.*4000/);
    expect(await slack.standups()).toHaveLength(before);
  });

  test('counts as empty when it has no characters', async () => {
    const view = await openStandupForm(slack, {user: {id: 'UEMPTY', name: 'Em'}});
    for (const elements of [[], [section()], [section(text('\n'))], [list('bullet', 0)]]) {
      const {body} = await slack.submit(composed(view, 'V_EMPTY', {today: elements}), {
        user: {id: 'UEMPTY', name: 'Em'},
      });
      expect(body.errors).toEqual({today: expect.stringContaining('today')});
    }
  });
});

describe('a text of forty thousand characters', () => {
  const characters = [
    ...'*_~`:@#<>|()[]{}-•>. \n\t/\\&"',
    '```',
    '```\n',
    '> ',
    '\n> ',
    '\n- ',
    '\n1. ',
    '  ',
    ':a',
    ':a:',
    '`a',
    '*a ',
    ' *a',
    '*a*',
    '_*~',
    'http://',
    'https://a',
    'https://a.b/(',
    '@a',
    '<@',
    '<https://a|',
    '<@U1|',
    '\u202e',
    '😀',
    '\u0301',
  ];
  const names = namesFromRequest(translationFor().texts);

  const some = ['```\n', '\n> ', '\n- ', '*a ', ':a', 'https://a.b/(', '<@', '\u0301'];
  test.each((deep ? characters : some).map((one) => [JSON.stringify(one), one]))(
    'is shown and read without delay when it repeats %s',
    (_, one) => {
      const given = one.repeat(Math.ceil(40_000 / one.length)).slice(0, 40_000);
      // CPU time, because other processes may use the machine too.
      const began = process.threadCpuUsage();
      const rich = toRichText(given);
      toInlineElements(given);
      createFormattedTextBlock(given, {quote: true, cutNote: '…'});
      convertBlocksToPlainText([{type: 'rich_text', elements: rich}], names);
      convertBlocksToPlainText([{type: 'rich_text', elements: [section(text(given, {bold: true}))]}], names);
      convertBlocksToPlainText(
        [
          {
            type: 'rich_text',
            elements: [section(...Array.from({length: 4_000}, () => text(one, {italic: true})))],
          },
        ],
        names,
      );
      convertMarkupToPlainText(given, names);
      expect(process.threadCpuUsage(began).user / 1_000).toBeLessThan(1_500);
    },
  );
});

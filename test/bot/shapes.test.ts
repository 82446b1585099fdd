import {describe, expect, test} from '@jest/globals';
import {
  input,
  modal,
  singleSelect,
  bulletList,
  button,
  confirmation,
  header,
  option,
  paragraph,
  actionsRow,
  actionsRowIfAny,
  section,
  textElement,
} from '../../src/bot/slack/blocks/shapes.js';
import {slackLimits} from '../../src/bot/slack/blocks/names.js';
import {findLimitViolations} from '../support/slack-limits.js';

const {section: ofSection, header: ofHeader, option: ofOption, buttonText, confirmText} = slackLimits;

const dialog = {title: 'Sure?', text: 'x', confirm: 'Yes', deny: 'No'};

/** Functions that show the part of a text that a shape holds. */
const cut: [name: string, limit: number, show: (text: string) => string | undefined][] = [
  ['a section', ofSection, (text) => section(text).text?.text],
  ['a header', ofHeader, (text) => header(text).text.text],
  ['an option', ofOption, (text) => option('v', text).text.text],
  ['a button', buttonText, (text) => button('act', text).text.text],
  ['what is said of a button', buttonText, (spoken) => button('act', 'x', 'v', {spoken}).accessibility_label],
  ['a confirmation', confirmText, (text) => confirmation({...dialog, text}).text.text],
];

describe('a shape of Block Kit', () => {
  test.each(cut)('cuts the text of %s where Slack would refuse it, and not before', (_, limit, show) => {
    const whole = 'x'.repeat(limit);
    expect(show(whole)).toBe(whole);
    expect(show(`${whole}x`)).toBe(`${'x'.repeat(limit - 1)}…`);
  });

  test('shortens texts that are too long, so that Slack accepts the message and the modal', () => {
    const long = 'x'.repeat(5_000);
    const asked = button('act', long, 'v', {spoken: long, confirm: confirmation({...dialog, text: long})});
    const blocks = [header(long), section(long, asked), actionsRow(asked)];
    const field = input('field', 'Field', singleSelect([option('a', long), option('b', long)]));
    const view = modal({title: 'Title', submit: 'Save', close: 'Cancel'}, [...blocks, field]);
    expect(findLimitViolations({text: 'x', blocks})).toEqual([]);
    expect(findLimitViolations({view})).toEqual([]);
  });

  test('gives buttons with one name different ids if they have different parts', () => {
    const ids = [button('act', 'x'), button('act', 'x', 'v', {part: '1'})].map(({action_id: id}) => id);
    expect(ids).toEqual(['act', 'act:1']);
  });

  test('is omitted when it is a row or a list without content', () => {
    expect([actionsRowIfAny([]), bulletList([])]).toEqual([[], []]);
    expect(paragraph([textElement('x')], bulletList([])).elements).toHaveLength(1);
  });
});

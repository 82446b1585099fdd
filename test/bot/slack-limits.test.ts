import {describe, expect, test} from '@jest/globals';
import {findLimitFaults, limits} from '../support/slack-limits.js';

const plain = (length: number) => ({type: 'plain_text', text: 'x'.repeat(length)});
const section = (length: number) => ({type: 'section', text: plain(length)});
const message = (...blocks: object[]) => ({text: 'x', blocks});
const input = (element: object) => ({type: 'input', label: plain(1), element});
const view = (change: object = {}) => ({
  view: {type: 'modal', title: plain(1), submit: plain(1), blocks: [section(1)], ...change},
});
const select = (...options: object[]) => view({blocks: [input({type: 'static_select', options})]});
const option = (text: number, value: number) => ({text: plain(text), value: 'v'.repeat(value)});
const button = (change: object) =>
  message({type: 'actions', elements: [{type: 'button', text: plain(1), ...change}]});
const many = <T>(length: number, item: T) => Array.from({length}, () => item);

/** One payload for each limit that breaks it and no other. */
const planted: Record<string, object> = {
  'message text is there': {text: '', blocks: [section(1)]},
  'message text ≤ 4,000': {text: 'x'.repeat(4_001)},
  'message blocks ≤ 50': message(...many(51, section(1))),
  'message blocks ≤ 13 kB': message(...many(5, section(2_900))),
  'metadata ≤ 16 kB': {text: 'x', metadata: {event_payload: 'x'.repeat(17_000)}},
  'view blocks ≤ 100': view({blocks: many(101, section(1))}),
  'view title 1–24': view({title: plain(25)}),
  'view submit ≤ 24': view({submit: plain(25)}),
  'view close ≤ 24': view({close: plain(25)}),
  'private_metadata ≤ 3,000': view({private_metadata: 'x'.repeat(3_001)}),
  'callback_id ≤ 255': view({callback_id: 'x'.repeat(256)}),
  'a view with inputs has a submit': {
    view: {type: 'modal', title: plain(1), blocks: [input({type: 'plain_text_input'})]},
  },
  'block_ids differ': message({...section(1), block_id: 'a'}, {...section(1), block_id: 'a'}),
  'block_id ≤ 255': message({...section(1), block_id: 'x'.repeat(256)}),
  'section text 1–3,000': message(section(3_001)),
  'header text 1–150': message({type: 'header', text: plain(151)}),
  'input label 1–2,000': view({
    blocks: [{type: 'input', label: plain(2_001), element: {type: 'plain_text_input'}}],
  }),
  'actions 1–25': message({type: 'actions', elements: many(26, {type: 'button', text: plain(1)})}),
  'context elements 1–10': message({type: 'context', elements: many(11, plain(1))}),
  'button text 1–75': button({text: plain(76)}),
  'button value ≤ 2,000': button({value: 'x'.repeat(2_001)}),
  'action_id ≤ 255': button({action_id: 'x'.repeat(256)}),
  'input max_length ≤ 3,000': view({blocks: [input({type: 'plain_text_input', max_length: 3_001})]}),
  'initial value ≤ max_length': view({
    blocks: [input({type: 'plain_text_input', max_length: 5, initial_value: '123456'})],
  }),
  'select options 1–100': select(...many(101, option(1, 1))),
  'option text 1–75': select(option(76, 1)),
  'option value 1–150': select(option(1, 151)),
  'rich text element is not empty': message({
    type: 'rich_text',
    elements: [{type: 'rich_text_section', elements: [{type: 'text', text: ''}]}],
  }),
};

describe('the check of payloads notices one beyond', () => {
  test.each(limits.map(({name}) => [name]))('%s', (name) => {
    expect(findLimitFaults(planted[name])).toEqual([name]);
  });
});

test('a payload at its limits passes', () => {
  expect(findLimitFaults(message(section(3_000)))).toEqual([]);
  expect(findLimitFaults(view())).toEqual([]);
  expect(findLimitFaults(select(...many(100, option(75, 150))))).toEqual([]);
});

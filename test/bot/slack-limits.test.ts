import {describe, expect, test} from '@jest/globals';
import {findLimitViolations, findStackViolations, limits} from '../support/slack-limits.js';

const plain = (length: number) => ({type: 'plain_text', text: 'x'.repeat(length)});
const section = (length: number) => ({type: 'section', text: plain(length)});
const message = (...blocks: object[]) => ({text: 'x', blocks});
const input = (element: object) => ({type: 'input', label: plain(1), element});
const view = (change: object = {}) => ({
  view: {type: 'modal', title: plain(1), submit: plain(1), blocks: [section(1)], ...change},
});
const select = (...options: object[]) => view({blocks: [input({type: 'static_select', options})]});
const option = (text: number, value: number) => ({text: plain(text), value: 'v'.repeat(value)});
const group = (label: number, ...options: object[]) => ({label: plain(label), options});
const grouped = (...option_groups: object[]) =>
  view({blocks: [input({type: 'static_select', option_groups})]});
const richText = (...elements: object[]) =>
  message({type: 'rich_text', elements: [{type: 'rich_text_section', elements}]});
const confirm = (change: object) =>
  button({
    confirm: {title: plain(1), text: plain(1), confirm: plain(1), deny: plain(1), ...change},
  });
const button = (change: object) =>
  message({type: 'actions', elements: [{type: 'button', text: plain(1), ...change}]});
const many = <T>(length: number, item: T) => Array.from({length}, () => item);

/** For each limit, a payload that exceeds it and no other. */
const planted: Record<string, object> = {
  'message text is there': {text: '', blocks: [section(1)]},
  'message text ≤ 4,000': {text: 'x'.repeat(4_001)},
  'message blocks ≤ 50': message(...many(51, section(1))),
  'message blocks ≤ 13 kB': message(...many(5, section(2_900))),
  'metadata ≤ 16 kB': {text: 'x', metadata: {event_type: 'x', event_payload: {x: 'x'.repeat(17_000)}}},
  'metadata has a type and a payload': {text: 'x', metadata: {event_payload: {}}},
  'view blocks ≤ 100': view({blocks: many(101, section(1))}),
  'view ≤ 250 kB': view({
    blocks: many(85, {type: 'section', text: {type: 'plain_text', text: '漢'.repeat(1_000)}}),
  }),
  'view title 1–24': view({title: plain(25)}),
  'view submit ≤ 24': view({submit: plain(25)}),
  'view close ≤ 24': view({close: plain(25)}),
  'private_metadata ≤ 3,000': view({private_metadata: 'x'.repeat(3_001)}),
  'callback_id ≤ 255': view({callback_id: 'x'.repeat(256)}),
  'external_id ≤ 255': view({external_id: 'x'.repeat(256)}),
  'one focus in a view': view({
    blocks: many(2, input({type: 'plain_text_input', focus_on_load: true})),
  }),
  'a view with inputs has a submit': {
    view: {type: 'modal', title: plain(1), blocks: [input({type: 'plain_text_input'})]},
  },
  'block_ids differ': message({...section(1), block_id: 'a'}, {...section(1), block_id: 'a'}),
  'block_id ≤ 255': message({...section(1), block_id: 'x'.repeat(256)}),
  'action_ids of a block differ': message({
    type: 'actions',
    elements: many(2, {type: 'button', text: plain(1), action_id: 'a'}),
  }),
  'block type is known here': message({type: 'video'}),
  'element type is known here': richText({type: 'usergroup', usergroup_id: 'S1'}),
  'text object 1–3,000': message(section(3_001)),
  'section has text or fields': message({type: 'section'}),
  'section fields ≤ 10': message({type: 'section', fields: many(11, plain(1))}),
  'section field ≤ 2,000': message({type: 'section', fields: [plain(2_001)]}),
  'header text ≤ 150': message({type: 'header', text: plain(151)}),
  'input label 1–2,000': view({
    blocks: [{type: 'input', label: plain(2_001), element: {type: 'plain_text_input'}}],
  }),
  'input hint ≤ 2,000': view({blocks: [{...input({type: 'plain_text_input'}), hint: plain(2_001)}]}),
  'actions 1–25': message({type: 'actions', elements: many(26, {type: 'button', text: plain(1)})}),
  'context elements 1–10': message({type: 'context', elements: many(11, plain(1))}),
  'an image has an address ≤ 3,000 and words ≤ 2,000': message({
    type: 'context',
    elements: [{type: 'image', image_url: 'x'.repeat(3_001), alt_text: 'x'}],
  }),
  'rich text has elements': message({type: 'rich_text', elements: []}),
  'button text 1–75': button({text: plain(76)}),
  'button value ≤ 2,000': button({value: 'x'.repeat(2_001)}),
  'button url ≤ 3,000': button({url: 'x'.repeat(3_001)}),
  'button label for screen readers ≤ 75': button({accessibility_label: 'x'.repeat(76)}),
  'button style is primary or danger': button({style: 'default'}),
  'action_id ≤ 255': button({action_id: 'x'.repeat(256)}),
  'initial date is a day': view({blocks: [input({type: 'datepicker', initial_date: 'tomorrow'})]}),
  'placeholder ≤ 150': view({blocks: [input({type: 'users_select', placeholder: plain(151)})]}),
  'plain text where nothing else is taken': button({text: {type: 'mrkdwn', text: '*x*'}}),
  'input max_length 1–3,000': view({blocks: [input({type: 'plain_text_input', max_length: 3_001})]}),
  'input min_length ≤ max_length': view({
    blocks: [input({type: 'plain_text_input', min_length: 6, max_length: 5})],
  }),
  'initial value ≤ max_length': view({
    blocks: [input({type: 'plain_text_input', max_length: 5, initial_value: '123456'})],
  }),
  'select options 1–100, or groups': select(...many(101, option(1, 1))),
  'options or groups, not both': view({
    blocks: [
      input({type: 'static_select', options: [option(1, 1)], option_groups: [group(1, option(1, 1))]}),
    ],
  }),
  'group options 1–100': grouped(group(1, ...many(101, option(1, 1)))),
  'group label 1–75': grouped(group(76, option(1, 1))),
  'a number lies between its bounds, and says whether it may have decimals': view({
    blocks: [input({type: 'number_input', is_decimal_allowed: true, min_value: '2', max_value: '1'})],
  }),
  'choices 1–10': view({blocks: [input({type: 'radio_buttons', options: many(11, option(1, 1))})]}),
  'overflow options 1–5': message({
    ...section(1),
    accessory: {type: 'overflow', options: many(6, option(1, 1))},
  }),
  'option text 1–75': select(option(76, 1)),
  'option value 1–75': select(option(1, 76)),
  'option description ≤ 75': select({...option(1, 1), description: plain(76)}),
  'what is chosen is among the options': view({
    blocks: [input({type: 'static_select', options: [option(1, 1)], initial_option: option(1, 2)})],
  }),
  'max_selected_items ≥ 1': view({
    blocks: [input({type: 'multi_users_select', max_selected_items: 0})],
  }),
  'no more people at first than may be chosen': view({
    blocks: [input({type: 'multi_users_select', max_selected_items: 1, initial_users: ['U1', 'U2']})],
  }),
  'no more options at first than may be chosen': view({
    blocks: [
      input({
        type: 'multi_static_select',
        max_selected_items: 1,
        options: [option(1, 1), option(2, 2)],
        initial_options: [option(1, 1), option(2, 2)],
      }),
    ],
  }),
  'initial time is HH:mm': view({blocks: [input({type: 'timepicker', initial_time: '9:00'})]}),
  'min_query_length ≥ 0': view({blocks: [input({type: 'external_select', min_query_length: -1})]}),
  'a filter of conversations lets something through': view({
    blocks: [input({type: 'conversations_select', filter: {include: []}})],
  }),
  'answer to a search ≤ 100': {options: many(101, option(1, 1))},
  'sentence under a field is there': {response_action: 'errors', errors: {name: ''}},
  'confirm title ≤ 100': confirm({title: plain(101)}),
  'confirm text ≤ 300': confirm({text: plain(301)}),
  'confirm button ≤ 30': confirm({confirm: plain(31)}),
  'deny button ≤ 30': confirm({deny: plain(31)}),
  'level of a list 0–8': message({
    type: 'rich_text',
    elements: [{type: 'rich_text_list', style: 'bullet', indent: 9, elements: []}],
  }),
  'link is an address of at most 3,000': richText({type: 'link', url: 'javascript:x'}),
  'initial value of rich text is rich text without mentions': view({
    blocks: [
      input({
        type: 'rich_text_input',
        initial_value: {type: 'rich_text', elements: [{type: 'user', user_id: 'U1'}]},
      }),
    ],
  }),
  'rich text element is not empty': richText({type: 'text', text: ''}),
  'date has seconds and a format': richText({type: 'date', timestamp: 1.5, format: '{date}'}),
};

describe('the check of payloads', () => {
  test.each(limits.map(({name}) => [name]))('notices a violation of the rule “%s”', (name) => {
    expect(findLimitViolations(planted[name])).toEqual([name]);
  });
});

test('the check of payloads accepts a payload that reaches its limits exactly', () => {
  expect(findLimitViolations(message(section(3_000)))).toEqual([]);
  expect(findLimitViolations(view())).toEqual([]);
  expect(findLimitViolations({view: {type: 'home', blocks: many(100, section(1))}})).toEqual([]);
  expect(findLimitViolations(select(...many(100, option(75, 75))))).toEqual([]);
  expect(findLimitViolations(grouped(...many(100, group(75, option(75, 75)))))).toEqual([]);
  expect(findLimitViolations(confirm({title: plain(100), text: plain(300), deny: plain(30)}))).toEqual([]);
});

test('the check of payloads notices a fourth modal on a stack', () => {
  const [open, push] = [{method: 'views.open'}, {method: 'views.push'}];
  expect(findStackViolations([open, push, push])).toEqual([]);
  expect(findStackViolations([open, push, push, push, open, push])).toEqual([3]);
});

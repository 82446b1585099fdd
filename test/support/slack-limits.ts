/**
 * Slack's documented limits, as a table. The emulator checks none of them, so `findLimitViolations` checks
 * every payload of every Slack test. Sources: https://docs.slack.dev/reference/block-kit (and its comments in
 * `@slack/types`), …/surfaces/modals, …/reference/methods/chat.postMessage, chat.update, views.open,
 * views.push, and https://docs.slack.dev/messaging/message-metadata. Where two sources differ, the table has
 * the smaller limit. Lengths are in UTF-16 code units, which are never fewer than Slack counts.
 */
type Node = Record<string, unknown>;

interface Limit {
  readonly name: string;
  readonly applies: (node: Node, kind: NodeKind) => boolean;
  readonly holds: (node: Node) => boolean;
}

/**
 * Kinds of parts in a payload. `message`: a posted message or an answer; `view`: a modal or the Home tab;
 * `block`: a part of a message or view. `option`, `group`, `confirm`: parts of a menu or button; `text`: a
 * text object. `search`: the options that answer a search; `errors`: the sentences under a form's fields.
 * `element`: anything else with a type.
 */
export type NodeKind =
  | 'message'
  | 'view'
  | 'block'
  | 'element'
  | 'option'
  | 'group'
  | 'confirm'
  | 'text'
  | 'search'
  | 'errors';

const length = (value: unknown) => (typeof value === 'string' ? value.length : 0);
const count = (value: unknown) => (Array.isArray(value) ? value.length : 0);
const textOf = (value: unknown) => length((value as Node | undefined)?.['text']);
const isType =
  (...types: string[]) =>
  (node: Node) =>
    types.includes(String(node['type']));
const isKind = (wanted: NodeKind) => (_: Node, kind: NodeKind) => kind === wanted;
const isView = (type: string) => (node: Node, kind: NodeKind) => kind === 'view' && node['type'] === type;
const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value ?? []));
const toNodes = (value: unknown) => (Array.isArray(value) ? (value as Node[]) : []);
const areAllDifferent = (values: readonly unknown[]) => {
  const there = values.filter((value) => value !== undefined);
  return new Set(there).size === there.length;
};
/** True for a text object of the type `plain_text`, or for no text object. */
const isPlain = (value: unknown) => value === undefined || (value as Node)['type'] === 'plain_text';
const menus = ['static_select', 'multi_static_select'];
const choices = ['radio_buttons', 'checkboxes'];
/** Returns all elements under a node, at any depth. */
function listDescendants(node: Node): Node[] {
  return Object.values(node)
    .flat()
    .filter((child) => typeof child === 'object' && child !== null)
    .flatMap((child) => [child as Node, ...listDescendants(child as Node)]);
}

/** The types that the bot may show. To show another type, add its limits here first. */
const blockTypes = new Set(['section', 'header', 'input', 'actions', 'context', 'divider', 'rich_text']);
const elementTypes = new Set([
  'button',
  'overflow',
  'image',
  'plain_text_input',
  'rich_text_input',
  'number_input',
  'checkboxes',
  'radio_buttons',
  'static_select',
  'multi_static_select',
  'users_select',
  'multi_users_select',
  'external_select',
  'conversations_select',
  'channels_select',
  'timepicker',
  'datepicker',
  'rich_text_section',
  'rich_text_quote',
  'rich_text_list',
  'rich_text_preformatted',
  'text',
  'link',
  'date',
  'emoji',
  'user',
  'channel',
]);

export const limits: readonly Limit[] = [
  {
    name: 'message text is there',
    applies: isKind('message'),
    holds: (n) => length(n['text']) > 0,
  },
  {
    // 4,000 is the limit of chat.update; chat.postMessage accepts 40,000.
    name: 'message text ≤ 4,000',
    applies: isKind('message'),
    holds: (n) => length(n['text']) <= 4_000,
  },
  {name: 'message blocks ≤ 50', applies: isKind('message'), holds: (n) => count(n['blocks']) <= 50},
  {
    // Slack does not document this limit, but has refused messages of 13,172 characters and more with the
    // error msg_blocks_too_long (slackapi/bolt-js#2509).
    name: 'message blocks ≤ 13 kB',
    applies: isKind('message'),
    holds: (n) => bytes(n['blocks']) <= 13_000,
  },
  {name: 'metadata ≤ 16 kB', applies: isKind('message'), holds: (n) => bytes(n['metadata']) <= 16_000},
  {
    name: 'metadata has a type and a payload',
    applies: (n, kind) => kind === 'message' && n['metadata'] !== undefined,
    holds: ({metadata}) =>
      length((metadata as Node)['event_type']) > 0 && typeof (metadata as Node)['event_payload'] === 'object',
  },
  {name: 'view blocks ≤ 100', applies: isKind('view'), holds: (n) => count(n['blocks']) <= 100},
  {name: 'view ≤ 250 kB', applies: isKind('view'), holds: (n) => bytes(n) <= 250_000},
  {
    name: 'view title 1–24',
    applies: isView('modal'),
    holds: (n) => isInRange(textOf(n['title']), 1, 24),
  },
  {name: 'view submit ≤ 24', applies: isView('modal'), holds: (n) => textOf(n['submit']) <= 24},
  {name: 'view close ≤ 24', applies: isView('modal'), holds: (n) => textOf(n['close']) <= 24},
  {
    name: 'private_metadata ≤ 3,000',
    applies: isKind('view'),
    holds: (n) => length(n['private_metadata']) <= 3_000,
  },
  {name: 'callback_id ≤ 255', applies: isKind('view'), holds: (n) => length(n['callback_id']) <= 255},
  {name: 'external_id ≤ 255', applies: isKind('view'), holds: (n) => length(n['external_id']) <= 255},
  {
    name: 'a view with inputs has a submit',
    applies: isView('modal'),
    holds: (n) => n['submit'] !== undefined || !toNodes(n['blocks']).some(isType('input')),
  },
  {
    name: 'one focus in a view',
    applies: isKind('view'),
    holds: (n) => listDescendants(n).filter(({focus_on_load}) => focus_on_load === true).length <= 1,
  },
  {
    name: 'block_ids differ',
    applies: (_, kind) => kind === 'view' || kind === 'message',
    holds: (n) => areAllDifferent(toNodes(n['blocks']).map(({block_id}) => block_id)),
  },
  {name: 'block_id ≤ 255', applies: isKind('block'), holds: (n) => length(n['block_id']) <= 255},
  {
    name: 'action_ids of a block differ',
    applies: isKind('block'),
    holds: (n) => areAllDifferent(listDescendants(n).map(({action_id}) => action_id)),
  },
  {
    name: 'block type is known here',
    applies: isKind('block'),
    holds: (n) => blockTypes.has(String(n['type'])),
  },
  {
    name: 'element type is known here',
    applies: (n, kind) => kind === 'element' && typeof n['type'] === 'string',
    holds: (n) => elementTypes.has(String(n['type'])),
  },
  {
    name: 'text object 1–3,000',
    applies: isKind('text'),
    holds: (n) => isInRange(length(n['text']), 1, 3_000),
  },
  {
    name: 'section has text or fields',
    applies: isType('section'),
    holds: (n) => n['text'] !== undefined || count(n['fields']) > 0,
  },
  {name: 'section fields ≤ 10', applies: isType('section'), holds: (n) => count(n['fields']) <= 10},
  {
    name: 'section field ≤ 2,000',
    applies: isType('section'),
    holds: (n) => toNodes(n['fields']).every((field) => textOf(field) <= 2_000),
  },
  {name: 'header text ≤ 150', applies: isType('header'), holds: (n) => textOf(n['text']) <= 150},
  {
    name: 'input label 1–2,000',
    applies: isType('input'),
    holds: (n) => isInRange(textOf(n['label']), 1, 2_000),
  },
  {name: 'input hint ≤ 2,000', applies: isType('input'), holds: (n) => textOf(n['hint']) <= 2_000},
  {name: 'actions 1–25', applies: isType('actions'), holds: (n) => isInRange(count(n['elements']), 1, 25)},
  {
    name: 'context elements 1–10',
    applies: isType('context'),
    holds: (n) => isInRange(count(n['elements']), 1, 10),
  },
  {
    // https://docs.slack.dev/reference/block-kit/block-elements/image-element
    name: 'an image has an address ≤ 3,000 and words ≤ 2,000',
    applies: isType('image'),
    holds: (n) => isInRange(length(n['image_url']), 1, 3_000) && isInRange(length(n['alt_text']), 1, 2_000),
  },
  {
    name: 'rich text has elements',
    applies: isType('rich_text'),
    holds: (n) => count(n['elements']) > 0,
  },
  {name: 'button text 1–75', applies: isType('button'), holds: (n) => isInRange(textOf(n['text']), 1, 75)},
  {name: 'button value ≤ 2,000', applies: isType('button'), holds: (n) => length(n['value']) <= 2_000},
  {name: 'button url ≤ 3,000', applies: isType('button'), holds: (n) => length(n['url']) <= 3_000},
  {
    name: 'button label for screen readers ≤ 75',
    applies: isType('button'),
    holds: (n) => length(n['accessibility_label']) <= 75,
  },
  {
    name: 'button style is primary or danger',
    applies: isType('button'),
    holds: (n) => [undefined, 'primary', 'danger'].includes(n['style'] as string | undefined),
  },
  {name: 'action_id ≤ 255', applies: isKind('element'), holds: (n) => length(n['action_id']) <= 255},
  {
    name: 'placeholder ≤ 150',
    applies: isKind('element'),
    holds: (n) => textOf(n['placeholder']) <= 150,
  },
  {
    name: 'plain text where nothing else is taken',
    applies: (_, kind) => kind === 'view' || kind === 'block' || kind === 'element' || kind === 'group',
    holds: (n) =>
      [n['title'], n['submit'], n['close'], n['label'], n['hint'], n['placeholder']].every(isPlain) &&
      (!isType('button', 'header')(n) || isPlain(n['text'])) &&
      (!isType(...menus, 'overflow')(n) || toNodes(n['options']).every(({text}) => isPlain(text))),
  },
  {
    name: 'input max_length 1–3,000',
    applies: isType('plain_text_input'),
    holds: (n) => isInRange(Number(n['max_length'] ?? 3_000), 1, 3_000),
  },
  {
    name: 'input min_length ≤ max_length',
    applies: isType('plain_text_input'),
    holds: (n) => isInRange(Number(n['min_length'] ?? 0), 0, Number(n['max_length'] ?? 3_000)),
  },
  {
    name: 'initial value ≤ max_length',
    applies: isType('plain_text_input'),
    holds: (n) => length(n['initial_value']) <= Number(n['max_length'] ?? 3_000),
  },
  {
    // https://docs.slack.dev/reference/block-kit/block-elements/number-input-element
    name: 'a number lies between its bounds, and says whether it may have decimals',
    applies: isType('number_input'),
    holds: ({is_decimal_allowed, min_value, max_value, initial_value}) => {
      const given = [min_value, initial_value ?? min_value, max_value].filter((one) => one !== undefined);
      const ordered = given.every((one, i) => i === 0 || Number(given[i - 1]) <= Number(one));
      return (
        typeof is_decimal_allowed === 'boolean' && ordered && given.every((one) => typeof one === 'string')
      );
    },
  },
  {
    name: 'select options 1–100, or groups',
    applies: isType(...menus),
    holds: (n) => isInRange(count(n['options'] ?? n['option_groups']), 1, 100),
  },
  {
    name: 'options or groups, not both',
    applies: isType(...menus),
    holds: (n) => n['options'] === undefined || n['option_groups'] === undefined,
  },
  {
    name: 'initial date is a day',
    applies: isType('datepicker'),
    holds: (n) => /^\d{4}-\d{2}-\d{2}$/.test((n['initial_date'] as string | undefined) ?? '2026-11-23'),
  },
  {
    name: 'group options 1–100',
    applies: isKind('group'),
    holds: (n) => isInRange(count(n['options']), 1, 100),
  },
  {name: 'group label 1–75', applies: isKind('group'), holds: (n) => isInRange(textOf(n['label']), 1, 75)},
  {name: 'choices 1–10', applies: isType(...choices), holds: (n) => isInRange(count(n['options']), 1, 10)},
  {
    name: 'overflow options 1–5',
    applies: isType('overflow'),
    holds: (n) => isInRange(count(n['options']), 1, 5),
  },
  {name: 'option text 1–75', applies: isKind('option'), holds: (n) => isInRange(textOf(n['text']), 1, 75)},
  {name: 'option value 1–75', applies: isKind('option'), holds: (n) => isInRange(length(n['value']), 1, 75)},
  {name: 'option description ≤ 75', applies: isKind('option'), holds: (n) => textOf(n['description']) <= 75},
  {
    name: 'what is chosen is among the options',
    applies: isType(...menus, ...choices),
    holds: (n) => {
      const offered = [
        ...toNodes(n['options']),
        ...toNodes(n['option_groups']).flatMap((g) => toNodes(g['options'])),
      ];
      const texts = new Set(offered.map((option) => JSON.stringify(option)));
      const chosen = [n['initial_option'], n['initial_options']]
        .flat()
        .filter((option) => option !== undefined);
      return chosen.every((option) => texts.has(JSON.stringify(option)));
    },
  },
  {
    name: 'max_selected_items ≥ 1',
    applies: isType('multi_static_select', 'multi_users_select'),
    holds: (n) => Number(n['max_selected_items'] ?? 1) >= 1,
  },
  {
    name: 'no more people at first than may be chosen',
    applies: isType('multi_users_select'),
    holds: (n) => count(n['initial_users']) <= Number(n['max_selected_items'] ?? Infinity),
  },
  {
    name: 'no more options at first than may be chosen',
    applies: isType('multi_static_select'),
    holds: (n) => count(n['initial_options']) <= Number(n['max_selected_items'] ?? Infinity),
  },
  {
    name: 'initial time is HH:mm',
    applies: isType('timepicker'),
    holds: (n) => /^(?:[01]\d|2[0-3]):[0-5]\d$/.test((n['initial_time'] as string | undefined) ?? '00:00'),
  },
  {
    name: 'min_query_length ≥ 0',
    applies: isType('external_select'),
    holds: (n) => Number(n['min_query_length'] ?? 3) >= 0,
  },
  {
    name: 'a filter of conversations lets something through',
    applies: (n) => isType('conversations_select')(n) && n['filter'] !== undefined,
    holds: ({filter}) => count((filter as Node)['include'] ?? ['all']) > 0,
  },
  {name: 'answer to a search ≤ 100', applies: isKind('search'), holds: (n) => count(n['options']) <= 100},
  {
    name: 'sentence under a field is there',
    applies: isKind('errors'),
    holds: (n) => Object.values(n).every((sentence) => length(sentence) > 0),
  },
  {name: 'confirm title ≤ 100', applies: isKind('confirm'), holds: (n) => textOf(n['title']) <= 100},
  {name: 'confirm text ≤ 300', applies: isKind('confirm'), holds: (n) => textOf(n['text']) <= 300},
  {name: 'confirm button ≤ 30', applies: isKind('confirm'), holds: (n) => textOf(n['confirm']) <= 30},
  {name: 'deny button ≤ 30', applies: isKind('confirm'), holds: (n) => textOf(n['deny']) <= 30},
  {
    name: 'level of a list 0–8',
    applies: isType('rich_text_list'),
    holds: (n) => isInRange(Number(n['indent'] ?? 0), 0, 8),
  },
  {
    // This limit is not documented: Slack has refused longer links (invalid_blocks).
    name: 'link is an address of at most 3,000',
    applies: isType('link'),
    holds: (n) => /^https?:\/\//i.test(String(n['url'])) && length(n['url']) <= 3_000,
  },
  {
    name: 'initial value of rich text is rich text without mentions',
    applies: isType('rich_text_input'),
    holds: ({initial_value: initial}) =>
      initial === undefined ||
      ((initial as Node)['type'] === 'rich_text' &&
        !listDescendants(initial as Node).some(isType('user', 'channel', 'usergroup', 'team'))),
  },
  {name: 'rich text element is not empty', applies: isType('text'), holds: (n) => length(n['text']) > 0},
  {
    name: 'date has seconds and a format',
    applies: isType('date'),
    holds: (n) => Number.isSafeInteger(n['timestamp']) && length(n['format']) > 0,
  },
];

function isInRange(value: number, min: number, max: number): boolean {
  return value >= min && value <= max;
}

/**
 * Returns the names of the limits that a payload exceeds. A payload is a message, a view, or an answer that
 * contains one of them.
 */
export function findLimitViolations(payload: unknown): string[] {
  if (typeof payload !== 'object' || payload === null) return [];
  const root = payload as Node;
  if (typeof root['view'] === 'object' && root['view'] !== null)
    return findViolationsBelow(root['view'] as Node, 'view');
  if (root['type'] === 'modal' || root['type'] === 'home') return findViolationsBelow(root, 'view');
  if (Array.isArray(root['options'])) return findViolationsBelow(root, 'search');
  if (root['response_action'] === 'errors') return findViolationsBelow(root['errors'] as Node, 'errors');
  return root['text'] !== undefined || root['blocks'] !== undefined
    ? findViolationsBelow(root, 'message')
    : [];
}

function findViolationsBelow(node: Node, kind: NodeKind): string[] {
  const violations = limits
    .filter(({applies, holds}) => applies(node, kind) && !holds(node))
    .map(({name}) => name);
  for (const [name, value] of Object.entries(node)) {
    if (name === 'metadata' || name === 'style') continue;
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (typeof child === 'object' && child !== null)
        violations.push(...findViolationsBelow(child as Node, nodeKindOf(child as Node, name)));
    }
  }
  return violations;
}

const optionsUnder = new Set(['options', 'initial_option', 'initial_options']);

function nodeKindOf(node: Node, under: string): NodeKind {
  if (under === 'blocks' || under === 'initial_value') return 'block';
  if (optionsUnder.has(under)) return 'option';
  if (under === 'option_groups') return 'group';
  // A node named `confirm` that has a type is the label of a button, which is a text object.
  if (under === 'confirm' && node['type'] === undefined) return 'confirm';
  return isType('plain_text', 'mrkdwn')(node) ? 'text' : 'element';
}

/** Maximum number of modals that Slack stacks. */
export const maxStackedViews = 3;

/**
 * Finds the calls of the Web API that would open more modals on top of each other than Slack allows. Returns
 * the positions of these calls.
 */
export function findStackViolations(calls: readonly {readonly method: string}[]): number[] {
  let stacked = 0;
  return calls.flatMap(({method}, i) => {
    if (method === 'views.open') stacked = 1;
    if (method === 'views.push') stacked++;
    return stacked > maxStackedViews ? [i] : [];
  });
}

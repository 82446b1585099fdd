/**
 * Slack's documented limits (https://docs.slack.dev/reference/block-kit, …/methods/chat.postMessage, …/surfaces/modals), as a table.
 * The emulator checks none of them, so every payload of every Slack test passes through `findLimitFaults`.
 */
type Node = Record<string, unknown>;

interface Limit {
  readonly name: string;
  readonly applies: (node: Node, kind: NodeKind) => boolean;
  readonly holds: (node: Node) => boolean;
}

/** `message`: what is posted or answered; `view`: a modal; `block` and `element`: anything with a type inside them; `option`: of a select. */
export type NodeKind = 'message' | 'view' | 'block' | 'element' | 'option';

const length = (value: unknown) => (typeof value === 'string' ? value.length : 0);
const count = (value: unknown) => (Array.isArray(value) ? value.length : 0);
const textOf = (value: unknown) => length((value as Node | undefined)?.['text']);
const isType = (type: string) => (node: Node) => node['type'] === type;
const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value ?? []));

export const limits: readonly Limit[] = [
  {
    name: 'message text is there',
    applies: (_, kind) => kind === 'message',
    holds: (n) => length(n['text']) > 0,
  },
  {
    name: 'message text ≤ 4,000',
    applies: (_, kind) => kind === 'message',
    holds: (n) => length(n['text']) <= 4_000,
  },
  {
    name: 'message blocks ≤ 50',
    applies: (_, kind) => kind === 'message',
    holds: (n) => count(n['blocks']) <= 50,
  },
  {
    name: 'message blocks ≤ 13 kB',
    applies: (_, kind) => kind === 'message',
    holds: (n) => bytes(n['blocks']) <= 13_000,
  },
  {
    name: 'metadata ≤ 16 kB',
    applies: (_, kind) => kind === 'message',
    holds: (n) => bytes(n['metadata']) <= 16_000,
  },
  {name: 'view blocks ≤ 100', applies: (_, kind) => kind === 'view', holds: (n) => count(n['blocks']) <= 100},
  {
    name: 'view title 1–24',
    applies: (_, kind) => kind === 'view',
    holds: (n) => within(textOf(n['title']), 1, 24),
  },
  {name: 'view submit ≤ 24', applies: (_, kind) => kind === 'view', holds: (n) => textOf(n['submit']) <= 24},
  {name: 'view close ≤ 24', applies: (_, kind) => kind === 'view', holds: (n) => textOf(n['close']) <= 24},
  {
    name: 'private_metadata ≤ 3,000',
    applies: (_, kind) => kind === 'view',
    holds: (n) => length(n['private_metadata']) <= 3_000,
  },
  {
    name: 'callback_id ≤ 255',
    applies: (_, kind) => kind === 'view',
    holds: (n) => length(n['callback_id']) <= 255,
  },
  {
    name: 'a view with inputs has a submit',
    applies: (_, kind) => kind === 'view',
    holds: (n) => n['submit'] !== undefined || !(n['blocks'] as Node[]).some(isType('input')),
  },
  {
    name: 'block_ids differ',
    applies: (_, kind) => kind === 'view' || kind === 'message',
    holds: (n) => {
      const ids = ((n['blocks'] ?? []) as Node[])
        .map(({block_id}) => block_id)
        .filter((id) => id !== undefined);
      return new Set(ids).size === ids.length;
    },
  },
  {
    name: 'block_id ≤ 255',
    applies: (_, kind) => kind === 'block',
    holds: (n) => length(n['block_id']) <= 255,
  },
  {
    name: 'section text 1–3,000',
    applies: isType('section'),
    holds: (n) => within(textOf(n['text']), 1, 3_000),
  },
  {name: 'header text 1–150', applies: isType('header'), holds: (n) => within(textOf(n['text']), 1, 150)},
  {name: 'input label 1–2,000', applies: isType('input'), holds: (n) => within(textOf(n['label']), 1, 2_000)},
  {name: 'actions 1–25', applies: isType('actions'), holds: (n) => within(count(n['elements']), 1, 25)},
  {
    name: 'context elements 1–10',
    applies: isType('context'),
    holds: (n) => within(count(n['elements']), 1, 10),
  },
  {name: 'button text 1–75', applies: isType('button'), holds: (n) => within(textOf(n['text']), 1, 75)},
  {name: 'button value ≤ 2,000', applies: isType('button'), holds: (n) => length(n['value']) <= 2_000},
  {
    name: 'action_id ≤ 255',
    applies: (_, kind) => kind === 'element',
    holds: (n) => length(n['action_id']) <= 255,
  },
  {
    name: 'input max_length ≤ 3,000',
    applies: isType('plain_text_input'),
    holds: (n) => Number(n['max_length'] ?? 3_000) <= 3_000,
  },
  {
    name: 'initial value ≤ max_length',
    applies: isType('plain_text_input'),
    holds: (n) => length(n['initial_value']) <= Number(n['max_length'] ?? 3_000),
  },
  {
    name: 'select options 1–100',
    applies: isType('static_select'),
    holds: (n) => within(count(n['options']), 1, 100),
  },
  {
    name: 'option text 1–75',
    applies: (_, kind) => kind === 'option',
    holds: (n) => within(textOf(n['text']), 1, 75),
  },
  {
    name: 'option value 1–150',
    applies: (_, kind) => kind === 'option',
    holds: (n) => within(length(n['value']), 1, 150),
  },
  {name: 'rich text element is not empty', applies: isType('text'), holds: (n) => length(n['text']) > 0},
];

function within(value: number, min: number, max: number): boolean {
  return value >= min && value <= max;
}

/** The names of the limits that a payload breaks: of a message, a view, or an answer that carries either. */
export function findLimitFaults(payload: unknown): string[] {
  if (typeof payload !== 'object' || payload === null) return [];
  const root = payload as Node;
  if (typeof root['view'] === 'object' && root['view'] !== null) return walk(root['view'] as Node, 'view');
  if (root['type'] === 'modal' || root['type'] === 'home') return walk(root, 'view');
  return root['text'] !== undefined || root['blocks'] !== undefined ? walk(root, 'message') : [];
}

const blockTypes = new Set(['section', 'header', 'input', 'actions', 'context', 'divider', 'rich_text']);

function walk(node: Node, kind: NodeKind): string[] {
  const faults = limits
    .filter(({applies, holds}) => applies(node, kind) && !holds(node))
    .map(({name}) => name);
  for (const [name, value] of Object.entries(node)) {
    if (name === 'metadata') continue;
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (typeof child === 'object' && child !== null)
        faults.push(...walk(child as Node, kindOf(child as Node, name)));
    }
  }
  return faults;
}

function kindOf(node: Node, under: string): NodeKind {
  if (under === 'options') return 'option';
  return blockTypes.has(String(node['type'])) ? 'block' : 'element';
}

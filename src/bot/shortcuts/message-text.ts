import {cutText, decodeText} from '../text.js';

/** The parts of a message in a shortcut's payload that its text may stand in. */
export interface ShownMessage {
  readonly ts?: string | undefined;
  readonly thread_ts?: string | undefined;
  readonly user?: string | undefined;
  readonly username?: string | undefined;
  readonly text?: string | undefined;
  readonly user_profile?: {
    readonly display_name?: string | undefined;
    readonly real_name?: string | undefined;
  };
  readonly bot_profile?: {readonly name?: string | undefined};
  readonly blocks?: unknown;
  readonly attachments?: unknown;
}

/** Names of users, by id, as far as a payload tells them. */
export type KnownNames = ReadonlyMap<string, string>;

type Node = Readonly<Record<string, unknown>>;

const string = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;

/** All that a message says, as plain text: its text, else its blocks, else its attachments; empty when it has none of them. */
export function plainTextOf({text, blocks, attachments}: ShownMessage, names: KnownNames): string {
  const given = string(text);
  if (given !== undefined) return fromMarkup(given, names).trim();
  const fromBlocks = nodes(blocks)
    .map((block) => blockText(block, names))
    .filter((part) => part.trim() !== '')
    .join('\n');
  if (fromBlocks !== '') return fromBlocks.trim();
  return nodes(attachments)
    .map(({text: words, fallback}) => fromMarkup(string(words) ?? string(fallback) ?? '', names))
    .filter((part) => part !== '')
    .join('\n')
    .trim();
}

/**
 * Slack's markup as words: a mention by name where that is known, a channel by name, a link by its address. What stands for formatting
 * stays as it was typed. Slack: https://docs.slack.dev/messaging/formatting-message-text
 */
export function fromMarkup(text: string, names: KnownNames): string {
  return decodeText(text.replaceAll(/<([^<>]+)>/g, (_, inner: string) => unwrap(inner, names)));
}

function unwrap(inner: string, names: KnownNames): string {
  const bar = inner.indexOf('|');
  const [target, label] = bar < 0 ? [inner, ''] : [inner.slice(0, bar), inner.slice(bar + 1)];
  if (target.startsWith('@')) return at(label || (names.get(target.slice(1)) ?? target.slice(1)));
  if (target.startsWith('#')) return `#${(label || target.slice(1)).replace(/^#/, '')}`;
  if (target.startsWith('!date^')) return label;
  if (target.startsWith('!')) return at(label || target.slice(1));
  const address = target.replace(/^(?:mailto|tel):/, '');
  return label === '' || label === address ? address : `${label} (${address})`;
}

function at(name: string): string {
  return `@${name.replace(/^@/, '')}`;
}

/** The plain text of a block, of what it holds, or of an element of rich text. */
function blockText(node: Node, names: KnownNames): string {
  const id = (value: unknown) => string(value) ?? '';
  switch (node['type']) {
    case 'text':
      return typeof node['text'] === 'string' ? node['text'] : '';
    case 'link':
      return linked(id(node['url']), string(node['text']));
    case 'user':
      return at(names.get(id(node['user_id'])) ?? id(node['user_id']));
    case 'usergroup':
      return at(id(node['usergroup_id']));
    case 'broadcast':
      return at(id(node['range']));
    case 'channel':
      return `#${id(node['channel_id'])}`;
    case 'emoji':
      return `:${id(node['name'])}:`;
    case 'date':
      return id(node['fallback']);
    case 'plain_text':
      return decodeText(id(node['text']));
    case 'mrkdwn':
      return fromMarkup(id(node['text']), names);
    case 'image':
      return id(node['alt_text']);
    case 'rich_text_section':
    case 'rich_text_quote':
    case 'rich_text_preformatted':
      return nodes(node['elements'])
        .map((element) => blockText(element, names))
        .join('');
    case 'rich_text_list':
      return lines(nodes(node['elements']), names, '• ');
    case 'rich_text':
    case 'context':
      return lines(nodes(node['elements']), names);
    default:
      return lines([...nodes([node['text']]), ...nodes(node['fields'])], names);
  }
}

function lines(parts: readonly Node[], names: KnownNames, mark = ''): string {
  return parts
    .map((part) => blockText(part, names))
    .filter((text) => text.trim() !== '')
    .map((text) => mark + text)
    .join('\n');
}

function linked(url: string, label: string | undefined): string {
  return label === undefined || label === url ? url : `${label} (${url})`;
}

function nodes(value: unknown): Node[] {
  return Array.isArray(value)
    ? value.filter((item): item is Node => typeof item === 'object' && item !== null)
    : [];
}

/** Who has written a message, as far as its payload tells. */
export function authorOf(
  {user = '', username, user_profile: profile, bot_profile: bot}: ShownMessage,
  names: KnownNames,
): string | undefined {
  return (
    string(profile?.display_name) ??
    string(profile?.real_name) ??
    names.get(user) ??
    string(username) ??
    string(bot?.name)
  );
}

/**
 * The address of a message, as Slack's own `chat.getPermalink` gives it, without asking; undefined where the payload does not name the
 * workspace.
 */
export function permalinkOf(
  domain: string | undefined,
  channel: string,
  {ts = '', thread_ts: thread}: ShownMessage,
): string | undefined {
  if (domain === undefined || !/^[\w-]+(?:\.enterprise)?$/.test(domain)) return undefined;
  if (!/^[A-Z0-9]+$/.test(channel) || !/^\d+\.\d+$/.test(ts)) return undefined;
  const reply = thread !== undefined && /^\d+\.\d+$/.test(thread) && thread !== ts;
  const query = reply ? `?thread_ts=${thread}&cid=${channel}` : '';
  return `https://${domain}.slack.com/archives/${channel}/p${ts.replace('.', '')}${query}`;
}

/** Cut where it is longer than `max`, with a mark that says so. */
export function cutWithMark(text: string, max: number, mark: string): string {
  return text.length <= max ? text : cutText(text, max - mark.length + 1).slice(0, -1) + mark;
}

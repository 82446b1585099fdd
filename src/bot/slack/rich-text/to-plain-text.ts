import {cleanName} from '../../texts/bidi.js';
import {decodeText, escapeAll} from '../blocks/text.js';
import {formatInlineAsPlain, type PlainPart} from './plain-inline.js';
import {formatListMarker} from './parse-text.js';
import type {SlackNames} from './names.js';
import {toRichText} from './show-text.js';

export type RichTextNode = Readonly<Record<string, unknown>>;

const mostDeep = 8;

/** Converts blocks to plain text in the notation of `parseText`. An unknown block gives no text. */
export function convertBlocksToPlainText(blocks: unknown, names: SlackNames): string {
  const given = Array.isArray(blocks) ? blocks : [blocks];
  const parts = listObjects(given).map((block) => convertBlockToText(block, names, 0));
  return trimLineEnds(parts.filter((part) => part.trim() !== '').join('\n'));
}

function convertBlockToText(node: RichTextNode, names: SlackNames, depth: number): string {
  if (depth > mostDeep) return '';
  switch (node['type']) {
    case 'rich_text':
      return normalizeText(
        joinParts(listObjects(node['elements']).map((part) => convertRichPart(part, names))),
      );
    case 'plain_text':
      return decodeText(stringOrEmpty(node['text']));
    case 'mrkdwn':
      return convertMarkupToPlainText(stringOrEmpty(node['text']), names);
    case 'image':
      return stringOrEmpty(node['alt_text']);
    default: {
      const inside = [
        ...listObjects([node['text']]),
        ...listObjects(node['fields']),
        ...listObjects(node['elements']),
      ];
      return inside
        .map((part) => convertBlockToText(part, names, depth + 1))
        .filter((text) => text.trim() !== '')
        .join('\n');
    }
  }
}

/** Converts a text to rich text and back, since plain text may look like a list or like marks. */
function normalizeText(text: string): string {
  let said = text;
  for (let i = 0; i < 3; i++) {
    const again = joinParts(
      toRichText(said).map((part) => convertRichPart(part as unknown as RichTextNode, noNames)),
    );
    if (again === said) break;
    said = again;
  }
  return said;
}

/** No names at all: a converted text mentions no one. */
export const noNames: SlackNames = {
  user: () => undefined,
  channel: () => undefined,
  unknown: {user: '', channel: '', group: ''},
};

function convertRichPart(node: RichTextNode, names: SlackNames): string | undefined {
  const quoted = node['border'] === 1;
  const say = (text: string) => (quoted ? quoteLines(text) : text);
  switch (node['type']) {
    case 'rich_text_section':
      return convertInlineElements(node, names);
    case 'rich_text_quote':
      return quoteLines(trimLineEnds(convertInlineElements(node, names)));
    case 'rich_text_preformatted': {
      const code = listObjects(node['elements'])
        .map((element) => convertElement(element, names)?.text ?? '')
        .join('');
      return code.trim() === '' ? undefined : say(`\`\`\`\n${code}\n\`\`\``);
    }
    case 'rich_text_list': {
      const style = node['style'] === 'ordered' ? 'ordered' : 'bullet';
      const indent = Math.min(8, Math.max(0, Math.trunc(Number(node['indent'] ?? 0)) || 0));
      const offset = Math.max(0, Math.trunc(Number(node['offset'] ?? 0)) || 0);
      const items = listObjects(node['elements']).map((item, i) => {
        const said = trimLineEnds(convertInlineElements(item, names));
        const mark = formatListMarker({style, indent, number: offset + i + 1});
        return said.trim() === '' ? mark.trimEnd() : mark + said;
      });
      return items.length === 0 ? undefined : say(items.join('\n'));
    }
    default:
      return undefined;
  }
}

/** Joins parts of rich text with line breaks. Slack's composer already ends a text before a list with one. */
function joinParts(parts: readonly (string | undefined)[]): string {
  const joined: string[] = [];
  for (const part of parts) {
    if (part === undefined || part === '') continue;
    if (joined.at(-1)?.endsWith('\n') === false) joined.push('\n');
    joined.push(part);
  }
  return joined.join('');
}

function quoteLines(text: string): string {
  const lines = text.split('\n');
  return lines.map((line) => (line.trim() === '' ? '>' : `> ${line}`)).join('\n');
}

function convertInlineElements(node: RichTextNode, names: SlackNames): string {
  return formatInlineAsPlain(
    listObjects(node['elements']).flatMap((element) => convertElement(element, names) ?? []),
  );
}

export function convertElement(node: RichTextNode, names: SlackNames): PlainPart | undefined {
  const style =
    typeof node['style'] === 'object' && node['style'] !== null ? (node['style'] as RichTextNode) : {};
  const text = convertInlineText(node, names);
  if (text === '') return undefined;
  return {
    text,
    bold: style['bold'] === true,
    italic: style['italic'] === true,
    strike: style['strike'] === true,
    code: style['code'] === true,
  };
}

export function convertInlineText(node: RichTextNode, names: SlackNames): string {
  const {user, channel, group} = names.unknown;
  switch (node['type']) {
    case 'text':
      return typeof node['text'] === 'string' ? node['text'] : '';
    case 'link':
      return formatLink(stringOrEmpty(node['url']), stringOrEmpty(node['text']));
    case 'user':
      return formatMention(names.user(stringOrEmpty(node['user_id'])) ?? user);
    case 'usergroup':
      return formatMention(group);
    case 'broadcast':
      return formatMention(stringOrEmpty(node['range']) || 'channel');
    case 'channel':
      return formatChannel(stringOrEmpty(node['channel_id']), undefined, names) ?? channel;
    case 'emoji':
      return formatEmoji(node);
    case 'date':
      return stringOrEmpty(node['fallback']) || formatDateElement(node['timestamp']);
    case 'color':
      return stringOrEmpty(node['value']);
    default:
      return stringOrEmpty(node['text']) || stringOrEmpty(node['fallback']);
  }
}

function formatEmoji({name, skin_tone: tone}: RichTextNode): string {
  const named = stringOrEmpty(name);
  if (named === '') return '';
  const toned = Number.isInteger(tone) && !named.includes('::') ? `::skin-tone-${Number(tone)}` : '';
  return `:${named}${toned}:`;
}

function formatDateElement(timestamp: unknown): string {
  const formatMention = new Date(Number(timestamp) * 1_000);
  return Number.isNaN(formatMention.getTime()) ? '' : formatMention.toISOString().slice(0, 10);
}

/** Formatting marks stay. Slack: https://docs.slack.dev/messaging/formatting-message-text */
export function convertMarkupToPlainText(text: string, names: SlackNames): string {
  return decodeText(
    text.replaceAll(/<([@#!][^<>]+|[a-z][a-z0-9+.-]{0,20}:[^<>]+)>/gi, (_, inner: string) =>
      resolveMarkupReference(inner, names),
    ),
  );
}

/** Replaces one reference. The whole text is decoded later, so names are encoded first. */
function resolveMarkupReference(inner: string, names: SlackNames): string {
  const bar = inner.indexOf('|');
  const [target, label] = bar < 0 ? [inner, ''] : [inner.slice(0, bar), inner.slice(bar + 1)];
  const id = target.slice(1);
  const given = label.replace(/^[@#]/, '') || undefined;
  const {user, channel, group} = names.unknown;
  if (target.startsWith('@'))
    return escapeAll(formatMention(names.user(id, given && decodeText(given)) ?? user));
  if (target.startsWith('#'))
    return escapeAll(formatChannel(id, given && decodeText(given), names) ?? channel);
  if (target.startsWith('!date^')) return label;
  if (target.startsWith('!subteam^'))
    return given === undefined ? escapeAll(formatMention(group)) : `@${given}`;
  if (target.startsWith('!')) return `@${given ?? id}`;
  return formatLink(target, label);
}

function formatMention(name: string): string {
  return `@${cleanName(name).replace(/^@/, '')}`;
}

/** Returns a channel's name or, if unknown, its address, so that readers can still find the channel. */
function formatChannel(
  id: string,
  given: string | undefined,
  {channel, domain}: SlackNames,
): string | undefined {
  const name = channel(id, given);
  if (name !== undefined) return `#${cleanName(name)}`;
  const hasAddress =
    domain !== undefined && /^[\w-]+(?:\.enterprise)?$/.test(domain) && /^[A-Z0-9]+$/.test(id);
  return hasAddress ? `https://${domain}.slack.com/archives/${id}` : undefined;
}

function formatLink(url: string, label: string): string {
  const address = url.replace(/^(?:mailto|tel):/, '');
  if (label === '' || isAddress(label, address)) return address;
  return `${label} (${address})`;
}

function isAddress(label: string, address: string): boolean {
  const bare = (text: string) => text.replace(/^https?:\/\//i, '').replace(/\/$/, '');
  return bare(label) === bare(address);
}

function stringOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function listObjects(value: unknown): RichTextNode[] {
  return Array.isArray(value)
    ? value.filter((item): item is RichTextNode => typeof item === 'object' && item !== null)
    : [];
}

/** Removes line breaks at the end. A regular expression would be slow for many line breaks. */
function trimLineEnds(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\n') end--;
  return text.slice(0, end);
}

export function listMentionedUserIds(given: unknown, most: number): string[] {
  const found = new Set<string>();
  const look = (node: unknown, depth: number): void => {
    if (found.size >= most) return;
    if (typeof node === 'string') {
      for (const [, user = ''] of node.matchAll(/<@([A-Z0-9_]+)(?:\|[^<>]*)?>/g)) found.add(user);
    }
    if (depth > 2 * mostDeep || typeof node !== 'object' || node === null) return;
    if (Array.isArray(node)) return node.forEach((one) => look(one, depth + 1));
    const {type, user_id: user} = node as RichTextNode;
    if (type === 'user' && typeof user === 'string') found.add(user);
    for (const value of Object.values(node)) look(value, depth + 1);
  };
  look(given, 0);
  return [...found].slice(0, most);
}

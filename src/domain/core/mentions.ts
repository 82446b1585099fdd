// Mentions of members and teams in texts in Markdown: links such as [@Grace Hopper](mention:mem_…).
import {escapeMarkdown} from './escape-markdown.js';
import {limits} from './limits.js';
import {parseMarkdown, plainText} from './markdown.js';

export interface Mention {
  /** The id of a member or a team. */
  readonly id: string;
  /** The name that is shown, without its `@`. */
  readonly name: string;
  /** The position of the label in the text, with its `@`. */
  readonly from: number;
  readonly to: number;
}

/** Lists the mentions in a text. Most texts have none, and need no parsing. */
export function listMentions(text: string): readonly Mention[] {
  if (!text.includes('](')) return [];
  return parseMarkdown(text).flatMap(({mention: id, shown = '', from, to}) =>
    id === undefined ? [] : [{id, name: shown.slice(1), from, to}],
  );
}

/** Gives mentions other names. `findName`: undefined for one that stays as it is. */
export function renameMentions(text: string, findName: (mention: Mention) => string | undefined): string {
  let renamed = text;
  for (const mention of listMentions(text).toReversed()) {
    const name = findName(mention);
    if (name === undefined || name === mention.name) continue;
    renamed = `${renamed.slice(0, mention.from)}@${escapeName(name)}${renamed.slice(mention.to)}`;
  }
  return renamed;
}

/** Makes names mentions again that earlier texts mentioned, for a text from a form that shows names alone. */
export function restoreMentions(text: string, before: readonly string[]): string {
  // Longer names first: another name may be the beginning of one.
  const mentions = before.flatMap(listMentions).toSorted((a, b) => b.name.length - a.name.length);
  const restored = mentions.slice(0, limits.mentions).reduce(restoreMention, text);
  return plainText(restored) === plainText(text) ? restored : text;
}

/** Restores the first name that is no mention. In code it stays a name. */
function restoreMention(text: string, {id, name}: Mention): string {
  const written = `@${escapeMarkdown(name)}`;
  if (!text.includes(written)) return text;
  for (const {from, to, shown, styles, block, url, mention} of parseMarkdown(text)) {
    const isLinked = url !== undefined || mention !== undefined;
    if (shown === undefined || isLinked || styles?.code === true || block.in === 'code') continue;
    for (let at = text.indexOf(written, from); at >= 0 && at < to; at = text.indexOf(written, at + 1)) {
      const after = text.slice(at + written.length);
      if (/^[\p{L}\p{N}_]/u.test(after)) continue;
      return `${text.slice(0, at)}[@${escapeName(name)}](mention:${id})${after}`;
    }
  }
  return text;
}

/** Writes a name so that nothing in it is a mark, or ends the label. */
function escapeName(name: string): string {
  return name.replaceAll(/[\\`*_[\]~&<]/g, String.raw`\$&`);
}

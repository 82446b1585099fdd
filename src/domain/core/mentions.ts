// Mentions of members and teams in texts in Markdown: links such as [@Grace Hopper](mention:mem_…).
import {parseMarkdown} from './markdown.js';

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

/** Writes a name so that nothing in it is a mark, or ends the label. */
function escapeName(name: string): string {
  return name.replaceAll(/[\\`*_[\]~&<]/g, String.raw`\$&`);
}

// The text that mentions a person or team: `@` and the beginning of a name.
import type {Edit, Typed} from './edits.ts';

export interface MentionQuery {
  /** The position of the `@`. */
  readonly from: number;
  readonly to: number;
  readonly words: string;
}

/** The longest beginning of a name that is looked for. */
const longest = 40;

/** Matches `@` after a blank or an opening mark, and up to three words: `@`, `@gr`, `@grace ho`. */
const asked = /(?<=^|[\s([{"'*_>-])@((?:[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}.'’-]*(?: (?=\S)|$)){0,3})$/u;

/** Returns what is typed before the caret; undefined if it is no mention. */
export function findMentionQuery({text, from, to}: Typed): MentionQuery | undefined {
  if (from !== to) return undefined;
  const line = text.slice(text.lastIndexOf('\n', from - 1) + 1, from);
  const [whole, words = ''] = asked.exec(line) ?? [];
  return whole === undefined || words.length > longest ? undefined : {from: from - whole.length, to, words};
}

/** Replaces what was typed by a mention. It is a link, so that it stays right when the name changes. */
export function insertMention(
  {from, to}: Pick<MentionQuery, 'from' | 'to'>,
  {id, name}: {readonly id: string; readonly name: string},
): Edit {
  const label = name.replaceAll(/[\\`*_[\]~&<]/g, String.raw`\$&`);
  const insert = `[@${label}](mention:${id}) `;
  return {from, to, insert, select: [from + insert.length, from + insert.length]};
}

interface Mentionable {
  readonly id: string;
  readonly name: string;
}

/** Puts the people of the team before others, each once: those whose names have words that begin so. */
export function orderSuggestions(
  words: string,
  ofTeam: readonly Mentionable[],
  others: readonly Mentionable[],
  most: number,
): readonly Mentionable[] {
  const wanted = splitWords(words);
  const fits = ({name}: Mentionable): boolean => {
    const own = splitWords(name);
    return wanted.every((word) => own.some((one) => one.startsWith(word)));
  };
  const found = new Map<string, Mentionable>();
  for (const one of [...ofTeam.filter(fits), ...others]) if (!found.has(one.id)) found.set(one.id, one);
  return [...found.values()].slice(0, most);
}

const splitWords = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

import type {Nameable} from '../../../domain/slack/standup-content.js';
import {cleanName} from '../../texts/bidi.js';

/** The people that a text may mention, so that Slack shows and notifies them. */
export interface Mentions {
  /** Finds the longest name here; undefined if there is none or several people have it. */
  find: (line: string, at: number) => {readonly to: number; readonly user: string} | undefined;
}

/** A node of a trie of names: the letters that may follow, and the person whose name ends here. */
interface Letter {
  readonly next: Map<string, Letter>;
  /** The person's Slack id. Null: the person may not be notified, or several people have the name. */
  user?: string | null;
}

const wordCharacter = /[\p{L}\p{N}\p{M}_]/u;

/** Indexes all names without case, even of people not to notify: theirs could contain a shorter one. */
export function buildMentionIndex(people: readonly Nameable[]): Mentions {
  const root: Letter = {next: new Map()};
  for (const {name, user} of people) {
    let letter = root;
    for (const char of foldCase(cleanName(name))) {
      const next = letter.next.get(char) ?? {next: new Map<string, Letter>()};
      letter.next.set(char, next);
      letter = next;
    }
    letter.user = letter.user === undefined ? user : null;
  }
  return {
    find(line, at) {
      let [letter, found]: [Letter | undefined, {to: number; user: string | null} | undefined] = [
        root,
        undefined,
      ];
      for (let i = at; i < line.length; i++) {
        letter = letter.next.get(foldChar(line[i] ?? ''));
        if (letter === undefined) break;
        const ends = !wordCharacter.test(line[i + 1] ?? ' ');
        if (letter.user !== undefined && ends) found = {to: i + 1, user: letter.user};
      }
      return found === undefined || found.user === null ? undefined : {to: found.to, user: found.user};
    },
  };
}

/** Splits a text into UTF-16 units in lower case, so that positions stay the same. */
function foldCase(text: string): string[] {
  return Array.from({length: text.length}, (_, i) => foldChar(text[i] ?? ''));
}

function foldChar(char: string): string {
  const lower = char.toLowerCase();
  return lower.length === 1 ? lower : char;
}

import type {Nameable} from '../../../domain/slack/standup-content.js';
import {cleanName} from '../../words/bidi.js';

/** The people that a text may name so that Slack shows, and notifies, them. */
export interface Mentions {
  /**
   * The longest name that stands at this place of a line; undefined for nobody's, and where it may be one
   * of several.
   */
  find: (line: string, at: number) => {readonly to: number; readonly user: string} | undefined;
}

/** A name letter by letter: how it may go on, and the person that it names when it ends here. */
interface Letter {
  readonly next: Map<string, Letter>;
  /** Null: it is nobody's to be told, or of more than one. */
  user?: string | null;
}

const wordBehind = /[\p{L}\p{N}\p{M}_]/u;

/**
 * Names of all who may be meant, to be found whatever their case. A look takes as many steps as the longest
 * name has letters. Somebody who is not to be told is given too: a longer name of theirs is not a shorter one
 * of somebody else.
 */
export function createMentions(people: readonly Nameable[]): Mentions {
  const root: Letter = {next: new Map()};
  for (const {name, user} of people) {
    let letter = root;
    for (const char of fold(cleanName(name))) {
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
        const ends = !wordBehind.test(line[i + 1] ?? ' ');
        if (letter.user !== undefined && ends) found = {to: i + 1, user: letter.user};
      }
      return found === undefined || found.user === null ? undefined : {to: found.to, user: found.user};
    },
  };
}

/** UTF-16 units, of which each stays one. */
function fold(text: string): string[] {
  return Array.from({length: text.length}, (_, i) => foldChar(text[i] ?? ''));
}

function foldChar(char: string): string {
  const lower = char.toLowerCase();
  return lower.length === 1 ? lower : char;
}

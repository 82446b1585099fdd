// The change that a person's own reaction shows at once, before the service answers.
import type {EmojiCount} from '../../api/schema.ts';
import {texts} from '../../texts/texts.ts';

/** The emoji that are offered first; each is also what Slack offers. */
export const quickEmoji = ['👍', '🎉', '❤️', '👀', '🙏', '😄'] as const;

/** Returns the reactions after the viewer has added an emoji or taken it back. */
export function changeOwnEmoji(
  reactions: EmojiCount[],
  emoji: string,
  isAdded: boolean,
  ownName: string,
): EmojiCount[] {
  const found = reactions.find((one) => one.emoji === emoji);
  if (found === undefined) {
    return isAdded ? [...reactions, {emoji, count: 1, mine: true, by: [ownName]}] : reactions;
  }
  if (found.mine === isAdded) return reactions;
  const count = found.count + (isAdded ? 1 : -1);
  if (count === 0) return reactions.filter((one) => one !== found);
  const by = isAdded ? [...found.by, ownName] : withoutOne(found.by, ownName);
  return reactions.map((one) => (one === found ? {emoji, count, mine: isAdded, by} : one));
}

/** Leaves out one name: another person may have the same. */
function withoutOne(names: string[], name: string): string[] {
  const at = names.indexOf(name);
  return at < 0 ? names : names.toSpliced(at, 1);
}

/** Names those who react with an emoji: “Ada, Grace and 3 others”. */
export function nameReactors({by, count}: EmojiCount): string {
  return texts.thread.bar.names({names: by.join(', '), more: Math.max(0, count - by.length)});
}

/**
 * Reads the emoji that a person has typed: the first one of the text, or a name such as `:party:`. An old sign
 * such as ❤ gets the selector that makes it an emoji.
 */
export function readTypedEmoji(typed: string): string | undefined {
  const text = typed.trim();
  if (/^:[a-z0-9_+'-]{1,64}:$/.test(text)) return text;
  const [first = ''] = text;
  return [text, `${first}\u{FE0F}`].flatMap((one) => /^\p{RGI_Emoji}/v.exec(one) ?? [])[0];
}

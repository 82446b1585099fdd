import type {EmojiCount} from '../../api/schema.ts';
import {texts} from '../../texts/texts.ts';
import {nameReactors} from './reactions.ts';

/** An emoji with the number of people who react with it. A press adds the viewer, or takes them out. */
export function ReactionChip({
  reaction,
  isDisabled,
  onPress,
}: {
  readonly reaction: EmojiCount;
  readonly isDisabled: boolean;
  readonly onPress: () => void;
}) {
  const {emoji, count, mine} = reaction;
  const names = nameReactors(reaction);
  return (
    <button
      aria-label={texts.thread.bar.reaction({emoji, amount: count, names})}
      aria-pressed={mine}
      className="relative inline-flex min-h-7 max-w-full cursor-pointer items-center gap-1.5 rounded-full border border-line px-2.5 text-sm hover:border-edge off:cursor-default aria-pressed:border-accent aria-pressed:bg-accent/10 aria-pressed:font-semibold pointer-coarse:after:absolute pointer-coarse:after:inset-x-0 pointer-coarse:after:-inset-y-2 forced-colors:aria-pressed:border-[Highlight] forced-colors:aria-pressed:outline forced-colors:aria-pressed:outline-[Highlight]"
      disabled={isDisabled}
      onClick={onPress}
      title={names}
      type="button"
    >
      <bdi className="truncate">{emoji}</bdi>
      <span className="tabular-nums">{count}</span>
    </button>
  );
}

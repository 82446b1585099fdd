import {useQuery} from '@tanstack/react-query';
import {lazy, Suspense, useId, useRef, useState} from 'react';
import {meQuery} from '../../api/queries.ts';
import type {Thread} from '../../api/schema.ts';
import {thread as messages} from '../../texts/compiled/en/thread.ts';
import {addTexts, texts} from '../../texts/texts.ts';
import {buttonClass} from '../button-class.ts';
import {Icon} from '../icon.tsx';
import {ProblemNote} from '../problem-note.tsx';
import {mayUse} from '../rights.ts';
import {Skeleton} from '../skeleton.tsx';
import {ReactionChip} from './reaction-chip.tsx';
import {useReactions} from './use-reactions.ts';

addTexts({thread: messages});

const Comments = lazy(async () => ({default: (await import('./comments.tsx')).Comments}));
const loadEmojiChoice = () => import('./emoji-choice.tsx');
const EmojiChoice = lazy(async () => ({default: (await loadEmojiChoice()).EmojiChoice}));

interface ThreadBarProps {
  /** The id of the standup. */
  readonly id: string;
  readonly thread: Thread;
  /** The name of the standup's author. */
  readonly author: string;
  /** Shows the comments from the beginning. */
  readonly opens?: boolean | undefined;
}

/** The reactions to a standup, and its comments when they are opened. */
export function ThreadBar({id, thread, author, opens = false}: ThreadBarProps) {
  const {data: me} = useQuery(meQuery);
  const [isOpen, setOpen] = useState(opens);
  const [isChoosing, setChoosing] = useState(false);
  const adder = useRef<HTMLButtonElement>(null);
  const fold = useId();
  const {shown, change, problem, retry} = useReactions(id, thread.reactions);
  const mayWrite = me === undefined || mayUse(me, 'comments:write');
  const {bar} = texts.thread;
  return (
    <footer className="mt-3 grid gap-3">
      <div className="flex min-h-7 flex-wrap items-center gap-1.5">
        {shown.map((one) => (
          <ReactionChip
            isDisabled={!mayWrite}
            key={one.emoji}
            onPress={() => change(one.emoji, !one.mine)}
            reaction={one}
          />
        ))}
        {mayWrite && (
          <button
            aria-expanded={isChoosing}
            aria-haspopup="dialog"
            aria-label={bar.react}
            className={buttonClass({kind: 'quiet', size: 'small'}, true)}
            onClick={() => setChoosing(true)}
            onFocus={() => void loadEmojiChoice()}
            onPointerEnter={() => void loadEmojiChoice()}
            ref={adder}
            title={bar.react}
            type="button"
          >
            <Smile />
          </button>
        )}
        {isChoosing && (
          <Suspense>
            <EmojiChoice
              onChoose={(emoji) => change(emoji, true)}
              onClose={() => setChoosing(false)}
              triggerRef={adder}
            />
          </Suspense>
        )}
        <button
          aria-controls={fold}
          aria-expanded={isOpen}
          className={`${buttonClass({kind: 'quiet', size: 'small'})} ms-auto text-quiet! [&_svg]:transition-[rotate] aria-expanded:[&_svg]:rotate-180`}
          onClick={() => setOpen(!isOpen)}
          type="button"
        >
          {bar.comments({amount: thread.comments})}
          <Icon name="chevron-down" size={16} />
        </button>
      </div>
      {problem !== undefined && <ProblemNote onRetry={retry} problem={problem} />}
      <div className="empty:hidden" id={fold}>
        {isOpen && me !== undefined && (
          <Suspense fallback={<Skeleton lines={2} />}>
            <Comments author={author} isEmpty={thread.comments === 0} me={me} standup={id} />
          </Suspense>
        )}
      </div>
    </footer>
  );
}

/** The first paint has no such icon, so it is not among the others. */
function Smile() {
  return (
    <svg
      aria-hidden="true"
      className="fill-none stroke-current"
      height={18}
      strokeLinecap="round"
      strokeWidth={1.75}
      viewBox="0 0 24 24"
      width={18}
    >
      <path d="M14.5 3.9A8.5 8.5 0 1 0 20.1 9.5M8.5 14a4 4 0 0 0 7 0M9 9.5v.1M15 9.5v.1M19 2v5M16.5 4.5h5" />
    </svg>
  );
}

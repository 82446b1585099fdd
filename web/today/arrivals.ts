import {type RefObject, useEffect, useState} from 'react';
import type {PersonStandup} from './day.ts';

/** Holds back new standups while the viewer reads the list, and otherwise shows them at once. */
export function useArrivedStandups(
  posted: readonly PersonStandup[],
  {list, own}: {readonly list: RefObject<HTMLElement | null>; readonly own: string | undefined},
): {
  readonly shown: readonly PersonStandup[];
  readonly waiting: number;
  /** True for a standup that arrived after the page was opened. */
  readonly isNew: (id: string) => boolean;
  readonly showAll: () => void;
} {
  const [atFirst] = useState(() => new Set(posted.map(({standup}) => standup.id)));
  const [seen, setSeen] = useState<ReadonlySet<string>>(atFirst);
  const isUnseen = ({standup}: PersonStandup): boolean => !seen.has(standup.id);
  const unseen = posted.filter(isUnseen);
  const isReading =
    unseen.length > 0 && seen.size > 0 && list.current !== null && isReadingList(list.current);
  const held = isReading ? unseen.filter(({person}) => person.member.id !== own) : [];
  const letIn = unseen.filter((one) => !held.includes(one));
  const ids = letIn.map(({standup}) => standup.id).join(' ');
  const showAll = (): void => setSeen(new Set(posted.map(({standup}) => standup.id)));

  useEffect(() => {
    if (ids !== '') setSeen((before) => new Set([...before, ...ids.split(' ')]));
  }, [ids]);

  // Check again after each scroll, focus or selection: everything is shown once the viewer stops reading.
  const hasHeld = held.length > 0;
  const [, look] = useState(0);
  useEffect(() => {
    if (!hasHeld) return undefined;
    const lookAgain = (): void => look((count) => count + 1);
    const ending = new AbortController();
    for (const type of ['scroll', 'focusout', 'selectionchange']) {
      document.addEventListener(type, lookAgain, {passive: true, signal: ending.signal});
    }
    return () => ending.abort();
  }, [hasHeld]);

  return {
    shown: posted.filter((one) => !held.includes(one)),
    waiting: held.length,
    isNew: (id) => !atFirst.has(id),
    showAll,
  };
}

/** True while the viewer reads: the list starts above the viewport, or has the focus or a selection. */
function isReadingList(list: HTMLElement): boolean {
  if (list.getBoundingClientRect().top < 0) return true;
  if (list.contains(document.activeElement)) return true;
  const selection = document.getSelection();
  return selection !== null && !selection.isCollapsed && list.contains(selection.anchorNode);
}

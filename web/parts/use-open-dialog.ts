import {useEffect, useState} from 'react';
import {readDraft} from '../api/drafts.ts';
import {isTabMarked, markTab} from '../api/storage.ts';

/**
 * Whether the dialog of a draft is open. One that was open when its page was loaded again, or led to the
 * identity provider, is open again; a draft that was left behind waits until somebody opens its dialog.
 */
export function useOpenDialog(place: string): readonly [boolean, (isOpen: boolean) => void] {
  const mark = `standup:open:${place}`;
  const [isOpen, setOpen] = useState(() => isTabMarked(mark) && readDraft(place) !== undefined);
  useEffect(() => {
    markTab(mark, isOpen);
    return () => markTab(mark, false);
  }, [mark, isOpen]);
  return [isOpen, setOpen];
}

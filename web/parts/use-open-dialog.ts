import {useEffect, useState} from 'react';
import {readDraft} from '../api/drafts.ts';
import {isTabMarked, markTab} from '../api/storage.ts';

/**
 * Whether the dialog of a draft is open. It reopens after a reload, or on return from the identity provider;
 * a draft that was closed stays closed until its author opens the dialog.
 */
export function useOpenDialog(draftKey: string): readonly [boolean, (isOpen: boolean) => void] {
  const mark = `standup:open:${draftKey}`;
  const [isOpen, setOpen] = useState(() => isTabMarked(mark) && readDraft(draftKey) !== undefined);
  useEffect(() => {
    markTab(mark, isOpen);
    return () => markTab(mark, false);
  }, [mark, isOpen]);
  return [isOpen, setOpen];
}

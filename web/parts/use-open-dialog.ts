import {useEffect, useState} from 'react';
import {readDraft} from '../api/drafts.ts';
import {hasTabFlag, setTabFlag} from '../api/storage.ts';

/** Keeps a draft's dialog open after a reload, or after a return from the identity provider. */
export function useOpenDialog(draftKey: string): readonly [boolean, (isOpen: boolean) => void] {
  const mark = `standup:open:${draftKey}`;
  const [isOpen, setOpen] = useState(() => hasTabFlag(mark) && readDraft(draftKey) !== undefined);
  useEffect(() => {
    setTabFlag(mark, isOpen);
    return () => setTabFlag(mark, false);
  }, [mark, isOpen]);
  return [isOpen, setOpen];
}

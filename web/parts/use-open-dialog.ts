import {useEffect, useState} from 'react';
import {readDraft} from '../api/drafts.ts';
import {hasTabFlag, setTabFlag} from '../api/storage.ts';

/**
 * Whether the dialog of a draft is open. An open dialog opens again after a reload, or on return from the
 * identity provider. A closed one stays closed until its author opens it.
 */
export function useOpenDialog(draftKey: string): readonly [boolean, (isOpen: boolean) => void] {
  const mark = `standup:open:${draftKey}`;
  const [isOpen, setOpen] = useState(() => hasTabFlag(mark) && readDraft(draftKey) !== undefined);
  useEffect(() => {
    setTabFlag(mark, isOpen);
    return () => setTabFlag(mark, false);
  }, [mark, isOpen]);
  return [isOpen, setOpen];
}

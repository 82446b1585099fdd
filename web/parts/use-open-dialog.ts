import {useEffect, useState} from 'react';
import {readDraft} from '../api/drafts.ts';
import {hasTabFlag, setTabFlag} from '../api/storage.ts';

/**
 * Tells whether the dialog of a draft is open. A dialog that was open is open again after a reload, or after
 * a return from the identity provider. A dialog that was closed stays closed until the person opens it.
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

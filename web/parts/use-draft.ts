import {useState} from 'react';
import {dropDraft, saveDraft, readDraft} from '../api/drafts.ts';

/** A value that this browser stores until the draft is dropped, so that it survives a reload. */
export function useDraft<Value>(
  draftKey: string,
  first: Value,
): readonly [Value, (value: Value) => void, () => void] {
  const [value, setValue] = useState<Value>(() => readDraft<Value>(draftKey) ?? first);
  const set = (next: Value): void => {
    setValue(next);
    saveDraft(draftKey, next);
  };
  return [value, set, () => dropDraft(draftKey)];
}

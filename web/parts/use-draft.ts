import {useState} from 'react';
import {dropDraft, saveDraft, readDraft} from '../api/drafts.ts';

/**
 * A value that this browser stores, so that it survives a reload. It is stored until the draft is dropped.
 */
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

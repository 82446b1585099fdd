import {useSyncExternalStore} from 'react';

/** Matches windows too narrow for a month with a column for each day. */
const narrow = matchMedia('(width < 700px)');

export function useNarrow(): boolean {
  return useSyncExternalStore(listenToWidth, () => narrow.matches);
}

function listenToWidth(changed: () => void): () => void {
  narrow.addEventListener('change', changed);
  return () => narrow.removeEventListener('change', changed);
}

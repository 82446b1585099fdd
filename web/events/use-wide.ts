import {useSyncExternalStore} from 'react';

/** Matches windows wide enough for the inspector beside the list. */
const wide = matchMedia('(width >= 1100px)');

export function useWide(): boolean {
  return useSyncExternalStore(listenToWidth, () => wide.matches);
}

function listenToWidth(changed: () => void): () => void {
  wide.addEventListener('change', changed);
  return () => wide.removeEventListener('change', changed);
}

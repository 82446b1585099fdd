import {useSyncExternalStore} from 'react';

/** Whether the window matches a media query. */
function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const list = matchMedia(query);
      list.addEventListener('change', changed);
      return () => list.removeEventListener('change', changed);
    },
    () => matchMedia(query).matches,
  );
}

/** Windows too narrow for a month with a column for each day. */
export const useNarrow = (): boolean => useMedia('(width < 700px)');
/** Windows wide enough for the inspector beside the list. */
export const useWide = (): boolean => useMedia('(width >= 1100px)');

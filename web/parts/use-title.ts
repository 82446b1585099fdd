import {useEffect} from 'react';
import {words} from '../words/words.ts';

/** Names the window after its page, and after the product until the page is known. */
export function useTitle(page: string | undefined): void {
  useEffect(() => {
    document.title = page === undefined ? words.frame.brand : words.frame.title(page);
  }, [page]);
}

import {useEffect} from 'react';
import {words} from '../words/words.ts';

/** Sets the window title to the page's name, or to the product's name until the page is known. */
export function useTitle(page: string | undefined): void {
  useEffect(() => {
    document.title = page === undefined ? words.frame.brand : words.frame.title(page);
  }, [page]);
}

import {useEffect} from 'react';
import {texts} from '../texts/texts.ts';

/** Sets the window title to the page's name, or to the product's name until the page is known. */
export function useTitle(page: string | undefined): void {
  useEffect(() => {
    document.title = page === undefined ? texts.frame.brand : texts.frame.title({page});
  }, [page]);
}

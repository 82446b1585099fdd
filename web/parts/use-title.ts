import {useEffect} from 'react';
import {texts} from '../texts/texts.ts';

export function useTitle(page: string | undefined): void {
  useEffect(() => {
    document.title = page === undefined ? texts.frame.brand : texts.frame.title({page});
  }, [page]);
}

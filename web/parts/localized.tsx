import type {ReactNode} from 'react';
import {I18nProvider} from 'react-aria-components';
import {locale} from '../words/words.ts';

/** React Aria in the language and direction of the app, which need not be those of the browser. */
export function Localized({children}: {readonly children: ReactNode}) {
  const isRightToLeft = document.documentElement.dir === 'rtl';
  return (
    <I18nProvider locale={isRightToLeft ? `${locale.slice(0, 2)}-Arab` : locale}>{children}</I18nProvider>
  );
}

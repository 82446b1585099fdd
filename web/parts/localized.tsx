import type {ReactNode} from 'react';
import {I18nProvider} from 'react-aria-components';
import {locale} from '../texts/texts.ts';

/** Gives React Aria the app's language and direction, which may differ from the browser's. */
export function Localized({children}: {readonly children: ReactNode}) {
  const isRightToLeft = document.documentElement.dir === 'rtl';
  return (
    <I18nProvider locale={isRightToLeft ? `${locale.slice(0, 2)}-Arab` : locale}>{children}</I18nProvider>
  );
}

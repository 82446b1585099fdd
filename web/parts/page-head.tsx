import type {ReactNode} from 'react';
import styles from './page-head.module.css';
import {useTitle} from './use-title.ts';

/** The one h1 of a page, which the window is named after, and what can be done with all of it. */
export function PageHead({
  title,
  sub,
  actions,
}: {
  readonly title: string;
  readonly sub?: ReactNode | undefined;
  readonly actions?: ReactNode | undefined;
}) {
  useTitle(title);
  return (
    <header className={styles['head']}>
      <div className={styles['words']}>
        <h1>{title}</h1>
        {sub !== undefined && <div className={styles['sub']}>{sub}</div>}
      </div>
      {actions !== undefined && <div className={styles['actions']}>{actions}</div>}
    </header>
  );
}

import type {ReactNode} from 'react';
import styles from './page-head.module.css';
import {useTitle} from './use-title.ts';

/** The page's heading (the only h1), which also sets the window title, and actions for the whole page. */
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

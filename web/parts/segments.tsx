import type {ReactNode} from 'react';
import styles from './segments.module.css';

/** Links of which one is where the page is now (`aria-current`), joined in one bar. */
export function Segments({label, children}: {readonly label: string; readonly children: ReactNode}) {
  return (
    <nav aria-label={label} className={styles['segments']}>
      {children}
    </nav>
  );
}

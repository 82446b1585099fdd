import type {ReactNode} from 'react';
import styles from './segments.module.css';

/** Links joined in one bar; one of them is the current page (`aria-current`). */
export function Segments({label, children}: {readonly label: string; readonly children: ReactNode}) {
  return (
    <nav
      aria-label={label}
      className={`flex flex-wrap gap-0.5 rounded-lg bg-inset p-[3px] ${styles['segments']}`}
    >
      {children}
    </nav>
  );
}

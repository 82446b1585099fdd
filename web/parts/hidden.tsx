import type {ReactNode} from 'react';
import styles from './hidden.module.css';

/** Words that are read out and not seen. */
export function Hidden({children}: {readonly children: ReactNode}) {
  return <span className={styles['hidden']}>{children}</span>;
}

import type {ReactNode} from 'react';
import styles from './badge.module.css';

/** A small label beside a name or time. `tone` is a status and sets the colour. */
export function Badge({children, tone}: {readonly children: ReactNode; readonly tone?: string | undefined}) {
  return (
    <span className={styles['badge']} {...(tone !== undefined && {style: {color: `var(--color-${tone})`}})}>
      {children}
    </span>
  );
}

import type {ReactNode} from 'react';
import styles from './empty.module.css';
import {Icon, type IconName} from './icon.tsx';

/** Shown when a page or section has no content: the next step, and a button for it. */
export function Empty({
  title,
  text,
  icon,
  action,
}: {
  readonly title: string;
  readonly text: ReactNode;
  readonly icon?: IconName | undefined;
  readonly action?: ReactNode | undefined;
}) {
  return (
    <div className={styles['empty']}>
      {icon !== undefined && (
        <span className={styles['icon']}>
          <Icon name={icon} size={24} />
        </span>
      )}
      <h2 className={styles['title']}>{title}</h2>
      <p className={styles['text']}>{text}</p>
      {action !== undefined && <div className={styles['action']}>{action}</div>}
    </div>
  );
}

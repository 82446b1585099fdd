import type {ReactNode} from 'react';
import styles from './card.module.css';

/** A panel on the page. `padding: none` is for lists whose rows reach its edges. */
export function Card({
  children,
  as: Element = 'section',
  padding,
  label,
  labelledBy,
}: {
  readonly children: ReactNode;
  readonly as?: 'section' | 'div' | 'article' | 'li' | undefined;
  readonly padding?: 'none' | undefined;
  readonly label?: string | undefined;
  readonly labelledBy?: string | undefined;
}) {
  return (
    <Element
      aria-label={label}
      aria-labelledby={labelledBy}
      className={styles['card']}
      data-padding={padding}
    >
      {children}
    </Element>
  );
}

import type {ReactNode} from 'react';
import {ListBoxItem} from 'react-aria-components';
import {Icon} from './icon.tsx';
import styles from './list.module.css';

/** An option of a list. */
export interface Option<Id extends string = string> {
  readonly id: Id;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly isDisabled?: boolean | undefined;
  /** Mark shown before the label, such as an `Initials` or a `StatusMark`. */
  readonly mark?: ReactNode | undefined;
}

export function OptionItem({id, label, hint, isDisabled = false, mark}: Option) {
  return (
    <ListBoxItem className={styles['item'] ?? ''} id={id} isDisabled={isDisabled} textValue={label}>
      {({isSelected}) => (
        <>
          {mark}
          <span className={styles['words']}>
            {label}
            {hint !== undefined && <span className={styles['hint']}>{hint}</span>}
          </span>
          <span className={styles['tick']}>{isSelected && <Icon name="check" size={16} />}</span>
        </>
      )}
    </ListBoxItem>
  );
}

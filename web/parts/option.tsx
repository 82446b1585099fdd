import type {ReactNode} from 'react';
import {ListBoxItem} from 'react-aria-components';
import {Icon} from './icon.tsx';
import styles from './list.module.css';

export const listClass = 'block overflow-auto p-1 outline-none';
export const wordsClass = 'grid min-w-0 flex-1';
export const itemHintClass = 'text-xs font-normal text-quiet';
export const tickClass = 'grid w-4 flex-none place-items-center text-accent';

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
          <span className={wordsClass}>
            {label}
            {hint !== undefined && <span className={itemHintClass}>{hint}</span>}
          </span>
          <span className={tickClass}>{isSelected && <Icon name="check" size={16} />}</span>
        </>
      )}
    </ListBoxItem>
  );
}

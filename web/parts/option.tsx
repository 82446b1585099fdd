import type {ReactNode} from 'react';
import {ListBoxItem} from 'react-aria-components';
import {Icon} from './icon.tsx';

export const listClass = 'block overflow-auto p-1 outline-none';
export const itemClass = [
  'flex min-h-row cursor-pointer items-center gap-2 rounded-md px-2 py-1.5 text-ink no-underline outline-0',
  'data-focused:bg-ink/7 data-hovered:bg-ink/7 data-pressed:bg-ink/12 data-selected:font-medium',
  'data-focus-visible:outline-2 data-focus-visible:-outline-offset-2 data-focus-visible:outline-focus',
  'data-disabled:cursor-not-allowed data-disabled:text-quiet data-disabled:opacity-65',
  'data-[kind=danger]:text-missed [&:not([data-kind=danger])>svg]:text-quiet',
  'forced-colors:data-focused:outline-2 forced-colors:data-hovered:outline-2',
  'forced-colors:-outline-offset-2 forced-colors:outline-[Highlight]!',
].join(' ');
export const wordsClass = 'grid min-w-0 flex-1';
export const itemHintClass = 'text-xs font-normal text-quiet';
export const tickClass = 'grid w-4 flex-none place-items-center text-accent';

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
    <ListBoxItem className={itemClass} id={id} isDisabled={isDisabled} textValue={label}>
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

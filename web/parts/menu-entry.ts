import type {IconName} from './icon.tsx';

/** An item of a menu, or the separator between two groups. */
export type MenuEntry = MenuAction | 'line';

export interface MenuAction {
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly icon?: IconName | undefined;
  readonly kind?: 'danger' | undefined;
  readonly isDisabled?: boolean | undefined;
  /** Marks the entry as the current choice among several. */
  readonly isChecked?: boolean | undefined;
  /** Keyboard shortcut for the same action as the menu item. */
  readonly keys?: string | undefined;
  readonly onAction?: (() => unknown) | undefined;
  readonly href?: string | undefined;
  /** Opens the link in a new tab. */
  readonly isOutside?: boolean | undefined;
}

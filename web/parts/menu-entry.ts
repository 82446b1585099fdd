import type {IconName} from './icon.tsx';

/** A line of a menu, or the rule between two groups of them. */
export type MenuEntry = MenuAction | 'line';

export interface MenuAction {
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly icon?: IconName | undefined;
  readonly kind?: 'danger' | undefined;
  readonly isDisabled?: boolean | undefined;
  /** The one of several that holds now. */
  readonly isChecked?: boolean | undefined;
  /** The keys that do the same. */
  readonly keys?: string | undefined;
  readonly onAction?: (() => unknown) | undefined;
  readonly href?: string | undefined;
  /** Opens beside the app. */
  readonly isOutside?: boolean | undefined;
}

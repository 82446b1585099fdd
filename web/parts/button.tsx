import type {MouseEvent, ReactNode, Ref} from 'react';
import {texts} from '../texts/texts.ts';
import {type ButtonLook, buttonClass} from './button-class.ts';
import {Hidden} from './hidden.tsx';
import {Icon, type IconName} from './icon.tsx';

export interface ButtonProps extends ButtonLook {
  readonly icon?: IconName | undefined;
  readonly onPress?: ((event: MouseEvent<HTMLButtonElement>) => void) | undefined;
  /** Shows that an action is in progress: the button keeps its size and focus, and ignores presses. */
  readonly isPending?: boolean | undefined;
  readonly isDisabled?: boolean | undefined;
  readonly type?: 'button' | 'submit' | undefined;
  readonly form?: string | undefined;
  readonly title?: string | undefined;
  readonly children: ReactNode;
  /** The accessible name, if several buttons on the page show the same text. */
  readonly 'aria-label'?: string | undefined;
  readonly 'aria-expanded'?: boolean | undefined;
  readonly 'aria-controls'?: string | undefined;
  readonly 'aria-describedby'?: string | undefined;
  readonly 'aria-pressed'?: boolean | undefined;
  readonly 'aria-keyshortcuts'?: string | undefined;
  readonly ref?: Ref<HTMLButtonElement> | undefined;
}

export function Button({
  kind,
  size,
  icon,
  onPress,
  isPending = false,
  isDisabled,
  type = 'button',
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      aria-disabled={isPending || undefined}
      className={`${buttonClass({kind, size})} ${isPending ? 'cursor-progress *:not-last:opacity-0' : ''}`}
      disabled={isDisabled}
      onClick={(event) => {
        if (isPending) event.preventDefault();
        else onPress?.(event);
      }}
      type={type}
    >
      {icon !== undefined && <Icon name={icon} size={size === 'small' ? 16 : 20} />}
      <span className="min-w-0">{children}</span>
      {isPending && (
        <span className="absolute inset-0 grid place-items-center before:size-4 before:animate-turn before:rounded-full before:border-2 before:border-current before:border-t-transparent motion-reduce:before:animate-none motion-reduce:before:border-dotted forced-colors:before:border-t-[Canvas]">
          <Hidden>{texts.parts.working}</Hidden>
        </span>
      )}
    </button>
  );
}

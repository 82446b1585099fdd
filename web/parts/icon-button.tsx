import {buttonClass} from './button-class.ts';
import type {ButtonProps} from './button.tsx';
import {Icon, type IconName} from './icon.tsx';

interface IconButtonProps
  extends Pick<
    ButtonProps,
    | 'onPress'
    | 'size'
    | 'isDisabled'
    | 'aria-expanded'
    | 'aria-controls'
    | 'aria-pressed'
    | 'aria-keyshortcuts'
    | 'ref'
  > {
  readonly icon: IconName;
  readonly label: string;
}

export function IconButton({icon, label, onPress, size, isDisabled, ...rest}: IconButtonProps) {
  return (
    <button
      {...rest}
      aria-label={label}
      className={buttonClass({kind: 'quiet', size}, true)}
      disabled={isDisabled}
      onClick={onPress}
      title={label}
      type="button"
    >
      <Icon name={icon} size={size === 'small' ? 16 : 20} />
    </button>
  );
}

import type {ReactNode, RefObject} from 'react';
import {Dialog, Popover as AriaPopover, type PopoverProps as AriaProps} from 'react-aria-components';
import {Localized} from './localized.tsx';
import styles from './popover.module.css';

interface PopoverProps extends Pick<AriaProps, 'placement' | 'offset'> {
  readonly label: string;
  /** The popover's trigger, which gets the focus back when the popover closes. */
  readonly triggerRef: RefObject<Element | null>;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function Popover({
  label,
  triggerRef,
  isOpen,
  onClose,
  children,
  placement = 'bottom end',
  offset = 4,
}: PopoverProps) {
  return (
    <Localized>
      <AriaPopover
        className={styles['popover'] ?? ''}
        isOpen={isOpen}
        offset={offset}
        onOpenChange={(open) => open || onClose()}
        placement={placement}
        triggerRef={triggerRef}
      >
        <Dialog aria-label={label} className={styles['dialog'] ?? ''}>
          {children}
        </Dialog>
      </AriaPopover>
    </Localized>
  );
}

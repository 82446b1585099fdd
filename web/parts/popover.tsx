import type {ReactNode, RefObject} from 'react';
import {Dialog, Popover as AriaPopover, type PopoverProps as AriaProps} from 'react-aria-components';
import {Localized} from './localized.tsx';

export const popoverClass =
  'flex max-w-[calc(100vw-16px)] flex-col overflow-auto rounded-lg border border-[color-mix(in_srgb,var(--color-line),var(--color-edge)_35%)] bg-card text-base text-ink shadow-pop outline-none transition data-entering:-translate-y-1 data-entering:opacity-0 data-exiting:-translate-y-1 data-exiting:opacity-0 data-fits:min-w-(--trigger-width)';

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
        className={popoverClass}
        isOpen={isOpen}
        offset={offset}
        onOpenChange={(open) => open || onClose()}
        placement={placement}
        triggerRef={triggerRef}
      >
        <Dialog aria-label={label} className="p-4 outline-none">
          {children}
        </Dialog>
      </AriaPopover>
    </Localized>
  );
}
